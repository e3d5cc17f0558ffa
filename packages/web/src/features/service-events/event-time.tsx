import type { ReactNode } from 'react'
import { formatTooltipTime } from '../../lib/dates.ts'

/** An instant in whatever words, with the full time in the viewer's zone on hover. */
export function EventTime({ at, children }: { at: string; children: ReactNode }) {
  return (
    <time dateTime={at} title={formatTooltipTime(at)}>
      {children}
    </time>
  )
}
