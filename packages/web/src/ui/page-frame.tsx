import type { ReactNode } from 'react'
import styles from './page-frame.module.css'

/** A screen whose main part is another page in a frame, which ends where the window ends. */
export function FramedPage({ children }: { children: ReactNode }) {
  return <div className={styles.page}>{children}</div>
}

/** The frame: `waiting` covers it until it is null, and the page in it (an `iframe`, once its address is known) is unseen. */
export function PageFrame({ waiting, children }: { waiting: ReactNode; children?: ReactNode }) {
  return (
    <div className={styles.frame}>
      {waiting !== null && <div className={styles.waiting}>{waiting}</div>}
      {children}
    </div>
  )
}
