import { SkeletonLine } from '../../../ui/text/skeleton.tsx'
import styles from './compare-skeleton.module.css'

/** Widths of both columns in turn, uneven so that the skeleton looks like a log. */
const widths = [72, 48, 0, 81, 55, 0, 64, 90, 38, 0, 70, 52, 84, 0, 46, 66]

export function CompareSkeleton() {
  return (
    <div className={styles.skeleton} role="status" aria-label="Loading logs">
      {widths.map((width, index) => (
        // The order never changes.
        <div key={index} className={styles.row}>
          <div>{width > 0 && <SkeletonLine width={`${width}%`} />}</div>
          <div>{(widths.at(index - 5) ?? 0) > 0 && <SkeletonLine width={`${widths.at(index - 5) ?? 0}%`} />}</div>
        </div>
      ))}
    </div>
  )
}
