import type { InstrumentStatus, OrcStatus } from '@benchwatch/contract/vocabulary'
import styles from './monitoring-note.module.css'

/**
 * A note beside the ORC status of an instrument: behind a silent gateway its status is unknown, nothing more; behind one
 * that does not reach it, the reason that the gateway reports.
 */
export function MonitoringNote({
  orcStatus,
  status,
  reason,
}: {
  orcStatus: OrcStatus
  status: InstrumentStatus
  reason: string | null
}) {
  const note = isMonitored(orcStatus) ? orcStatus === 'Disconnected' && reason : monitoringUnavailable(status)
  return note ? <div className={styles.note}>{note}</div> : null
}

/**
 * Returns true if the instrument reports. An instrument behind a silent gateway does not, which is not a fault of its
 * own.
 */
export function isMonitored(orcStatus: OrcStatus): boolean {
  return orcStatus !== 'Edge Issue'
}

/** Returns true if the connection is lost, at whichever link. */
export function isLost(orcStatus: OrcStatus): boolean {
  return orcStatus === 'Edge Issue' || orcStatus === 'Disconnected'
}

/** Returns the note for an instrument that does not report, with its last reported status. */
export function monitoringUnavailable(status: InstrumentStatus | null): string {
  return status === null || status === 'Unknown'
    ? 'Monitoring unavailable'
    : `Monitoring unavailable, last status: ${status}`
}
