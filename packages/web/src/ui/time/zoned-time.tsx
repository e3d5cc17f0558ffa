import type { ReactNode } from 'react'
import { formatTimeInZone, formatTooltipTime } from '../../lib/time/dates.ts'
import styles from './deadline.module.css'
import { useNow } from './use-now.ts'

/**
 * An instant in any wording; its tooltip has the full time in the viewer's zone and, with `siteZone`, at the
 * instrument.
 */
export function ZonedTime(props: { at: string; siteZone?: string | null; children: ReactNode }) {
  const { at, siteZone, children } = props
  const local = formatTooltipTime(at)
  const there = siteZone ? formatTimeInZone(at, siteZone) : null
  const title = there === null || there.startsWith(`${local} `) ? local : `${local}\nAt the instrument: ${there}`
  return (
    <time dateTime={at} title={title}>
      {children}
    </time>
  )
}

/**
 * A due or end date (YYYY-MM-DD), shown as `text` and marked with `pastWord` once it is over. The day ends when it has
 * ended in every time zone, so that no user sees it as past a day early.
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
