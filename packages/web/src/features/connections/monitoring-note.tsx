import type { InstrumentStatus, OrcStatus } from '@benchwatch/contract/vocabulary'
import styles from './monitoring-note.module.css'

/** A note beside the ORC status of an instrument behind a silent gateway: its status is unknown, nothing more. */
export function MonitoringNote(props: { orcStatus: OrcStatus; status: InstrumentStatus }) {
  if (isMonitored(props.orcStatus)) return null
  return <div className={styles.note}>{monitoringUnavailable(props.status)}</div>
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
