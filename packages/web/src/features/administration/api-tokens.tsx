import type { ApiToken } from '@benchwatch/contract/administration/administration'
import { Button, Group, Text } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { reasonOf } from '../../lib/folded.ts'
import { formatEventDate, formatEventTime } from '../../lib/time/dates.ts'
import { PageHeader } from '../../ui/layout/page-frame.tsx'
import type { Column } from '../../ui/list/list-columns.ts'
import { TableCard } from '../../ui/list/table-card.tsx'
import { confirm } from '../../ui/overlay/confirm.tsx'
import { SecretDialog } from '../../ui/overlay/secret-dialog.tsx'
import { showFailure, showSuccess } from '../../ui/overlay/toasts.ts'
import { EmptyState } from '../../ui/text/notice.tsx'
import { StatusMark } from '../../ui/text/status-mark.tsx'
import { apiTokensQuery, useRevokeApiToken } from './administration.api.ts'
import { NewTokenDialog } from './new-token-dialog.tsx'

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
        empty={
          <EmptyState title="No API tokens yet">Create one for each system that registers or imports data.</EmptyState>
        }
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
