import { type InstrumentStatus, instrumentStatusColours } from '@benchwatch/contract/vocabulary'
import { formatClock } from '../../lib/dates.ts'
import styles from './instrument-status-dot.module.css'

/**
 * The instrument's status now: a coloured dot with the status as its name; an unknown one is a question mark. `asOf`: it
 * could not be confirmed since then (epoch milliseconds).
 */
export function InstrumentStatusDot(props: { status: InstrumentStatus | null; asOf?: number | null }) {
  const { status, asOf = null } = props
  const colour = status === null ? 'none' : instrumentStatusColours[status]
  const name = status === null ? 'No instrument status' : `Instrument status: ${status}`
  const isOutdated = asOf !== null && status !== null
  const words = isOutdated ? `${name}, as of ${formatClock(new Date(asOf).toISOString())}` : name
  return (
    <span
      className={styles.dot}
      data-colour={colour}
      data-outdated={isOutdated || undefined}
      role="img"
      aria-label={words}
      title={words}
    >
      {colour === 'unknown' ? '?' : null}
    </span>
  )
}
