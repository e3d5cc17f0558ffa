import { type ReactNode, useId } from 'react'
import styles from './card.module.css'

/** A panel with an optional title and, at its end, controls. `flush` leaves the padding to the content (tables). */
export function Card(props: { title?: string; end?: ReactNode; flush?: boolean; children: ReactNode }) {
  const titleId = useId()
  return (
    <section className={styles.card} aria-labelledby={props.title === undefined ? undefined : titleId}>
      {props.title !== undefined && (
        <div className={styles.head}>
          <h2 id={titleId} className={styles.title}>
            {props.title}
          </h2>
          {props.end}
        </div>
      )}
      <div className={props.flush ? undefined : styles.body} data-untitled={props.title === undefined || undefined}>
        {props.children}
      </div>
    </section>
  )
}
