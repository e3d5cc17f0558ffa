import type { ReactNode } from 'react'
import type { EventColumnKey } from './event-list.columns.ts'
import { MailIcon } from './mail-icon.tsx'

/** What stands in the head of a column that is too narrow for its name; the name is read out. */
export const columnSigns: Partial<Record<EventColumnKey, ReactNode>> = {
  instrumentStatus: (
    <svg viewBox="0 0 16 16" width="14" height="14" aria-hidden="true">
      <circle cx="8" cy="8" r="5.6" fill="none" stroke="currentColor" strokeWidth="1.3" />
      <circle cx="8" cy="8" r="2.6" fill="currentColor" />
    </svg>
  ),
  email: <MailIcon />,
}
