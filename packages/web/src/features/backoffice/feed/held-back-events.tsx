import type { HeldBackEvent } from '@benchwatch/contract/administration/backoffice'
import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { reasonOf } from '../../../lib/folded.ts'
import type { ListPlace } from '../../../lib/list/list-address.ts'
import { eventName } from '../../../lib/screen-name.ts'
import { formatEventTime } from '../../../lib/time/dates.ts'
import type { Column } from '../../../ui/list/list-columns.ts'
import { showFailure, showSuccess } from '../../../ui/overlay/toasts.ts'
import { TwoLines } from '../../../ui/text/fact.tsx'
import { EmptyState } from '../../../ui/text/notice.tsx'
import { SeverityBadge } from '../../events/status/severity-badge.tsx'
import { heldBackEventsQuery, useReleaseHeldBackEvent } from '../backoffice.api.ts'
import { WaitingList } from './waiting-list.tsx'

/** Lists events that were not created because the instrument had no running contract. Each can be created here. */
export function HeldBackEvents() {
  const [state, setState] = useState<'open' | 'released'>('open')
  const [place, setPlace] = useState<ListPlace>({ page: 1, pageSize: 25 })
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

  const columns: Column<HeldBackEvent>[] = [
    {
      key: 'instrument',
      label: 'Instrument',
      grow: 1.3,
      cell: ({ instrumentInstalledProductId, customer }) => (
        <TwoLines second={<bdi>{customer}</bdi>}>
          <Link to="/instruments/$instrumentId" params={{ instrumentId: instrumentInstalledProductId }}>
            {instrumentInstalledProductId}
          </Link>
        </TwoLines>
      ),
    },
    {
      key: 'severity',
      label: 'Severity',
      width: 74,
      cell: ({ severity }) => <SeverityBadge severity={severity} />,
    },
    {
      key: 'error',
      label: 'Event',
      grow: 2.2,
      cell: ({ templateId, componentName, description }) => (
        <TwoLines second={`${templateId} · ${componentName}`}>{description ?? 'No description'}</TwoLines>
      ),
    },
    {
      key: 'raised',
      label: 'Raised',
      grow: 1.2,
      cell: ({ raisedAt, raises }) => (
        <TwoLines second={raises > 1 && `${raises.toLocaleString('en')} times in total`}>
          {formatEventTime(raisedAt)}
        </TwoLines>
      ),
    },
    { key: 'held', label: 'Waiting since', grow: 1.1, cell: ({ heldBackAt }) => formatEventTime(heldBackAt) },
    {
      key: 'action',
      label: state === 'open' ? 'Action' : 'Created event',
      width: 138,
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
      label="Held-back events"
      columns={columns}
      rowKey={({ id }) => id}
      states={[
        { value: 'open', label: 'Waiting' },
        { value: 'released', label: 'Created' },
      ]}
      state={state}
      onState={setState}
      place={place}
      onPlace={setPlace}
      answer={events}
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
    />
  )
}
