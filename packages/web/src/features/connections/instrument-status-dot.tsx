import { type InstrumentStatus, instrumentStatusColours, type OrcStatus } from '@benchwatch/contract/vocabulary'
import type { CSSProperties } from 'react'
import { formatClock } from '../../lib/time/dates.ts'
import styles from './instrument-status-dot.module.css'
import { isMonitored, monitoringUnavailable } from './monitoring-note.tsx'

/**
 * The instrument's status now: a coloured dot with the status as its name; an unknown one is a question mark. `asOf`: it
 * could not be confirmed since then (epoch milliseconds). Behind a silent gateway it is what was told last, and pale:
 * nothing says that the instrument is in trouble.
 */
export function InstrumentStatusDot(props: {
  status: InstrumentStatus | null
  asOf?: number | null
  orcStatus?: OrcStatus
}) {
  const { status, asOf = null, orcStatus = 'Connected' } = props
  const colour = status === null ? 'none' : instrumentStatusColours[status]
  const isUnmonitored = !isMonitored(orcStatus)
  const isOutdated = asOf !== null && status !== null
  const words = isUnmonitored ? monitoringUnavailable(status) : told({ status, asOf })
  return (
    <span
      className={styles.dot}
      data-colour={colour}
      data-outdated={isOutdated || undefined}
      data-unmonitored={isUnmonitored || undefined}
      role="img"
      aria-label={words}
      title={words}
    >
      {colour === 'unknown' ? '?' : null}
    </span>
  )
}

function told({ status, asOf }: { status: InstrumentStatus | null; asOf: number | null }): string {
  if (status === null) return 'No instrument status'
  const name = `Instrument status: ${status}`
  return asOf === null ? name : `${name}, as of ${formatClock(new Date(asOf).toISOString())}`
}

/** An area in the colour and the pattern of a status; its place and its form are the caller's. */
export function StatusFill(props: { status: InstrumentStatus; className?: string | undefined; style?: CSSProperties }) {
  const names = [styles.fill, props.className].filter(Boolean).join(' ')
  return (
    <span
      className={names}
      data-colour={instrumentStatusColours[props.status]}
      style={props.style}
      aria-hidden="true"
    />
  )
}

/** A small sample of a status, beside its word. */
export function StatusSwatch({ status }: { status: InstrumentStatus }) {
  return <StatusFill status={status} className={styles.swatch} />
}

/** The statuses of a picture by colour and pattern, in the order in which they first come. */
export function StatusLegend({ statuses }: { statuses: Iterable<InstrumentStatus> }) {
  const byColour = Map.groupBy(new Set(statuses), (status) => instrumentStatusColours[status])
  if (byColour.size === 0) return null
  return (
    <ul className={styles.legend} aria-label="Statuses">
      {[...byColour].map(([colour, alike]) => (
        <li key={colour}>
          {alike[0] !== undefined && <StatusSwatch status={alike[0]} />}
          {alike.join(', ')}
        </li>
      ))}
    </ul>
  )
}
