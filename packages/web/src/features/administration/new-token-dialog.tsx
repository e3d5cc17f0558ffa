import { type ApiTokenScope, apiTokenScopes } from '@benchwatch/contract/vocabulary'
import { Button, Checkbox, Group, NativeSelect, Stack, TextInput } from '@mantine/core'
import dayjs from 'dayjs'
import { type FormEvent, useState } from 'react'
import { fieldProblems } from '../../lib/http.ts'
import { hintBelow } from '../../ui/form/code-field.tsx'
import { Dialog } from '../../ui/overlay/dialog.tsx'
import { Notice } from '../../ui/text/notice.tsx'
import { useUnsent } from '../../ui/use-unsent.ts'
import { useCreateApiToken } from './administration.api.ts'

/** Lifetimes of an API token that an administrator can choose, in days. */
const expiryDays = [30, 90, 365] as const

type ExpiryChoice = (typeof expiryDays)[number] | 'date'

/** The server's limit of two years, less one day because clocks differ. */
const MAX_DAYS = 729

const scopeLabels: Record<ApiTokenScope, string> = { registry: 'Registry: read, register and import' }

/** Asks for the name, scopes and lifetime of a new token. `onCreated` gets the token, which cannot be read again. */
export function NewTokenDialog(props: {
  onCreated: (created: { name: string; token: string }) => void
  onCancel: () => void
}) {
  const [name, setName, forgetName] = useUnsent('API token', '')
  const [scopes, setScopes] = useState<readonly ApiTokenScope[]>(apiTokenScopes)
  const [expiry, setExpiry] = useState<ExpiryChoice>(90)
  const [day, setDay] = useState('')
  const [isSubmitted, setSubmitted] = useState(false)
  const create = useCreateApiToken()
  const problems = fieldProblems(create.error)
  const now = new Date()
  const expiresAt = expiryInstant(expiry, day, now)
  const limits = expiryLimits(now)

  async function handleSubmit(submit: FormEvent) {
    submit.preventDefault()
    setSubmitted(true)
    if (name.trim() === '' || scopes.length === 0 || expiresAt === null || create.isPending) return
    const created = await create.mutateAsync({ name: name.trim(), scopes: [...scopes], expiresAt }).catch(() => null)
    if (created === null) return
    forgetName()
    props.onCreated({ name: created.name, token: created.token })
  }

  return (
    <Dialog onClose={props.onCancel} title="New API token">
      <form noValidate onSubmit={(submit) => void handleSubmit(submit)}>
        <Stack gap="md">
          {create.isError && Object.keys(problems).length === 0 && (
            <Notice tone="danger">{create.error.message}</Notice>
          )}
          <TextInput
            label="Name"
            inputWrapperOrder={hintBelow}
            description="The system that uses it. Changes are recorded under this name."
            data-autofocus
            required
            autoComplete="off"
            maxLength={120}
            value={name}
            error={problems.name ?? (isSubmitted && name.trim() === '' && 'Enter a name.')}
            onChange={({ currentTarget }) => setName(currentTarget.value)}
          />
          <Checkbox.Group
            label="Scopes"
            value={[...scopes]}
            error={problems.scopes ?? (isSubmitted && scopes.length === 0 && 'Choose at least one.')}
            onChange={(chosen) => setScopes(apiTokenScopes.filter((scope) => chosen.includes(scope)))}
          >
            {apiTokenScopes.map((scope) => (
              <Checkbox key={scope} mt={4} value={scope} label={scopeLabels[scope]} />
            ))}
          </Checkbox.Group>
          <Group grow align="flex-start">
            <NativeSelect
              label="Expires"
              value={String(expiry)}
              onChange={({ currentTarget }) =>
                setExpiry(expiryDays.find((days) => String(days) === currentTarget.value) ?? 'date')
              }
              data={[
                ...expiryDays.map((days) => ({ value: String(days), label: `in ${days} days` })),
                { value: 'date', label: 'on a date' },
              ]}
            />
            {expiry === 'date' && (
              <TextInput
                label="Last day"
                type="date"
                required
                min={limits.min}
                max={limits.max}
                value={day}
                error={
                  problems.expiresAt ??
                  (isSubmitted && expiresAt === null && 'Choose a day from tomorrow, within two years.')
                }
                onChange={({ currentTarget }) => setDay(currentTarget.value)}
              />
            )}
          </Group>
          <Group justify="flex-end" gap={8}>
            <Button
              variant="default"
              onClick={() => {
                forgetName()
                props.onCancel()
              }}
            >
              Cancel
            </Button>
            <Button type="submit" loading={create.isPending}>
              Create token
            </Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  )
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
