import type { AvailableLog } from '@benchwatch/contract/logs'
import type { ServiceEvent } from '@benchwatch/contract/service-events'
import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { agePhrase } from '../../lib/age.ts'
import { pageSettings } from '../../lib/page-settings.ts'
import { RetryLine } from '../../ui/retry-line.tsx'
import { SkeletonLine } from '../../ui/skeleton.tsx'
import { compareLogsHref, type LogChoice, writeLog } from './compare-address.ts'
import { canTick, type LogsChosen, logsChosen } from './log-choice.ts'
import { dashboardHref } from './log-dashboard.ts'
import { logLabel } from './log-labels.ts'
import { type EventPlace, windowOfEvent } from './log-window.ts'
import { availableLogsQuery } from './logs.api.ts'
import styles from './view-logs-panel.module.css'

interface PanelProps {
  event: ServiceEvent
  place: EventPlace
  onView: (log: LogChoice) => void
  onClose: () => void
}

/** The inside of 'View Logs': a box for each log, at most two of them ticked. */
export function ViewLogsPanel(props: PanelProps) {
  const panel = useRef<HTMLDivElement>(null)
  // The popover looks for what to focus before this panel is loaded.
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
      {available.isPending ? (
        <Loading />
      ) : available.isError ? (
        <RetryLine onRetry={() => void available.refetch()}>Could not get logs</RetryLine>
      ) : logs.length === 0 ? (
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

/** Two logs are a link, so that the person's own ways of opening a tab work. */
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

/** A configured dashboard takes the place of the console's own page. */
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
