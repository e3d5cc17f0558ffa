import { useNavigate, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { type LogChoice, readLog, writeLog } from './compare-address.ts'
import type { EventPlace } from './log-window.ts'

/**
 * Which log the viewer shows, null while it is closed. On the event's page it stands in the address, so that a colleague
 * sees the same log; the address of a list is about the list alone.
 */
export function useShownLog(place: EventPlace): [LogChoice | null, (log: LogChoice | null) => void] {
  const [ofRow, setOfRow] = useState<LogChoice | null>(null)
  const { log } = useSearch({ strict: false })
  const navigate = useNavigate()
  if (place === 'row') return [ofRow, setOfRow]

  const ofAddress = typeof log === 'string' ? readShown(log) : null
  const write = (next: LogChoice | null) =>
    void navigate({
      to: '.',
      search: (search) => ({ ...search, log: next === null ? undefined : writeLog(next) }),
      replace: true,
      resetScroll: false,
    })
  return [ofAddress, write]
}

/** Lines of clients that name no computer are a log as well, though none that could be compared. */
function readShown(text: string): LogChoice | null {
  return text === 'UNICORNCLIENT' ? { logType: text, computerName: null } : readLog(text)
}
