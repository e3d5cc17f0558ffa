import type { ServiceEvent } from '@benchwatch/contract/events'
import type { AvailableLog } from '@benchwatch/contract/logs'
import type { logDashboardPlaceholders } from '@benchwatch/contract/page-settings'
import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { pageSettings } from '../../../lib/page-settings.ts'
import { agePhrase } from '../../../lib/time/duration.ts'
import { RetryLine } from '../../../ui/text/notice.tsx'
import { SkeletonLine } from '../../../ui/text/skeleton.tsx'
import { compareLogsHref, type LogChoice, pairProblem, writeLog } from '../compare/compare-address.ts'
import { logLabel } from '../log-labels.ts'
import { missingLines } from '../log-time.ts'
import { availableLogsQuery } from '../logs.api.ts'
import { type EventPlace, type LogWindow, windowOfEvent } from './log-rows.ts'
import styles from './view-logs-panel.module.css'

/** Rules of 'View Logs': document 1 section 5 ("Log type selection"). Checkboxes are identified by `writeLog`. */

type Placeholder = (typeof logDashboardPlaceholders)[number]

/** Two logs of an instrument around a moment. */
interface LogPair {
  installedProductId: string
  first: LogChoice
  second: LogChoice
  window: LogWindow
  /** ISO instant of the event. */
  at: string
}

/** Maximum number of logs side by side. */
const MOST_CHOSEN = 2

/** Result of the checkboxes. */
type LogsChosen =
  | { kind: 'none' }
  | { kind: 'one'; log: LogChoice }
  | { kind: 'two'; first: LogChoice; second: LogChoice }
  | { kind: 'refused'; reason: string }

interface PanelProps {
  event: ServiceEvent
  place: EventPlace
  onView: (log: LogChoice) => void
  onClose: () => void
}

/** Content of 'View Logs': a checkbox per log, at most two ticked. */
export function ViewLogsPanel(props: PanelProps) {
  const panel = useRef<HTMLDivElement>(null)
  // The popover looks for its first field before this panel is loaded.
  useEffect(() => panel.current?.focus(), [])
  return (
    <div ref={panel} className={styles.panel} tabIndex={-1}>
      <h2 className={styles.title}>Select 2 logs to view side-by-side</h2>
      {props.event.isEdgeIssue ? (
        <p className={styles.note}>
          This event is about a gateway, which keeps no logs of its own. Its instruments do: open an event of one of
          them.
        </p>
      ) : (
        <LogBoxes {...props} />
      )}
    </div>
  )
}

function LogBoxes({ event, place, onView, onClose }: PanelProps) {
  const [ticked, setTicked] = useState<readonly string[]>([])
  const available = useQuery(availableLogsQuery(event.instrumentInstalledProductId))
  const logs = available.data?.values ?? []
  const chosen = logsChosen(logs, ticked)
  return (
    <>
      <p className={styles.note}>Logs can take up to 20 minutes after the event to sync.</p>
      {available.data?.completeFrom && (
        <RetryLine onRetry={() => void available.refetch()}>{missingLines(available.data.completeFrom)}</RetryLine>
      )}
      {available.isPending ? (
        <Loading />
      ) : available.isError ? (
        <RetryLine onRetry={() => void available.refetch()}>Could not get logs</RetryLine>
      ) : logs.length === 0 && available.data.completeFrom ? null : logs.length === 0 ? (
        <p className={styles.none}>This instrument has not sent any logs yet.</p>
      ) : (
        <div className={styles.boxes} role="group" aria-label="Logs">
          <p className={styles.column}>Newest line</p>
          {logs.map((log) => (
            <LogBox
              key={writeLog(log)}
              log={log}
              isTicked={ticked.includes(writeLog(log))}
              isDisabled={!canTick(log, ticked)}
              onTick={(isTicked) =>
                setTicked(isTicked ? [...ticked, writeLog(log)] : ticked.filter((name) => name !== writeLog(log)))
              }
            />
          ))}
        </div>
      )}
      <div className={styles.foot}>
        <p role="alert" className={styles.refusal}>
          {chosen.kind === 'refused' && chosen.reason}
        </p>
        <ViewButton chosen={chosen} event={event} place={place} onView={onView} onClose={onClose} />
      </div>
    </>
  )
}

function LogBox(props: {
  log: AvailableLog
  isTicked: boolean
  isDisabled: boolean
  onTick: (isTicked: boolean) => void
}) {
  const { log } = props
  return (
    <label className={styles.box} data-disabled={props.isDisabled || undefined}>
      <input
        type="checkbox"
        checked={props.isTicked}
        disabled={props.isDisabled}
        onChange={({ currentTarget }) => props.onTick(currentTarget.checked)}
      />
      <bdi className={styles.name}>{logLabel(log)}</bdi>
      <span className={styles.age}>{log.newest === null ? 'no lines yet' : agePhrase(log.newest, Date.now())}</span>
    </label>
  )
}

/** Two logs are a link, so users can open the tab in their own way. */
function ViewButton({ chosen, event, place, onView, onClose }: PanelProps & { chosen: LogsChosen }) {
  if (chosen.kind === 'two')
    return (
      <Button
        component="a"
        href={pairHref(chosen, event, place)}
        target="_blank"
        rel="noopener noreferrer"
        onClick={onClose}
      >
        View
      </Button>
    )
  return (
    <Button disabled={chosen.kind !== 'one'} onClick={() => chosen.kind === 'one' && onView(chosen.log)}>
      View
    </Button>
  )
}

/** A configured dashboard replaces the console's own page. */
function pairHref({ first, second }: { first: LogChoice; second: LogChoice }, event: ServiceEvent, place: EventPlace) {
  const { logDashboardUrl } = pageSettings()
  const installedProductId = event.instrumentInstalledProductId
  const at = event.logGeneratedAt
  return logDashboardUrl === null
    ? compareLogsHref({ installedProductId, first, second, eventId: event.eventId, at: Date.parse(at) })
    : dashboardHref(logDashboardUrl, { installedProductId, first, second, at, window: windowOfEvent(at, place) })
}

function Loading() {
  return (
    <div className={styles.boxes} role="status" aria-label="Loading logs">
      <p className={styles.column}>Newest line</p>
      {[150, 110, 170, 130, 160, 120].map((width) => (
        <div key={width} className={styles.box}>
          <SkeletonLine width={`${width}px`} />
        </div>
      ))}
    </div>
  )
}

export function logsChosen(logs: readonly LogChoice[], chosen: readonly string[]): LogsChosen {
  // In the order of ticking: the first is on the left.
  const [first, second] = chosen.flatMap((name) => logs.find((log) => writeLog(log) === name) ?? [])
  if (first === undefined) return { kind: 'none' }
  if (second === undefined) return { kind: 'one', log: first }
  const reason = pairProblem(first, second)
  return reason === null ? { kind: 'two', first, second } : { kind: 'refused', reason }
}

/** True if a checkbox can change: all others are disabled once two are ticked. */
export function canTick(log: LogChoice, chosen: readonly string[]): boolean {
  return chosen.length < MOST_CHOSEN || chosen.includes(writeLog(log))
}

/**
 * Fills the placeholders of an external dashboard's address, percent-encoded; docs/configuration.md,
 * LOG_DASHBOARD_URL.
 */
export function dashboardHref(template: string, { installedProductId, first, second, window, at }: LogPair): string {
  const values: Record<Placeholder, string> = {
    installedProductId,
    firstLogType: first.logType,
    firstComputer: first.computerName ?? '',
    secondLogType: second.logType,
    secondComputer: second.computerName ?? '',
    ...window,
    at,
  }
  return template.replace(/\{(\w+)\}/g, (whole, name: string) =>
    Object.hasOwn(values, name) ? encodeURIComponent(values[name as Placeholder]) : whole,
  )
}
