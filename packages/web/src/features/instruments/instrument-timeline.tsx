import type { InstrumentTimeline as Timeline } from '@benchwatch/contract/instrument-timeline'
import type { Instrument } from '@benchwatch/contract/instruments'
import { useQuery } from '@tanstack/react-query'
import { formatInstrumentDate } from '../../lib/dates.ts'
import { Card } from '../../ui/card.tsx'
import { RetryLine } from '../../ui/retry-line.tsx'
import { useNow } from '../../ui/use-now.ts'
import styles from './instrument-timeline.module.css'
import { instrumentTimelineQuery } from './instruments.api.ts'
import { TimelineControls } from './timeline-controls.tsx'
import { TimelineList } from './timeline-list.tsx'
import { TimelinePlot } from './timeline-plot.tsx'
import type { Span } from './timeline-span.ts'
import { useTimelineSpan } from './use-timeline-span.ts'

/**
 * What happened to an instrument, on one axis of time: maintenance, connection, status, events and run time. It is zoomed
 * and moved by buttons, pointer, wheel and keys; the address holds the span.
 */
export function InstrumentTimeline({ instrument }: { instrument: Pick<Instrument, 'id' | 'instrumentTimeZone'> }) {
  const now = useNow()
  const { chosen, span, settled, choose, move } = useTimelineSpan(now)
  const query = useQuery(instrumentTimelineQuery(instrument.id, isoSpan(settled)))
  const timeline = query.data
  const isStale = query.isPlaceholderData || span !== settled

  return (
    <Card title="Time line" end={<TimelineControls chosen={chosen} span={span} now={now} onChoose={choose} />}>
      <div className={styles.body} aria-busy={query.isFetching}>
        {timeline === undefined && query.isError ? (
          <RetryLine onRetry={() => void query.refetch()}>Could not get what happened to the instrument.</RetryLine>
        ) : (
          <>
            <TimelinePlot
              timeline={timeline}
              span={span}
              now={now}
              siteZone={instrument.instrumentTimeZone}
              isStale={isStale}
              onMark={choose}
              onMove={move}
            />
            {timeline !== undefined && (
              <>
                {query.isError && (
                  <RetryLine onRetry={() => void query.refetch()}>
                    Could not get this part of the time line. What is shown was read before.
                  </RetryLine>
                )}
                <Remarks timeline={timeline} span={settled} isStale={isStale} />
                <TimelineList timeline={timeline} />
              </>
            )}
          </>
        )}
      </div>
    </Card>
  )
}

/** A start that is so much later than was asked for was moved by the server, not by rounding. */
const ROUNDING_MS = 1000

/** What the picture leaves out. */
function Remarks(props: { timeline: Timeline; span: Span; isStale: boolean }) {
  const { timeline, span, isStale } = props
  if (isStale) return null
  const { events, total, statusesCut, start } = timeline
  const remarks = [
    total.events > events.length &&
      `The newest ${events.length.toLocaleString('en')} of ${total.events.toLocaleString('en')} events are shown.`,
    statusesCut && 'Earlier statuses of this time are left out. Zoom in to see them.',
    Date.parse(start) - span.from > ROUNDING_MS &&
      `Nothing is shown from before ${formatInstrumentDate(start)}, when the instrument came to its customer.`,
  ].filter((remark) => remark !== false)
  return remarks.length === 0 ? null : <p className={styles.remark}>{remarks.join(' ')}</p>
}

function isoSpan({ from, to }: Span): { start: string; stop: string } {
  return { start: new Date(from).toISOString(), stop: new Date(to).toISOString() }
}
