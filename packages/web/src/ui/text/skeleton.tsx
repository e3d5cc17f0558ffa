import type { Placeholder } from '@benchwatch/contract/placeholders'
import { useState } from 'react'
import { Chevron } from './chevron.tsx'
import styles from './skeleton.module.css'

/** Placeholder for a line of text. `width` in any CSS unit. */
export function SkeletonLine({ width = '100%' }: { width?: string }) {
  return <span className={styles.line} style={{ width }} aria-hidden="true" />
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
