import type { InstrumentStatus, OrcStatus } from '@benchwatch/contract/vocabulary'
import styles from './monitoring-note.module.css'

/** Beside the ORC status of an instrument whose gateway is silent: it is not seen, and that is all that is known. */
export function MonitoringNote(props: { orcStatus: OrcStatus; status: InstrumentStatus }) {
  if (isMonitored(props.orcStatus)) return null
  return <div className={styles.note}>{monitoringUnavailable(props.status)}</div>
}

/** Whether anything is heard of an instrument: behind a silent gateway nothing is, which is no trouble of its own. */
export function isMonitored(orcStatus: OrcStatus): boolean {
  return orcStatus !== 'Edge Issue'
}

/** Whether the connection is lost: nothing new is heard of the instrument, whichever link of it broke. */
export function isLost(orcStatus: OrcStatus): boolean {
  return orcStatus === 'Edge Issue' || orcStatus === 'Disconnected'
}

/** What is said of an instrument of which nothing is heard, with what it told last. */
export function monitoringUnavailable(status: InstrumentStatus | null): string {
  return status === null || status === 'Unknown'
    ? 'Monitoring unavailable'
    : `Monitoring unavailable, last status: ${status}`
}
