import { type ApiTokenScope, apiTokenScopes } from '@benchwatch/contract/vocabulary'
import { Button, Checkbox, Group, NativeSelect, Stack, TextInput } from '@mantine/core'
import dayjs from 'dayjs'
import { useInvalidFocus, useRecordForm } from '../../ui/form/record-form.tsx'
import { Dialog } from '../../ui/overlay/dialog.tsx'
import { Notice } from '../../ui/text/notice.tsx'
import { DayField } from '../../ui/time/day-field.tsx'
import { useCreateApiToken } from './administration.api.ts'

/** Lifetimes of an API token that an administrator can choose, in days. */
const expiryDays = [30, 90, 365] as const

type ExpiryChoice = (typeof expiryDays)[number] | 'date'

/** The server's limit of two years, less one day because clocks differ. */
const MAX_DAYS = 729

const scopeLabels: Record<ApiTokenScope, string> = {
  cases: 'Cases: report what happens to service cases',
  registry: 'Registry: read, register and import',
}

interface TokenForm {
  name: string
  scopes: ApiTokenScope[]
  /** A number of days, or `date`. */
  expires: string
  /** The last day, if `expires` is `date`. */
  expiresAt: string
}

const emptyToken: TokenForm = { name: '', scopes: ['registry'], expires: '90', expiresAt: '' }

/** Asks for the name, scopes and lifetime of a new token. `onCreated` gets the token, which cannot be read again. */
export function NewTokenDialog(props: {
  onCreated: (created: { name: string; token: string }) => void
  onCancel: () => void
}) {
  const create = useCreateApiToken()
  const limits = expiryLimits(new Date())
  const form = useRecordForm<TokenForm>({
    record: emptyToken,
    keep: 'API token',
    problemsOf: (values) => ({
      ...(values.name.trim() === '' && { name: 'Enter a name.' }),
      ...(values.scopes.length === 0 && { scopes: 'Choose at least one.' }),
      ...(expiryOf(values) === null && { expiresAt: 'Choose a day from tomorrow, within two years.' }),
    }),
    save: async (values) => {
      const { name, scopes } = values
      const created = await create.mutateAsync({ name: name.trim(), scopes, expiresAt: expiryOf(values) ?? '' })
      props.onCreated({ name: created.name, token: created.token })
      return values
    },
  })
  const element = useInvalidFocus(form.refusals)
  return (
    <Dialog onClose={props.onCancel} title="New API token">
      <form ref={element} noValidate onSubmit={(event) => void form.submit(event)}>
        <Stack gap="md">
          {form.failure !== null && <Notice tone="danger">{form.failure}</Notice>}
          <TextInput
            label="Name"
            description="The system that uses it. Changes are recorded under this name."
            data-autofocus
            required
            autoComplete="off"
            maxLength={120}
            {...form.getInputProps('name')}
          />
          <Checkbox.Group label="Scopes" {...form.getInputProps('scopes')}>
            {apiTokenScopes.map((scope) => (
              <Checkbox key={scope} mt={4} value={scope} label={scopeLabels[scope]} />
            ))}
          </Checkbox.Group>
          <Group grow align="flex-start">
            <NativeSelect
              label="Expires"
              data={[
                ...expiryDays.map((days) => ({ value: String(days), label: `in ${days} days` })),
                { value: 'date', label: 'on a date' },
              ]}
              {...form.getInputProps('expires')}
            />
            {form.values.expires === 'date' && (
              <DayField
                label="Last day"
                required
                min={limits.min}
                max={limits.max}
                {...form.getInputProps('expiresAt')}
                value={form.values.expiresAt}
              />
            )}
          </Group>
          <Group justify="flex-end" gap={8}>
            <Button
              variant="default"
              onClick={() => {
                form.discard()
                props.onCancel()
              }}
            >
              Cancel
            </Button>
            <Button type="submit" loading={form.isSaving}>
              Create token
            </Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  )
}

function expiryOf({ expires, expiresAt }: TokenForm): string | null {
  return expiryInstant(expiryDays.find((days) => String(days) === expires) ?? 'date', expiresAt, new Date())
}

/** The first and last day that can be chosen, YYYY-MM-DD. */
export function expiryLimits(now: Date): { min: string; max: string } {
  return {
    min: dayjs(now).add(1, 'day').format('YYYY-MM-DD'),
    max: dayjs(now).add(MAX_DAYS, 'day').format('YYYY-MM-DD'),
  }
}

/**
 * Returns the instant at which the token expires: a number of days from now, or the end of the chosen day in the
 * browser's time zone. Null if no valid day is chosen.
 */
export function expiryInstant(choice: ExpiryChoice, day: string, now: Date): string | null {
  if (choice !== 'date') return dayjs(now).add(choice, 'day').toISOString()
  const { min, max } = expiryLimits(now)
  if (!/^\d{4}-\d{2}-\d{2}$/.test(day) || day < min || day > max) return null
  return dayjs(day).endOf('day').toISOString()
}
