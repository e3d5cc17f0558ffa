import { Card } from '../../ui/card.tsx'
import { SkeletonLine } from '../../ui/skeleton.tsx'
import styles from './event-details.module.css'

/** The screen before the event is there: its bar and its cards in their places, about as high as they will be. */
export function EventDetailsSkeleton() {
  return (
    <>
      <div className={styles.boneBar} aria-hidden="true">
        <SkeletonLine width="280px" />
      </div>
      <div className={styles.columns} aria-hidden="true">
        <div className={styles.column}>
          <Card>
            <Bones rows={12} />
          </Card>
          <Card>
            <Bones rows={4} />
          </Card>
        </div>
        <div className={styles.column}>
          <Card>
            <Bones rows={6} />
          </Card>
          <Card>
            <Bones rows={14} />
          </Card>
        </div>
      </div>
    </>
  )
}

function Bones({ rows }: { rows: number }) {
  return Array.from({ length: rows }, (_, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: grey bars are all the same.
    <div key={index} className={styles.bone}>
      <SkeletonLine width={`${88 - ((index * 17) % 50)}%`} />
    </div>
  ))
}
