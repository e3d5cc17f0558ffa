import type { ServiceEvent } from '@benchwatch/contract/service-events'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { type LogChoice, readLog, writeLog } from './compare-address.ts'
import { ViewLogs } from './view-logs.tsx'

/** 'View Logs' on the page of an event. Its address tells which log is shown (`?log=VID`), so a link shows it to others. */
export function PageLogs({ event }: { event: ServiceEvent }) {
  const { log } = useSearch({ strict: false })
  const navigate = useNavigate()

  function write(next: LogChoice | null) {
    void navigate({
      to: '.',
      search: (search) => ({ ...search, log: next === null ? undefined : writeLog(next) }),
      replace: true,
      resetScroll: false,
    })
  }

  return <ViewLogs event={event} place="details" log={typeof log === 'string' ? readShown(log) : null} onLog={write} />
}

/** Lines of clients that name no computer are a log as well, though none that could be compared. */
function readShown(text: string): LogChoice | null {
  return text === 'UNICORNCLIENT' ? { logType: text, computerName: null } : readLog(text)
}
