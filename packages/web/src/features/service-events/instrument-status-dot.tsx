import { type InstrumentStatus, instrumentStatusColours } from '@benchwatch/contract/vocabulary'
import styles from './instrument-status-dot.module.css'

/** The instrument's status now: a coloured dot with the status as its name; an unknown one is a question mark. */
export function InstrumentStatusDot({ status }: { status: InstrumentStatus | null }) {
  const colour = status === null ? 'none' : instrumentStatusColours[status]
  const name = status === null ? 'No instrument status' : `Instrument status: ${status}`
  return (
    <span className={styles.dot} data-colour={colour} role="img" aria-label={name} title={name}>
      {colour === 'unknown' ? '?' : null}
    </span>
  )
}
