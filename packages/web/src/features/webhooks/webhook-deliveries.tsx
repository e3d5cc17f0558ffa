import type { Webhook, WebhookDelivery } from '@benchwatch/contract/messages/webhooks'
import { webhookOccasionLabels } from '@benchwatch/contract/vocabulary'
import { Button, Code, Group, Stack, Text, Title } from '@mantine/core'
import '@mantine/core/styles/Code.layer.css'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { reasonOf } from '../../lib/folded.ts'
import type { ListSearch } from '../../lib/list/list-address.ts'
import { formatEventTime } from '../../lib/time/dates.ts'
import type { Column } from '../../ui/list/list-columns.ts'
import { TableCard } from '../../ui/list/table-card.tsx'
import { Dialog } from '../../ui/overlay/dialog.tsx'
import { showFailure, showSuccess } from '../../ui/overlay/toasts.ts'
import { EmptyState } from '../../ui/text/notice.tsx'
import { StatusMark, type StatusTone } from '../../ui/text/status-mark.tsx'
import { useResendDelivery, webhookDeliveriesQuery } from './webhooks.api.ts'

/** Deliveries of a webhook, newest first, with request and answers. The address contains the page. */
export function WebhookDeliveries(props: {
  webhook: Webhook
  search: ListSearch
  onSearch: (search: ListSearch) => void
}) {
  const { webhook, search, onSearch } = props
  const list = useQuery(webhookDeliveriesQuery(webhook.id, search))
  const [opened, setOpened] = useState<WebhookDelivery | null>(null)
  // On a busy webhook the delivery slides to another page while it is read.
  const open = list.data?.values.find(({ id }) => id === opened?.id) ?? opened
  return (
    <>
      <Title order={2} fz="md" mt={6}>
        Deliveries
      </Title>
      <TableCard
        label="Deliveries"
        columns={columnsFor(webhook, setOpened)}
        rowKey={({ id }) => id}
        expectedRows={5}
        answer={list}
        failureTitle="Could not get deliveries"
        place={search}
        onPlace={(place) => onSearch({ ...search, ...place })}
        empty={<EmptyState title="Nothing sent yet">Send a test to see what the receiver answers.</EmptyState>}
      />
      {open !== null && <Delivery webhook={webhook} delivery={open} onClose={() => setOpened(null)} />}
    </>
  )
}

const occasionLabel = ({ occasion }: WebhookDelivery) =>
  occasion === 'test' ? 'Test' : webhookOccasionLabels[occasion]

const columnsFor = (webhook: Webhook, open: (delivery: WebhookDelivery) => void): Column<WebhookDelivery>[] => [
  {
    key: 'occasion',
    label: 'Delivery',
    grow: 2,
    cell: (delivery) => (
      <Group gap="0 10px">
        {occasionLabel(delivery)}
        {delivery.eventId !== null && (
          <Link to="/events/$eventId" params={{ eventId: delivery.eventId }}>
            ORC-{delivery.eventId}
          </Link>
        )}
      </Group>
    ),
  },
  {
    key: 'state',
    label: 'State',
    grow: 2,
    cell: (delivery) => <DeliveryState webhook={webhook} delivery={delivery} />,
  },
  { key: 'created', label: 'When', grow: 1.2, cell: ({ createdAt }) => formatEventTime(createdAt) },
  {
    key: 'action',
    label: 'Action',
    width: 110,
    cell: (delivery) => (
      <Button
        variant="default"
        size="compact-sm"
        aria-label={`Details of ${occasionLabel(delivery)}, ${formatEventTime(delivery.createdAt)}`}
        onClick={() => open(delivery)}
      >
        Details
      </Button>
    ),
  },
]

const tones: Record<WebhookDelivery['state'], StatusTone> = {
  waiting: 'waiting',
  sent: 'good',
  parked: 'warning',
  withdrawn: 'off',
}

function DeliveryState(props: { webhook: Webhook; delivery: WebhookDelivery }) {
  const { state, attempts, nextAt } = props.delivery
  const { isOn, pausedUntil } = props.webhook
  const last = attempts.at(-1)
  const status = last?.status === undefined || last.status === null ? '' : ` (${last.status})`
  const texts: Record<WebhookDelivery['state'], string> = {
    waiting: !isOn
      ? 'Waiting, the webhook is off'
      : last === undefined || nextAt === null
        ? 'Waiting'
        : `Failed${status}, again ${formatEventTime(pausedUntil !== null && pausedUntil > nextAt ? pausedUntil : nextAt)}`,
    sent: `Sent${status}`,
    parked: `Parked${status}`,
    withdrawn: 'Withdrawn, no longer visible to you',
  }
  return <StatusMark tone={tones[state]}>{texts[state]}</StatusMark>
}

/** Request and answers of one delivery, and sending it again. */
function Delivery(props: { webhook: Webhook; delivery: WebhookDelivery; onClose: () => void }) {
  const { webhook, delivery, onClose } = props
  const resend = useResendDelivery()

  async function handleResend() {
    try {
      await resend.mutateAsync({ id: webhook.id, deliveryId: delivery.id })
      showSuccess({ title: 'Queued again' })
      onClose()
    } catch (error) {
      showFailure({ title: 'Could not send again', message: reasonOf(error) })
    }
  }

  return (
    <Dialog title={occasionLabel(delivery)} size="lg" onClose={onClose}>
      <Stack gap="md">
        <DeliveryState webhook={webhook} delivery={delivery} />
        <section aria-label="Request">
          <Text fw={600}>Request</Text>
          <Text size="xs" c="dimmed" mb={6}>
            webhook-id: {delivery.messageId}
          </Text>
          <Code block tabIndex={0} mah={260} style={{ overflow: 'auto' }}>
            {JSON.stringify(JSON.parse(delivery.body), null, 2)}
          </Code>
        </section>
        {delivery.attempts.map((attempt, index) => (
          <section key={attempt.at} aria-label={`Attempt ${index + 1}`}>
            <Text fw={600}>
              Attempt {index + 1}: {attempt.status ?? 'no answer'}
            </Text>
            <Text size="xs" c="dimmed">
              {formatEventTime(attempt.at)}, {attempt.milliseconds} ms
            </Text>
            {attempt.error !== null && <Text>{attempt.error}</Text>}
            {attempt.answer !== null && attempt.answer !== '' && (
              <Code block tabIndex={0} mt={6} mah={160} style={{ overflow: 'auto' }}>
                {attempt.answer}
              </Code>
            )}
          </section>
        ))}
        {delivery.state !== 'waiting' && (
          <Group justify="flex-end">
            <Button loading={resend.isPending} onClick={() => void handleResend()}>
              Send again
            </Button>
          </Group>
        )}
      </Stack>
    </Dialog>
  )
}
