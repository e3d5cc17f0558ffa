import type { ReactNode } from 'react'
import styles from './as-list.module.css'
import { Chevron } from './chevron.tsx'

/** What a picture shows, in words, for whoever reads rather than looks: closed until it is asked for. */
export function AsList({ onToggle, children }: { onToggle?: (isOpen: boolean) => void; children: ReactNode }) {
  return (
    <details className={styles.list} onToggle={({ currentTarget }) => onToggle?.(currentTarget.open)}>
      <summary>
        <Chevron to="right" /> As a list
      </summary>
      {children}
    </details>
  )
}
