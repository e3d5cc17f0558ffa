import type { ReactNode } from 'react'
import styles from './part-links.module.css'

/** The way between the parts of an area, each with an address of its own: links, of which the router marks the current one. */
export function PartLinks({ label, children }: { label: string; children: ReactNode }) {
  return (
    <nav className={styles.parts} aria-label={label}>
      {children}
    </nav>
  )
}
