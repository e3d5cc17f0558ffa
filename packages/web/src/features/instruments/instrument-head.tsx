import type { Instrument } from '@benchwatch/contract/instruments'
import { IconRosetteDiscountCheck } from '@tabler/icons-react'
import { InstrumentStatusDot } from '../connections/instrument-status-dot.tsx'
import styles from './instrument-head.module.css'

/** What an instrument does, before its name. `asOf`: it could not be confirmed since then (epoch milliseconds). */
export function StatusMark({ instrument, asOf }: { instrument: Instrument; asOf: number | null }) {
  const { instrumentStatus } = instrument
  return (
    <span className={styles.status} data-outdated={asOf !== null || undefined}>
      <InstrumentStatusDot status={instrumentStatus} asOf={asOf} />
      {/* The dot's name says it already. */}
      <span aria-hidden="true">{instrumentStatus}</span>
    </span>
  )
}

export function QualifiedBadge() {
  return (
    <span className={styles.qualified} title="Qualified system: changes to it are controlled and documented">
      <IconRosetteDiscountCheck size={15} stroke={1.7} aria-hidden="true" />
      Qualified
    </span>
  )
}
