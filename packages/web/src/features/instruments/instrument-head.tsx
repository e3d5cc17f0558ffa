import type { Instrument } from '@benchwatch/contract/instruments'
import { IconRosetteDiscountCheck } from '@tabler/icons-react'
import { InstrumentStatusDot } from '../connections/instrument-status-dot.tsx'
import { isMonitored, monitoringUnavailable } from '../connections/monitoring.ts'
import styles from './instrument-head.module.css'

/** What an instrument does, before its name. `asOf`: it could not be confirmed since then (epoch milliseconds). */
export function StatusMark({ instrument, asOf }: { instrument: Instrument; asOf: number | null }) {
  const { instrumentStatus, orcStatus } = instrument
  const isSeen = isMonitored(orcStatus)
  return (
    <span className={styles.status} data-outdated={asOf !== null || !isSeen || undefined}>
      <InstrumentStatusDot status={instrumentStatus} asOf={asOf} orcStatus={orcStatus} />
      {/* The dot's name says it already. */}
      <span aria-hidden="true">{isSeen ? instrumentStatus : monitoringUnavailable(instrumentStatus)}</span>
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
