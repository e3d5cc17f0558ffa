import { RetryLine } from '../../ui/retry-line.tsx'
import { sides } from './compare-clock.ts'
import styles from './compare-ends.module.css'
import type { Direction } from './compare-place.ts'
import { nextToRead } from './compare-stream.ts'
import type { Compared } from './use-compared-logs.ts'

/** What is said above the oldest row and below the newest. */
export function CompareEnd({ compared, direction }: { compared: Compared; direction: Direction }) {
  const { readings, pair } = compared
  const readable = sides.filter((side) => readings[side].status === 'ready')
  const failed = readable.filter((side) => readings[side][direction].hasFailed)
  if (failed.length > 0)
    return (
      <RetryLine onRetry={() => failed.forEach((side) => readings[side][direction].read())}>
        Could not get logs
      </RetryLine>
    )
  if (nextToRead(pair, direction) !== null || readable.some((side) => readings[side][direction].isReading))
    return <span>{direction === 'older' ? 'Reading older lines…' : 'Reading newer lines…'}</span>
  if (direction === 'older') return <span>No older lines</span>
  return (
    <span>
      No newer lines{' '}
      <button
        type="button"
        className={styles.again}
        onClick={() => {
          for (const side of readable) {
            const { stream, newer, retry } = readings[side]
            // Only after a line can be read on.
            if (stream?.lines.length === 0) retry()
            else newer.read()
          }
        }}
      >
        Look again
      </button>
    </span>
  )
}

/** Reads on in the log that holds the other one back; after a failure only on request. */
export function readOn({ readings, pair }: Compared, direction: Direction): void {
  const side = nextToRead(pair, direction)
  if (side === null || sides.some((one) => readings[one].status === 'loading')) return
  const onward = readings[side][direction]
  if (!onward.hasFailed) onward.read()
}
