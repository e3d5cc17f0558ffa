import type { Instrument } from '@benchwatch/contract/instruments/instruments'
import { type InstrumentStatus, instrumentStatusColours, type OrcStatus } from '@benchwatch/contract/vocabulary'
import { Text } from '@mantine/core'
import type { CSSProperties } from 'react'
import { formatClock } from '../../lib/time/dates.ts'
import { age } from '../../lib/time/duration.ts'
import { useNow } from '../../ui/time/use-now.ts'
import { ZonedTime } from '../../ui/time/zoned-time.tsx'
import styles from './instrument-status-dot.module.css'
import { isMonitored, monitoringUnavailable } from './monitoring-note.tsx'

/**
 * The current status of an instrument as a coloured dot with an accessible name; a question mark if unknown. `asOf`:
 * time of the last confirmation (epoch milliseconds). Behind a silent gateway the dot shows the last reported status
 * and is pale: silence is not a fault of the instrument.
 */
export function InstrumentStatusDot(props: {
  status: InstrumentStatus | null
  asOf?: number | null
  orcStatus?: OrcStatus
  /** Shows the status as text, too, and how long it has been lost. */
  lost?: Lost
}) {
  const { status, asOf = null, orcStatus = 'Connected', lost } = props
  const colour = status === null ? 'none' : instrumentStatusColours[status]
  const isUnmonitored = !isMonitored(orcStatus)
  const isOutdated = asOf !== null && status !== null
  const label = isUnmonitored ? monitoringUnavailable(status) : statusLabel({ status, asOf })
  const dot = (
    <span
      className={styles.dot}
      data-colour={colour}
      data-outdated={isOutdated || undefined}
      data-unmonitored={isUnmonitored || undefined}
      role="img"
      aria-label={label}
      title={label}
    >
      {colour === 'unknown' ? '?' : null}
    </span>
  )
  if (lost === undefined) return dot
  return (
    <span className={styles.named} title={label}>
      {dot}
      <span>
        {/* The dot's accessible name says it already. */}
        <span aria-hidden="true">{isUnmonitored ? 'not monitored' : status}</span>
        <Text component="span" display="block" size="xs" lh={1} c="dimmed">
          <LostFor {...lost} asOf={asOf} />
        </Text>
      </span>
    </span>
  )
}

/** Since when an instrument is disconnected, not monitored or `Unknown`. */
type Lost = Pick<Instrument, 'unknownAt' | 'instrumentTimeZone'>

/**
 * How long the connection has been lost or the status unknown; nothing for an instrument that reports. The clock stops
 * at `asOf` (epoch milliseconds) if the status is outdated, because the instrument may be back since.
 */
export function LostFor({ unknownAt, instrumentTimeZone, asOf }: Lost & { asOf: number | null }) {
  const now = useNow()
  if (unknownAt === null) return null
  return (
    <ZonedTime at={unknownAt} siteZone={instrumentTimeZone}>
      {age(unknownAt, asOf ?? now)}
    </ZonedTime>
  )
}

function statusLabel({ status, asOf }: { status: InstrumentStatus | null; asOf: number | null }): string {
  if (status === null) return 'No instrument status'
  const name = `Instrument status: ${status}`
  return asOf === null ? name : `${name}, as of ${formatClock(new Date(asOf).toISOString())}`
}

/** An area in the colour and pattern of a status. The caller sets its place and shape. */
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

/** A small sample of a status, shown beside its label. */
export function StatusSwatch({ status }: { status: InstrumentStatus }) {
  return <StatusFill status={status} className={styles.swatch} />
}

/** The colours and patterns of the statuses in a picture, in order of first appearance. */
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
