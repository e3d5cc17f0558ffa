import { Card } from './card.tsx'
import styles from './details-page.module.css'
import { SkeletonLine } from './skeleton.tsx'

/** Lines of each card, from the top. */
export type SkeletonColumn = readonly number[]

/** A screen of details before they are there: its bar and its cards in their places, about as high as they will be. */
export function DetailsSkeleton(props: {
  /** Lines of a card as wide as the screen, above the columns. */
  wide?: number
  columns: readonly [SkeletonColumn, SkeletonColumn]
}) {
  const { wide, columns } = props
  return (
    <>
      <div className={styles.boneBar} aria-hidden="true">
        <SkeletonLine width="280px" />
      </div>
      {wide !== undefined && (
        <div aria-hidden="true">
          <Card>
            <Bones rows={wide} />
          </Card>
        </div>
      )}
      <div className={styles.columns} aria-hidden="true">
        <Column rows={columns[0]} />
        <Column rows={columns[1]} />
      </div>
    </>
  )
}

function Column({ rows }: { rows: SkeletonColumn }) {
  return (
    <div className={styles.column}>
      {rows.map((count, place) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: grey cards never change places.
        <Card key={place}>
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
