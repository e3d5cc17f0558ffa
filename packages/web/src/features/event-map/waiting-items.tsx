import { SkeletonLine } from '../../ui/skeleton.tsx'
import styles from './waiting-items.module.css'

/** Grey bars as high as the rows that come. */
export function WaitingItems({ rows, isLow = false }: { rows: number; isLow?: boolean }) {
  return (
    <div role="status">
      <span className={styles.hidden}>Loading…</span>
      {Array.from({ length: rows }, (_, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: grey bars are all the same.
        <div key={index} className={styles.bones} data-low={isLow || undefined}>
          <SkeletonLine width={`${80 - (index % 4) * 9}%`} />
          {!isLow && <SkeletonLine width={`${55 - (index % 3) * 8}%`} />}
        </div>
      ))}
    </div>
  )
}
