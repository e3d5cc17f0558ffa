import type { ServiceEvent } from '@benchwatch/contract/service-events'
import { useState } from 'react'
import type { LogChoice } from './compare-address.ts'
import { ViewLogs } from './view-logs.tsx'

/** 'View Logs' in the row of an event. The address of a list is about the list alone, and tells no log. */
export function RowLogs({ event }: { event: ServiceEvent }) {
  const [log, setLog] = useState<LogChoice | null>(null)
  return <ViewLogs event={event} place="row" log={log} onLog={setLog} />
}
