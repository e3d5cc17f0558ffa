import type { Placeholder } from '@benchwatch/contract/placeholders'
import { useState } from 'react'
import { Chevron } from './chevron.tsx'
import styles from './placeholder-list.module.css'

/** What the texts of a template may name, with what stands there once it is filled in. A press inserts one. */
export function PlaceholderList({
  placeholders,
  onInsert,
}: {
  placeholders: readonly Placeholder[]
  onInsert: (placeholder: string) => void
}) {
  // On a phone they would push the rest of the form two screens down.
  const [isOpen] = useState(() => window.matchMedia('(width >= 720px)').matches)
  return (
    <details data-wide className={styles.list} open={isOpen}>
      <summary className={styles.head}>
        <Chevron to="right" className={styles.arrow} />
        Placeholders
        <span className={styles.hint}>press one to insert it where the cursor was</span>
      </summary>
      <ul className={styles.rows}>
        {placeholders.map(({ name, label }) => (
          <li key={name}>
            <button
              type="button"
              className={styles.row}
              // The field keeps the focus, and with it the place of the cursor.
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
