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
        <Column rows={[11, 3, 7]} />
        <Column rows={[6, 8, 2, 4]} />
      </div>
    </>
  )
}

function Column({ rows }: { rows: readonly number[] }) {
  return (
    <div className={styles.column}>
      {rows.map((count) => (
        <Card key={count}>
          <Bones rows={count} />
        </Card>
      ))}
    </div>
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
