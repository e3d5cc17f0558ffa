import styles from './deadline.module.css'
import { useNow } from './use-now.ts'

/**
 * A day (YYYY-MM-DD) by which something ends or is due, as `text`; marked with `pastWord` once it is over. It lasts to its
 * end, wherever that comes last: nobody is told a day early.
 */
export function Deadline({ day, text, pastWord }: { day: string; text: string; pastWord: string }) {
  const isPast = Date.parse(`${day}T23:59:59-12:00`) < useNow()
  return (
    <>
      {text}
      {isPast && <span className={styles.past}>{pastWord}</span>}
    </>
  )
}
