import type { ReactNode } from 'react'
import styles from './breadcrumb.module.css'

/** Where a screen stands: a link to the list that it was opened from, and what it is. */
export function Breadcrumb({ link, current }: { link: ReactNode; current: string }) {
  return (
    <nav aria-label="Breadcrumb">
      <ol className={styles.crumbs}>
        <li>{link}</li>
        <li aria-current="page">{current}</li>
      </ol>
    </nav>
  )
}
