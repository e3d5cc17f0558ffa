import type { EventSurroundings } from '@benchwatch/contract/event-details'
import type { ServiceEvent } from '@benchwatch/contract/events'
import { severityLabels } from '@benchwatch/contract/vocabulary'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { call } from '../../../lib/http.ts'
import { eventName } from '../../../lib/screen-name.ts'
import { formatTooltipTime } from '../../../lib/time/dates.ts'
import { AsList } from '../../../ui/charts/chart-reader.tsx'
import { Card } from '../../../ui/layout/card.tsx'
import { RetryLine } from '../../../ui/text/notice.tsx'
import { SkeletonLine } from '../../../ui/text/skeleton.tsx'
import { StatusSwatch } from '../../connections/instrument-status-dot.tsx'
import { keepNewer } from '../event-cache.ts'
import { serviceEventKeys } from '../events.api.ts'
import { SeverityShape } from '../severity-badge.tsx'
import styles from './around-event.module.css'
import { AroundEventAxis } from './around-event-axis.tsx'
import { clockBeside, isStillGrowing, lasted, statusStretches } from './event-axis.ts'

/** Poll interval until six hours after the event. Live messages of the instrument usually arrive sooner. */
const REFRESH_MS = 60_000

/**
 * Shows the card 'Around the event': what the instrument did and reported from six hours before the event to six hours
 * after it, or to now. An edge issue has no instrument, so its card shows only the other issues of its gateway.
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
          <div role="status" aria-label="Loading the activity around this event…" className={styles.bones}>
            {['78%', '100%', '56%'].map((width) => (
              <SkeletonLine key={width} width={width} />
            ))}
          </div>
        ) : (
          <RetryLine onRetry={() => void around.refetch()}>Could not get the activity around this event.</RetryLine>
        )}
      </div>
    </Card>
  )
}

/** Says what the chart alone does not show. */
function Remark({ event, surroundings }: { event: ServiceEvent; surroundings: EventSurroundings }) {
  const { statuses, values, total } = surroundings
  const isAlone = total.events === 1
  const remarks = [
    event.isEdgeIssue && 'An edge issue concerns the gateway, which has no status.',
    event.isEdgeIssue && !isAlone && 'Only its own issues are shown.',
    event.isEdgeIssue && isAlone && 'It had no other issues within six hours.',
    !event.isEdgeIssue && statuses.length === 0 && 'No instrument status is known for this period.',
    !event.isEdgeIssue && isAlone && 'No other events within six hours.',
    total.events > values.length && `Showing the nearest ${values.length} of ${total.events} events.`,
  ].filter((remark) => remark !== false)
  return remarks.length === 0 ? null : <p className={styles.remark}>{remarks.join(' ')}</p>
}

/** Reads what happened at the instrument within six hours of this event. Polling stops when the six hours are over. */
function surroundingsQuery({
  id,
  instrumentInstalledProductId,
}: Pick<ServiceEvent, 'id' | 'instrumentInstalledProductId'>) {
  return queryOptions({
    queryKey: serviceEventKeys.around(instrumentInstalledProductId, id),
    queryFn: async ({ client, queryKey, signal }) =>
      keepNewer(
        await call('getEventSurroundings', { params: { id }, signal }),
        client.getQueryData<EventSurroundings>(queryKey),
      ),
    enabled: ({ state }) => state.data === undefined || isStillGrowing(state.data),
    refetchInterval: REFRESH_MS,
  })
}

/** Shows the same data as a list, oldest first, for screen readers and for users who prefer text. Closed by default. */
function AroundEventList({ event, surroundings }: { event: ServiceEvent; surroundings: EventSurroundings }) {
  const eventAt = Date.parse(event.logGeneratedAt)
  const stop = Date.parse(surroundings.stop)
  const entries = [
    ...statusStretches(surroundings).map((stretch) => ({ at: stretch.from, stretch, alarm: null })),
    ...surroundings.values.map(({ alarm }) => ({ at: Date.parse(alarm.logGeneratedAt), alarm, stretch: null })),
  ].sort((a, b) => a.at - b.at)
  return (
    <AsList>
      <ol className={styles.words}>
        {entries.map(({ at, stretch, alarm }) => (
          <li key={`${at} ${stretch?.status ?? alarm?.id}`}>
            <time dateTime={new Date(at).toISOString()} title={formatTooltipTime(at)}>
              {clockBeside(at, eventAt)}
            </time>
            {stretch !== null && (
              <>
                <StatusSwatch status={stretch.status} />
                <span className={styles.description}>
                  {stretch.status}{' '}
                  <span className={styles.quiet}>for {lasted((stretch.to ?? stop) - stretch.from)}</span>
                </span>
              </>
            )}
            {alarm !== null && (
              <>
                <span
                  className={styles.listShape}
                  data-severity={alarm.severity}
                  role="img"
                  aria-label={severityLabels[alarm.severity]}
                >
                  <SeverityShape severity={alarm.severity} size={9} />
                </span>
                <span className={styles.description} dir="auto" title={alarm.description}>
                  {alarm.id === event.id ? (
                    <strong>This event</strong>
                  ) : (
                    <Link to="/events/$eventId" params={{ eventId: alarm.eventId }}>
                      {eventName(alarm)}
                    </Link>
                  )}{' '}
                  {alarm.description}
                </span>
              </>
            )}
          </li>
        ))}
      </ol>
    </AsList>
  )
}
