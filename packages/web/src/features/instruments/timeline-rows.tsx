import type { InstrumentTimeline } from '@benchwatch/contract/instrument-timeline'
import type { InstrumentStatus, OrcStatus } from '@benchwatch/contract/vocabulary'
import { isLost } from '../connections/monitoring.ts'
import { StatusFill } from '../connections/status-fill.tsx'
import { type Placed, placed, type RuntimeDay } from './timeline-lanes.ts'
import { windowWords } from './timeline-moment.ts'
import styles from './timeline-plot.module.css'
import type { Span } from './timeline-span.ts'

/**
 * The lanes without anything to press. They are pictures: the cross-hair and the list tell in words what they show.
 */

const place = ({ left, width }: Placed) => ({ left: `${left}%`, width: `${width}%` })

/** Windows that were, are and are to come. */
export function MaintenanceLane(props: { windows: InstrumentTimeline['maintenances']; span: Span; now: number }) {
  const { windows, span, now } = props
  return (
    <div className={styles.maintenance} aria-hidden="true">
      {windows.map((window) => {
        const from = Date.parse(window.start)
        // One without an end goes on until somebody ends it; how long that takes is not known.
        const shown = placed({ from, to: window.end === null ? Math.max(now, from) : Date.parse(window.end) }, span)
        if (shown === null) return null
        return (
          <span
            key={`${window.id} ${window.start}`}
            className={styles.window}
            style={place(shown)}
            data-open={window.end === null || undefined}
            title={windowWords(window)}
          >
            <bdi>{window.reason}</bdi>
          </span>
        )
      })}
    </div>
  )
}

/** A line while it is connected, hatched where the connection was lost. */
export function ConnectionLane({ stretches }: { stretches: readonly (Placed & { value: OrcStatus })[] }) {
  return (
    <div className={styles.connection} aria-hidden="true">
      {stretches.map((stretch) => (
        <span key={stretch.left} className={styles.connected} style={place(stretch)} data-orc={stretch.value} />
      ))}
    </div>
  )
}

/** Statuses; paler where the connection was lost, because there they are only what was told last. */
export function StatusLane(props: {
  stretches: readonly (Placed & { value: InstrumentStatus })[]
  connections: readonly (Placed & { value: OrcStatus })[]
}) {
  const { stretches, connections } = props
  return (
    <div className={styles.status} aria-hidden="true">
      {stretches.map((stretch) => (
        <StatusFill key={stretch.left} status={stretch.value} className={styles.stretch} style={place(stretch)} />
      ))}
      {connections
        .filter(({ value }) => isLost(value))
        .map((stretch) => (
          <span key={stretch.left} className={styles.veil} style={place(stretch)} />
        ))}
    </div>
  )
}

/** A bar for each day with data, of the 24 hours that the lane is high. Where there is none the hatched ground is seen. */
export function RuntimeLane({ days, span, now }: { days: readonly RuntimeDay[]; span: Span; now: number }) {
  const past = placed({ from: span.from, to: now }, span)
  return (
    <div className={styles.runtime} aria-hidden="true">
      {past !== null && <span className={styles.noData} style={place(past)} />}
      {days.map((day) => {
        const shown = placed({ from: day.from, to: Math.min(day.to, Math.max(now, day.from)) }, span)
        if (shown === null) return null
        const hours = day.seconds / 3600
        return (
          <span key={day.day} className={styles.day} style={place(shown)}>
            <span style={{ height: `${Math.min(100, (hours / 24) * 100)}%` }} />
          </span>
        )
      })}
    </div>
  )
}
