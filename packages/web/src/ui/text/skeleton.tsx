import type { Placeholder } from '@benchwatch/contract/placeholders'
import { useState } from 'react'
import { Card } from '../layout/card.tsx'
import detailsSkeletonStyles from '../layout/details-page.module.css'
import { Chevron } from './chevron.tsx'
import styles from './skeleton.module.css'

/** Placeholder for a line of text. `width` in any CSS unit. */
export function SkeletonLine({ width = '100%' }: { width?: string }) {
  return <span className={styles.line} style={{ width }} aria-hidden="true" />
}

/** Number of lines of each card, from the top. */
type SkeletonColumn = readonly number[]

/** Placeholder for a details screen, with bar and cards of about their final size. */
export function DetailsSkeleton(props: {
  /** Lines of a card as wide as the screen, above the columns. */
  wide?: number
  columns: readonly [SkeletonColumn, SkeletonColumn]
}) {
  const { wide, columns } = props
  return (
    <>
      <div className={detailsSkeletonStyles.boneBar} aria-hidden="true">
        <SkeletonLine width="280px" />
      </div>
      {wide !== undefined && (
        <div aria-hidden="true">
          <Card>
            <Bones rows={wide} />
          </Card>
        </div>
      )}
      <div className={detailsSkeletonStyles.columns} aria-hidden="true">
        <Column rows={columns[0]} />
        <Column rows={columns[1]} />
      </div>
    </>
  )
}

function Column({ rows }: { rows: SkeletonColumn }) {
  return (
    <div className={detailsSkeletonStyles.column}>
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
    <div key={index} className={detailsSkeletonStyles.bone}>
      <SkeletonLine width={`${88 - ((index * 17) % 50)}%`} />
    </div>
  ))
}

/** Lists the placeholders of a template with sample values. A click inserts one. */
export function PlaceholderList({
  placeholders,
  onInsert,
}: {
  placeholders: readonly Placeholder[]
  onInsert: (placeholder: string) => void
}) {
  // Collapsed on a phone, where it would push the form down by two screens.
  const [isOpen] = useState(() => window.matchMedia('(width >= 720px)').matches)
  return (
    <details data-wide className={styles.list} open={isOpen}>
      <summary className={styles.head}>
        <Chevron to="right" className={styles.arrow} />
        Placeholders
        <span className={styles.hint}>click one to insert it at the cursor</span>
      </summary>
      <ul className={styles.rows}>
        {placeholders.map(({ name, label }) => (
          <li key={name}>
            <button
              type="button"
              className={styles.row}
              // Keeps the focus, and so the cursor position, in the field.
              onMouseDown={(press) => press.preventDefault()}
              onClick={() => onInsert(`{${name}}`)}
            >
              <code className={styles.name}>{`{${name}}`}</code>
              <span className={styles.label}>{label}</span>
            </button>
          </li>
        ))}
      </ul>
    </details>
  )
}

/** Progress of `value` out of `max`; indeterminate without a value. */
export function ProgressBar({ label, value, max }: { label: string; value: number | null; max: number }) {
  return <progress className={styles.bar} aria-label={label} max={max} value={value ?? undefined} />
}
