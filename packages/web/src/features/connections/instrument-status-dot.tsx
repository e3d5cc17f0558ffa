import { type InstrumentStatus, instrumentStatusColours, type OrcStatus } from '@benchwatch/contract/vocabulary'
import { formatClock } from '../../lib/dates.ts'
import styles from './instrument-status-dot.module.css'
import { isMonitored, monitoringUnavailable } from './monitoring.ts'

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
