import { type InstrumentStatus, instrumentStatusColours } from '@benchwatch/contract/vocabulary'
import type { CSSProperties } from 'react'
import styles from './status-fill.module.css'

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
