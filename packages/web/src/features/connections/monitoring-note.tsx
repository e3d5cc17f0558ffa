import type { InstrumentStatus, OrcStatus } from '@benchwatch/contract/vocabulary'
import { isMonitored, monitoringUnavailable } from './monitoring.ts'
import styles from './monitoring-note.module.css'

/** Beside the ORC status of an instrument whose gateway is silent: it is not seen, and that is all that is known. */
export function MonitoringNote(props: { orcStatus: OrcStatus; status: InstrumentStatus }) {
  if (isMonitored(props.orcStatus)) return null
  return <div className={styles.note}>{monitoringUnavailable(props.status)}</div>
}
