import { Navigate, useNavigate, useParams } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { DeleteMenu } from '../features/backoffice/deletions.tsx'
import { EventDetails } from '../features/events/details/event-details.tsx'
import { eventAddress } from '../features/events/events.search.ts'
import { useViewer } from '../features/events/owner/use-viewer.ts'
import { EventNotificationsCard } from '../features/notifications/event-notifications-card.tsx'
import { lastListAddress } from '../lib/list/list-memory.ts'
import { rememberOpened } from '../ui/list/list-frame.tsx'

/** /events/{eventId}: one event, its id without ORC-. Closing returns to the list as it was left. */
export function EventDetailsScreen() {
  const { eventId = '' } = useParams({ strict: false })
  const viewer = useViewer()
  const navigate = useNavigate()
  const [listAddress] = useState(() => lastListAddress(eventAddress))
  useEffect(() => rememberOpened(eventAddress.area, eventId), [eventId])
  if (/^ORC-/i.test(eventId))
    return <Navigate to="/events/$eventId" params={{ eventId: eventId.slice('ORC-'.length) }} search replace />
  return (
    <EventDetails
      key={eventId}
      eventId={eventId}
      viewer={viewer}
      listAddress={listAddress}
      sideCard={(event) => <EventNotificationsCard event={event} />}
      more={(event) => (
        <DeleteMenu
          kind="event"
          of={event}
          onDone={() => void navigate({ to: '/events', search: listAddress as never, replace: true })}
        />
      )}
    />
  )
}
