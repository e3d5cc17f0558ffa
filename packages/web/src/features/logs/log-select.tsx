import { useQuery } from '@tanstack/react-query'
import { NativeSelect } from '../../ui/native-select.tsx'
import { type LogChoice, writeLog } from './compare-address.ts'
import { logLabel } from './log-labels.ts'
import styles from './log-select.module.css'
import { availableLogsQuery } from './logs.api.ts'

/** The logs of an instrument to go to from one of them. */
export function LogSelect(props: { installedProductId: string; log: LogChoice; onChange: (log: LogChoice) => void }) {
  const { data } = useQuery(availableLogsQuery(props.installedProductId))
  const known = data?.values ?? []
  const shown = writeLog(props.log)
  // An address may name a log that has no lines yet.
  const logs = known.some((log) => writeLog(log) === shown) ? known : [props.log, ...known]
  return (
    <NativeSelect
      className={styles.select}
      aria-label="Log"
      value={shown}
      onChange={({ currentTarget }) => {
        const log = logs.find((other) => writeLog(other) === currentTarget.value)
        if (log !== undefined) props.onChange(log)
      }}
    >
      {logs.map((log) => (
        <option key={writeLog(log)} value={writeLog(log)}>
          {logLabel(log)}
        </option>
      ))}
    </NativeSelect>
  )
}
