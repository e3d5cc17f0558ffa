import { Button, Stack } from '@mantine/core'
import { IconKey, IconPlugConnected } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { counted, reasonOf } from '../../lib/folded.ts'
import { isNotFound } from '../../lib/http.ts'
import { formatEventTime } from '../../lib/time/dates.ts'
import { PageHeader } from '../../ui/layout/page-frame.tsx'
import type { Column } from '../../ui/list/list-columns.ts'
import { TableCard } from '../../ui/list/table-card.tsx'
import { LinkButton } from '../../ui/overlay/blocked-button.tsx'
import { confirm } from '../../ui/overlay/confirm.tsx'
import { SecretDialog } from '../../ui/overlay/secret-dialog.tsx'
import { showFailure, showSuccess } from '../../ui/overlay/toasts.ts'
import { EmptyState, ErrorState } from '../../ui/text/notice.tsx'
import { StatusMark } from '../../ui/text/status-mark.tsx'
import { useNow } from '../../ui/time/use-now.ts'
import { gatewayKeysQuery, gatewayQuery, useCreateGatewayKey, useRevokeGatewayKey } from './administration.api.ts'
import { Ago, GatewaySources, Section } from './gateway-sources.tsx'

/** One gateway: its last report, its sources, and its keys. */
export function GatewayPage({ gateway, crumbs, retry }: { gateway: string; crumbs: ReactNode; retry: ReactNode }) {
  const { data, error } = useQuery(gatewayQuery(gateway))
  const now = useNow()
  if (isNotFound(error))
    return (
      <ErrorState title="This gateway does not exist">Check the address, or find the gateway in the list.</ErrorState>
    )
  return (
    <Stack gap={22}>
      <PageHeader
        crumbs={crumbs}
        title={gateway}
        // An empty line at first, so that the link does not move away from the pointer when the gateway is known.
        note={
          data === undefined ? (
            '\u00a0'
          ) : (
            <>
              <bdi>{data.customer}</bdi> · {data.site} · Last contact: <Ago at={data.lastContactAt} now={now} /> ·
              Version: {data.version ?? 'not reported'} · Backlog:{' '}
              {data.backlog === null ? 'not reported' : counted(data.backlog, 'item')}
            </>
          )
        }
      >
        <LinkButton
          to="/administration/gateways/$gateway/connect"
          params={{ gateway }}
          leftSection={<IconPlugConnected size={16} stroke={1.7} aria-hidden="true" />}
        >
          Connect an instrument
        </LinkButton>
      </PageHeader>
      <GatewaySources gateway={gateway} retry={retry} />
      <GatewayKeys gateway={gateway} />
    </Stack>
  )
}

interface GatewayKey {
  id: string
  createdAt: string
  revokedAt: string | null
}

/** Keys of one gateway, newest first. A new key is shown once; its first use revokes the others. */
function GatewayKeys({ gateway }: { gateway: string }) {
  const keys = useQuery(gatewayKeysQuery(gateway))
  const create = useCreateGatewayKey()
  const revoke = useRevokeGatewayKey()
  const [secret, setSecret] = useState<string | null>(null)

  async function handleCreate() {
    try {
      setSecret((await create.mutateAsync(gateway)).key)
    } catch (error) {
      showFailure({ title: `Could not create a key for ${gateway}`, message: reasonOf(error) })
    }
  }

  async function handleRevoke({ id, createdAt }: GatewayKey) {
    const created = formatEventTime(createdAt)
    const message = `Revoke the key of ${gateway} created ${created}? Requests with this key will be refused within seconds.`
    if (!(await confirm({ message, confirmLabel: 'Revoke', isDestructive: true }))) return
    try {
      await revoke.mutateAsync({ gateway, id })
      showSuccess({ title: `Key of ${gateway} revoked` })
    } catch (error) {
      showFailure({ title: `Could not revoke the key of ${gateway}`, message: reasonOf(error) })
    }
  }

  const columns: Column<GatewayKey>[] = [
    { key: 'created', label: 'Created', cell: ({ createdAt }) => formatEventTime(createdAt) },
    {
      key: 'state',
      label: 'State',
      grow: 1.4,
      cell: ({ revokedAt }) =>
        revokedAt === null ? (
          <StatusMark tone="good">Active</StatusMark>
        ) : (
          <StatusMark tone="off">Revoked {formatEventTime(revokedAt)}</StatusMark>
        ),
    },
    {
      key: 'action',
      label: 'Action',
      width: 120,
      cell: (key) =>
        key.revokedAt === null && (
          <Button
            variant="default"
            size="compact-sm"
            aria-label={`Revoke the key created ${formatEventTime(key.createdAt)}`}
            onClick={() => void handleRevoke(key)}
          >
            Revoke
          </Button>
        ),
    },
  ]

  return (
    <>
      <Section
        title="Keys"
        note="A gateway sends its data with a key. To replace it, create a new key and configure the gateway with it. Its first use revokes the older keys."
        end={
          <Button
            variant="default"
            leftSection={<IconKey size={16} stroke={1.7} aria-hidden="true" />}
            loading={create.isPending}
            onClick={() => void handleCreate()}
          >
            New key
          </Button>
        }
      >
        <TableCard
          label={`Keys of ${gateway}`}
          columns={columns}
          rowKey={({ id }) => id}
          expectedRows={2}
          answer={keys}
          failureTitle="Could not get keys"
          empty={<EmptyState title="No keys yet">This gateway can’t send data without a key.</EmptyState>}
        />
      </Section>
      {secret !== null && (
        <SecretDialog
          title={`New key of ${gateway}`}
          secret={secret}
          hint="Add it to the configuration of the gateway. The older keys stay active until its first use."
          onDone={() => setSecret(null)}
        />
      )}
    </>
  )
}
