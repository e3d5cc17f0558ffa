import type { EventSurroundings } from '@benchwatch/contract/event-details'
import type { ServiceEvent } from '@benchwatch/contract/service-events'
import { useQuery } from '@tanstack/react-query'
import { Card } from '../../ui/card.tsx'
import { RetryLine } from '../../ui/retry-line.tsx'
import { SkeletonLine } from '../../ui/skeleton.tsx'
import { surroundingsQuery } from './around-event.api.ts'
import styles from './around-event.module.css'
import { AroundEventAxis } from './around-event-axis.tsx'
import { AroundEventList } from './around-event-list.tsx'

/**
 * The card 'Around the event': what the instrument did and reported from six hours before the event to six hours after
 * it, or to now. An edge issue has no instrument, so there the other issues of its gateway stand alone.
 */
export function AroundEvent({ event }: { event: ServiceEvent }) {
  const around = useQuery(surroundingsQuery(event))
  const surroundings = around.data
  return (
    <Card title="Around the event">
      <div className={styles.body}>
        {surroundings !== undefined ? (
          <>
            <AroundEventAxis event={event} surroundings={surroundings} />
            <Remark event={event} surroundings={surroundings} />
            <AroundEventList event={event} surroundings={surroundings} />
          </>
        ) : around.isPending ? (
          <div role="status" aria-label="Loading what happened around the event…" className={styles.bones}>
            {['78%', '100%', '56%'].map((width) => (
              <SkeletonLine key={width} width={width} />
            ))}
          </div>
        ) : (
          <RetryLine onRetry={() => void around.refetch()}>Could not get what happened around the event.</RetryLine>
        )}
      </div>
    </Card>
  )
}

/** What the picture alone would leave open. */
function Remark({ event, surroundings }: { event: ServiceEvent; surroundings: EventSurroundings }) {
  const { statuses, values, total } = surroundings
  const isAlone = total.events === 1
  const remarks = [
    event.isEdgeIssue && 'An edge issue is about the gateway, which has no status.',
    event.isEdgeIssue && !isAlone && 'These are all of its issues.',
    event.isEdgeIssue && isAlone && 'It had no other issue within six hours.',
    !event.isEdgeIssue && statuses.length === 0 && 'No status of the instrument is known for this time.',
    !event.isEdgeIssue && isAlone && 'No other events within six hours.',
    total.events > values.length && `The ${values.length} nearest of ${total.events} events are shown.`,
  ].filter((remark) => remark !== false)
  return remarks.length === 0 ? null : <p className={styles.remark}>{remarks.join(' ')}</p>
}
