import { Button } from '@mantine/core'
import type { LogChoice } from './compare-address.ts'
import type { Side } from './compare-clock.ts'
import styles from './compare-picking.module.css'
import type { PlacedLine } from './compare-stream.ts'
import { logLabel } from './log-labels.ts'
import { formatLineTime } from './log-time.ts'

/** Says what to do while two lines of the same moment are chosen. */
export function ComparePicking(props: {
  picked: PlacedLine | null
  logs: Readonly<Record<Side, LogChoice | null>>
  onCancel: () => void
}) {
  const { picked, logs } = props
  const other = picked === null ? null : logs[picked.side === 'first' ? 'second' : 'first']
  const own = picked === null ? null : logs[picked.side]
  return (
    <div className={styles.picking} role="status">
      <p>
        {picked === null || other === null || own === null
          ? 'Align: choose the time of a line on either side. Both lines tell of the same moment.'
          : `${logLabel(own)} ${formatLineTime(picked.at)} is chosen. Now choose the line of the same moment in ${logLabel(other)}.`}
      </p>
      <Button variant="default" size="compact-sm" onClick={props.onCancel}>
        Cancel
      </Button>
    </div>
  )
}
