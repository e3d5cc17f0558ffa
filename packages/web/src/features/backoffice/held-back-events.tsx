import type { HeldBackEvent } from '@benchwatch/contract/backoffice'
import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { reasonOf } from '../../lib/folded.ts'
import { eventName } from '../../lib/screen-name.ts'
import { formatEventTime } from '../../lib/time/dates.ts'
import { DataTable, type TableColumn } from '../../ui/list/data-table.tsx'
import { showFailure, showSuccess } from '../../ui/overlay/toasts.ts'
import { EmptyState } from '../../ui/text/notice.tsx'
import { heldBackEventsQuery, useReleaseHeldBackEvent } from './backoffice.api.ts'
import { TwoLines, WaitingList } from './waiting-list.tsx'

/** Lists events that were not created because the instrument had no running contract. Each can be created here. */
export function HeldBackEvents() {
  const [state, setState] = useState<'open' | 'released'>('open')
  const [place, setPlace] = useState({ page: 1, pageSize: 25 })
  const events = useQuery(heldBackEventsQuery({ ...place, state }))
  const release = useReleaseHeldBackEvent()

  async function handleRelease({ id, instrumentInstalledProductId }: HeldBackEvent) {
    try {
      const event = await release.mutateAsync(id)
      showSuccess({ title: `${eventName(event)} created`, message: `For ${instrumentInstalledProductId}.` })
    } catch (error) {
      showFailure({
        title: `Could not create the event for ${instrumentInstalledProductId}`,
        message: reasonOf(error),
      })
    }
  }

  const columns: TableColumn<HeldBackEvent>[] = [
    {
      key: 'instrument',
      label: 'Instrument',
      width: '1.3fr',
      cell: ({ instrumentInstalledProductId, customer }) => (
        <TwoLines second={<bdi>{customer}</bdi>}>
          <strong>{instrumentInstalledProductId}</strong>
        </TwoLines>
      ),
    },
    {
      key: 'error',
      label: 'Event',
      width: '2.2fr',
      cell: ({ templateId, componentName, description }) => (
        <TwoLines second={`${templateId} · ${componentName}`}>{description ?? 'No description'}</TwoLines>
      ),
    },
    {
      key: 'raised',
      label: 'Raised',
      width: '1.2fr',
      cell: ({ raisedAt, raises }) => (
        <TwoLines second={raises > 1 && `${raises.toLocaleString('en')} times in total`}>
          {formatEventTime(raisedAt)}
        </TwoLines>
      ),
    },
    { key: 'held', label: 'Waiting since', width: '1.1fr', cell: ({ heldBackAt }) => formatEventTime(heldBackAt) },
    {
      key: 'action',
      label: state === 'open' ? 'Action' : 'Created event',
      width: '138px',
      cell: (event) =>
        event.eventId === null ? (
          <Button
            variant="default"
            size="compact-sm"
            loading={release.isPending && release.variables === event.id}
            aria-label={`Create the event for ${event.instrumentInstalledProductId}, ${event.templateId}`}
            onClick={() => void handleRelease(event)}
          >
            Create event
          </Button>
        ) : (
          <Link to="/events/$eventId" params={{ eventId: event.eventId }}>
            {eventName({ eventId: event.eventId })}
          </Link>
        ),
    },
  ]

  return (
    <WaitingList
      label="State of held-back events"
      states={[
        { value: 'open', label: 'Waiting' },
        { value: 'released', label: 'Created' },
      ]}
      state={state}
      onState={(chosen) => {
        setState(chosen)
        setPlace((known) => ({ ...known, page: 1 }))
      }}
      place={place}
      onPlace={setPlace}
      list={events}
      failureTitle="Could not get held-back events"
      empty={
        state === 'open' ? (
          <EmptyState title="No held-back events">
            While the flag CREATE_EVENTS_WITH_CONTRACT_ONLY is on, events of instruments without a running contract
            appear here.
          </EmptyState>
        ) : (
          <EmptyState title="No events created yet" />
        )
      }
    >
      <DataTable
        label="Held-back events"
        columns={columns}
        rows={events.data?.values}
        rowKey={({ id }) => id}
        isStale={events.isPlaceholderData}
        expectedRows={4}
      />
    </WaitingList>
  )
}
