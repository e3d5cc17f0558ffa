import { SkeletonLine } from '../../ui/skeleton.tsx'
import styles from './log-lines-skeleton.module.css'
import { OPENING_SIZE } from './log-pages.ts'

/** Grey lines where those of the log will be. */
export function LogLinesSkeleton() {
  return (
    <div className={styles.lines} role="status" aria-label="Loading logs">
      {Array.from({ length: OPENING_SIZE }, (_, index) => (
        <div key={index} className={styles.line}>
          <SkeletonLine width="78px" />
          <SkeletonLine width="46px" />
          <SkeletonLine width={`${30 + ((index * 17) % 40)}%`} />
        </div>
      ))}
    </div>
  )
}
