import type { BulkProgress } from '@benchwatch/contract/bulk-changes'
import { counted } from '../../lib/counted.ts'
import { ProgressBar } from '../../ui/progress-bar.tsx'
import styles from './bulk-dialog.module.css'

/** How far a change has come: a bar once a job tells it, and how many failed so far. */
export function BulkProgressView(props: { count: number; progress: BulkProgress | null; isOutOfReach: boolean }) {
  const { progress } = props
  const total = progress?.total ?? props.count
  const failed = progress?.failed.length ?? 0
  return (
    <div className={styles.progress}>
      <p className={styles.line} role="status">
        {progress === null
          ? `Changing ${counted(total, 'event')}…`
          : `${progress.done.toLocaleString('en')} of ${counted(total, 'event')}`}
        {failed > 0 && <span className={styles.failedSoFar}>{failed.toLocaleString('en')} not changed</span>}
      </p>
      <ProgressBar label="Progress" value={progress?.done ?? null} max={total} />
      {props.isOutOfReach && (
        <p className={styles.hint} role="status">
          The server can’t be reached at the moment. The change goes on there; asking again…
        </p>
      )}
    </div>
  )
}
