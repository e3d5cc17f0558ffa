import { ActionIcon } from '@mantine/core'
import { IconArrowsLeftRight } from '@tabler/icons-react'
import { NativeSelect } from '../../../ui/form/native-select.tsx'
import { RetryLine } from '../../../ui/text/notice.tsx'
import { logLabel } from '../log-labels.ts'
import { type LogChoice, pairProblem, readLog, sameLog, writeLog } from './compare-address.ts'
import { clockDifferenceLabel, type Side } from './compare-clock.ts'
import styles from './compare-head.module.css'

export interface HeadSide {
  log: LogChoice | null
  /** How many ms its clock is ahead; 0 if it is not corrected. */
  ahead: number
  /** `12 matches`; null without a search. */
  matches: string | null
  /** Reads the log or its search again; null unless that failed. */
  onRetry: (() => void) | null
  isEmpty: boolean
}

/** Heads of both columns: each selects its log and shows the clock correction and the number of matches. */
export function CompareHead(props: {
  sides: Readonly<Record<Side, HeadSide>>
  logs: readonly LogChoice[]
  onChoose: (side: Side, log: LogChoice) => void
  onSwap: () => void
}) {
  const { first, second } = props.sides
  return (
    <div role="row" className={styles.head}>
      <SideHead {...props} side="first" other={second.log} />
      <div role="columnheader" className={styles.side} data-side="second">
        <SideHeadContent {...props} side="second" other={first.log} />
        <ActionIcon
          className={styles.swap}
          size={30}
          aria-label="Swap the two logs"
          title="Swap the two logs"
          disabled={first.log === null || second.log === null}
          onClick={props.onSwap}
        >
          <IconArrowsLeftRight size={16} stroke={1.7} aria-hidden="true" />
        </ActionIcon>
      </div>
    </div>
  )
}

interface SideProps {
  side: Side
  sides: Readonly<Record<Side, HeadSide>>
  logs: readonly LogChoice[]
  other: LogChoice | null
  onChoose: (side: Side, log: LogChoice) => void
}

function SideHead(props: SideProps) {
  return (
    <div role="columnheader" className={styles.side} data-side={props.side}>
      <SideHeadContent {...props} />
    </div>
  )
}

function SideHeadContent({ side, sides, logs, other, onChoose }: SideProps) {
  const { log, ahead, matches, onRetry, isEmpty } = sides[side]
  return (
    <>
      <span className={styles.swatch} aria-hidden="true" />
      <NativeSelect
        className={styles.select}
        aria-label={side === 'first' ? 'First log' : 'Second log'}
        value={log === null ? '' : writeLog(log)}
        onChange={({ currentTarget }) => {
          const chosen = readLog(currentTarget.value)
          if (chosen !== null) onChoose(side, chosen)
        }}
      >
        {log === null && <option value="">Choose a log</option>}
        {withChosen(logs, log).map((choice) => (
          <option
            key={writeLog(choice)}
            value={writeLog(choice)}
            disabled={other !== null && pairProblem(choice, other) !== null}
          >
            {logLabel(choice)}
          </option>
        ))}
      </NativeSelect>
      <span className={styles.notes}>
        {onRetry !== null && <RetryLine onRetry={onRetry}>Could not get logs</RetryLine>}
        {isEmpty && <span>No lines in this log</span>}
        {ahead !== 0 && (
          <span className={styles.clock}>
            {log?.computerName ?? 'Its'}
            {log?.computerName ? ': clock' : ' clock'} {clockDifferenceLabel(ahead)}, corrected
          </span>
        )}
        {matches !== null && <span className={styles.matches}>{matches}</span>}
      </span>
    </>
  )
}

/** An address may name a log without any lines. */
function withChosen(logs: readonly LogChoice[], chosen: LogChoice | null): readonly LogChoice[] {
  return chosen === null || logs.some((log) => sameLog(log, chosen)) ? logs : [chosen, ...logs]
}
