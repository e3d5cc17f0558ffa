import type { ReactNode } from 'react'
import styles from './page-header.module.css'

/** Title of a screen, a line about it below, and what stands at the other end of the row. */
export function PageHeader(props: { title: ReactNode; crumbs?: ReactNode; note?: ReactNode; children?: ReactNode }) {
  return (
    <header className={styles.header}>
      <div className={styles.words}>
        {props.crumbs !== undefined && <div className={styles.crumbs}>{props.crumbs}</div>}
        <h1>{props.title}</h1>
        {props.note !== undefined && <p className={styles.note}>{props.note}</p>}
      </div>
      {props.children !== undefined && <div className={styles.end}>{props.children}</div>}
    </header>
  )
}
