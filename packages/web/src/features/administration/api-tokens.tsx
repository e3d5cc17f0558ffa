import type { ApiToken } from '@benchwatch/contract/administration/administration'
import { type ApiTokenScope, apiTokenScopes } from '@benchwatch/contract/vocabulary'
import { Button, Checkbox, Group, NativeSelect, Stack, Text, TextInput } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import dayjs from 'dayjs'
import { useState } from 'react'
import { reasonOf } from '../../lib/folded.ts'
import { formatEventDate, formatEventTime } from '../../lib/time/dates.ts'
import { useInvalidFocus, useRecordForm } from '../../ui/form/record-form.tsx'
import { PageHeader } from '../../ui/layout/page-frame.tsx'
import type { Column } from '../../ui/list/list-columns.ts'
import { TableCard } from '../../ui/list/table-card.tsx'
import { confirm } from '../../ui/overlay/confirm.tsx'
import { Dialog } from '../../ui/overlay/dialog.tsx'
import { SecretDialog } from '../../ui/overlay/secret-dialog.tsx'
import { showFailure, showSuccess } from '../../ui/overlay/toasts.ts'
import { EmptyState, Notice } from '../../ui/text/notice.tsx'
import { StatusMark } from '../../ui/text/status-mark.tsx'
import { DayField } from '../../ui/time/day-field.tsx'
import { apiTokensQuery, useCreateApiToken, useRevokeApiToken } from './administration.api.ts'

/** /administration/tokens */
export function TokensScreen() {
  return (
    <>
      <PageHeader title="API tokens" />
      <ApiTokens />
    </>
  )
}

/** Tokens with which other systems call the API, newest first. */
function ApiTokens() {
  const tokens = useQuery(apiTokensQuery())
  const revoke = useRevokeApiToken()
  const [isCreating, setCreating] = useState(false)
  const [created, setCreated] = useState<{ name: string; token: string } | null>(null)

  async function handleRevoke({ id, name }: ApiToken) {
    const message = `Revoke the token “${name}”? Requests with it will be refused.`
    if (!(await confirm({ message, confirmLabel: 'Revoke', isDestructive: true }))) return
    try {
      await revoke.mutateAsync(id)
      showSuccess({ title: `Token “${name}” revoked` })
    } catch (error) {
      showFailure({ title: `Could not revoke token “${name}”`, message: reasonOf(error) })
    }
  }

  return (
    <>
      <Group justify="space-between" gap="10px 24px">
        <Text c="dimmed" maw="100ch">
          Other systems, such as an asset register, call the API with a token. Each token has a name, scopes and an
          expiry date.
        </Text>
        <Button leftSection={<IconPlus size={16} stroke={1.8} aria-hidden="true" />} onClick={() => setCreating(true)}>
          New token
        </Button>
      </Group>
      <TableCard
        label="API tokens"
        columns={columnsFor((token) => void handleRevoke(token))}
        rowKey={({ id }) => id}
        expectedRows={3}
        answer={tokens}
        failureTitle="Could not get API tokens"
        empty={<EmptyState title="No API tokens yet">Create one for each system that calls the API.</EmptyState>}
      />
      {isCreating && (
        <NewTokenDialog
          onCancel={() => setCreating(false)}
          onCreated={(token) => {
            setCreating(false)
            setCreated(token)
          }}
        />
      )}
      {created !== null && (
        <SecretDialog
          title={`Token “${created.name}”`}
          secret={created.token}
          hint="Send it with each request as “Authorization: Bearer …”."
          onDone={() => setCreated(null)}
        />
      )}
    </>
  )
}

const columnsFor = (revoke: (token: ApiToken) => void): Column<ApiToken>[] => [
  { key: 'name', label: 'Name', grow: 1.6, cell: ({ name }) => <strong>{name}</strong> },
  { key: 'scopes', label: 'Scopes', grow: 0.8, cell: ({ scopes }) => scopes.join(', ') },
  {
    key: 'state',
    label: 'State',
    grow: 1.5,
    cell: (token) => <TokenState token={token} />,
  },
  {
    key: 'used',
    label: 'Last used',
    grow: 1.2,
    cell: ({ lastUsedAt }) => (lastUsedAt === null ? 'Never' : formatEventTime(lastUsedAt)),
  },
  {
    key: 'created',
    label: 'Created',
    grow: 1.5,
    cell: ({ createdAt, createdBy }) => (
      <span>
        {formatEventDate(createdAt)}{' '}
        <Text span size="xs" c="dimmed">
          by {createdBy}
        </Text>
      </span>
    ),
  },
  {
    key: 'action',
    label: 'Action',
    width: 100,
    cell: (token) =>
      isInForce(token) && (
        <Button variant="default" size="compact-sm" aria-label={`Revoke ${token.name}`} onClick={() => revoke(token)}>
          Revoke
        </Button>
      ),
  },
]

const isInForce = ({ revokedAt, expiresAt }: ApiToken) =>
  revokedAt === null && new Date(expiresAt).getTime() > Date.now()

function TokenState({ token }: { token: ApiToken }) {
  if (token.revokedAt !== null) return <StatusMark tone="off">Revoked {formatEventDate(token.revokedAt)}</StatusMark>
  if (!isInForce(token)) return <StatusMark tone="off">Expired {formatEventDate(token.expiresAt)}</StatusMark>
  return <StatusMark tone="good">Until {formatEventDate(token.expiresAt)}</StatusMark>
}

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
function NewTokenDialog(props: {
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
