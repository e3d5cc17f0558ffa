import type { Webhook } from '@benchwatch/contract/messages/webhooks'
import { webhookFormatLabels } from '@benchwatch/contract/vocabulary'
import { Group, Text } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { formatEventTime } from '../../lib/time/dates.ts'
import type { Column } from '../../ui/list/list-columns.ts'
import { TableCard } from '../../ui/list/table-card.tsx'
import { LinkButton } from '../../ui/overlay/blocked-button.tsx'
import { DeleteButton } from '../../ui/overlay/delete-button.tsx'
import { Dash } from '../../ui/text/fact.tsx'
import { EmptyState } from '../../ui/text/notice.tsx'
import { StatusMark } from '../../ui/text/status-mark.tsx'
import { useDeleteWebhook, webhooksQuery } from './webhooks.api.ts'

/** The viewer's webhooks; administrators also see those of others, which they can only delete. */
export function WebhookList() {
  const webhooks = useQuery(webhooksQuery())
  const remove = useDeleteWebhook()
  const hasOthers = webhooks.data?.some(({ isOwn }) => !isOwn) ?? false
  return (
    <>
      <Group justify="space-between" gap="10px 24px">
        <Text c="dimmed" maw="100ch">
          A webhook notifies another system of events and instruments. It sends only what its owner may see.
        </Text>
        <LinkButton to="/settings/webhooks/new" leftSection={<IconPlus size={16} stroke={1.8} aria-hidden="true" />}>
          New webhook
        </LinkButton>
      </Group>
      <TableCard
        label="Webhooks"
        columns={[
          ...columns,
          ...(hasOthers ? [ownerColumn, actionColumn((webhook) => remove.mutateAsync(webhook.id))] : []),
        ]}
        rowKey={({ id }) => id}
        expectedRows={3}
        answer={webhooks}
        failureTitle="Could not get webhooks"
        empty={
          <EmptyState title="No webhooks yet">
            Create one to post events to Slack, Microsoft Teams, PagerDuty or your own program.
          </EmptyState>
        }
      />
    </>
  )
}

const columns: Column<Webhook>[] = [
  {
    key: 'name',
    label: 'Name',
    grow: 2,
    cell: ({ id, name, host, isOwn }) => (
      <>
        {isOwn ? (
          <Link to="/settings/webhooks/$webhookId" params={{ webhookId: id }}>
            {name}
          </Link>
        ) : (
          <strong>{name}</strong>
        )}
        <Text size="xs" c="dimmed">
          {host}
        </Text>
      </>
    ),
  },
  { key: 'format', label: 'Format', cell: ({ format }) => webhookFormatLabels[format] },
  { key: 'state', label: 'State', grow: 1.6, cell: (webhook) => <WebhookState webhook={webhook} /> },
  {
    key: 'waiting',
    label: 'Deliveries',
    cell: ({ waiting, parked }) =>
      [waiting > 0 && `${waiting} waiting`, parked > 0 && `${parked} parked`].filter(Boolean).join(', ') || <Dash />,
  },
  {
    key: 'sent',
    label: 'Last sent',
    grow: 1.2,
    cell: ({ lastSentAt }) => (lastSentAt === null ? 'Never' : formatEventTime(lastSentAt)),
  },
]

const ownerColumn: Column<Webhook> = {
  key: 'owner',
  label: 'Owner',
  grow: 1.2,
  cell: ({ isOwn, ownerName }) => (isOwn ? 'You' : ownerName),
}

const actionColumn = (remove: (webhook: Webhook) => Promise<unknown>): Column<Webhook> => ({
  key: 'action',
  label: 'Action',
  width: 120,
  cell: (webhook) =>
    !webhook.isOwn && (
      <DeleteButton
        noun="webhook"
        name={webhook.name}
        consequence={`It belongs to ${webhook.ownerName}. Nothing more will be sent.`}
        remove={() => remove(webhook)}
        onDeleted={() => undefined}
      />
    ),
})

export function WebhookState({ webhook: { state, pausedUntil } }: { webhook: Webhook }) {
  switch (state) {
    case 'on':
      return <StatusMark tone="good">On</StatusMark>
    case 'off':
      return <StatusMark tone="off">Off</StatusMark>
    case 'gone':
      return <StatusMark tone="warning">Ended by the receiver</StatusMark>
    case 'no-owner':
      return <StatusMark tone="off">Owner disabled</StatusMark>
    case 'paused':
      return (
        <StatusMark tone="warning">
          Failing{pausedUntil !== null && `, next attempt ${formatEventTime(pausedUntil)}`}
        </StatusMark>
      )
  }
}
