import type { ReactNode } from 'react'
import { formatTimeInZone, formatTooltipTime } from '../lib/dates.ts'

/** An instant in whatever words; on hover the full time in the viewer's zone and, with `siteZone`, at the instrument. */
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
