import type { ReactNode } from 'react'
import styles from './page-frame.module.css'

/** A screen that mainly shows another page in a frame, which extends to the bottom of the window. */
export function FramedPage({ children }: { children: ReactNode }) {
  return <div className={styles.page}>{children}</div>
}

/** The frame. `waiting` covers and hides the page in it (an `iframe`, once its address is known) until it is null. */
export function PageFrame({ waiting, children }: { waiting: ReactNode; children?: ReactNode }) {
  return (
    <div className={styles.frame}>
      {waiting !== null && <div className={styles.waiting}>{waiting}</div>}
      {children}
    </div>
  )
}

/** Title of a screen, a note below it, and controls at the end of the row. */
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

/** Breadcrumb: a link to the list, and the current item. */
export function Breadcrumb({ link, current }: { link: ReactNode; current: string }) {
  return (
    <nav aria-label="Breadcrumb">
      <ol className={styles.breadcrumbCrumbs}>
        <li>{link}</li>
        <li aria-current="page">{current}</li>
      </ol>
    </nav>
  )
}
