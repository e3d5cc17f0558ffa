import type { ServiceEvent } from '@benchwatch/contract/events/events'
import { IconListDetails } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { lazy, Suspense, useEffect, useEffectEvent, useRef, useState } from 'react'
import { LazyPart } from '../../../ui/layout/lazy-part.tsx'
import { Dropdown, PanelLoading } from '../../../ui/overlay/dropdown.tsx'
import { showNotice } from '../../../ui/overlay/toasts.ts'
import { Chevron } from '../../../ui/text/chevron.tsx'
import { type LogChoice, readLog, writeLog } from '../log-labels.ts'
import type { EventPlace } from '../log-pages.ts'
import { availableLogsQuery } from '../logs.api.ts'

// Most visits open no log.
const loadPanel = () => import('./view-logs-panel.tsx')
const ViewLogsPanel = lazy(() => loadPanel().then((file) => ({ default: file.ViewLogsPanel })))
const LogViewer = lazy(() => import('./log-viewer.tsx').then((file) => ({ default: file.LogViewer })))

/**
 * 'View Logs': lists the logs of an event's instrument. One opens in the dialog `log`; two open side by side in a new
 * tab.
 */
export function ViewLogs(props: {
  event: ServiceEvent
  place: EventPlace
  /** Null while the dialog is closed. */
  log: LogChoice | null
  onLog: (log: LogChoice | null) => void
}) {
  const { event, place, log, onLog } = props
  const control = useRef<HTMLSpanElement>(null)

  function handleClose() {
    onLog(null)
    // Also if a link opened the log and nothing had the focus before.
    control.current?.querySelector('button')?.focus()
  }

  return (
    <span ref={control} style={{ display: 'flex' }}>
      <Dropdown
        title="View Logs"
        icon={<IconListDetails size={15} stroke={1.7} aria-hidden="true" />}
        mark={<Chevron to="down" />}
        align="end"
        {...(place === 'details' && { shortcut: 'l' })}
        width={360}
        preload={loadPanel}
        panel={(close) => (
          // The final height of the panel, so that it opens on the side with enough room.
          <Suspense fallback={<PanelLoading height={380} />}>
            <ViewLogsPanel
              event={event}
              place={place}
              onClose={close}
              onView={(chosen) => {
                close()
                onLog(chosen)
              }}
            />
          </Suspense>
        )}
      >
        View Logs
      </Dropdown>
      {log !== null && !event.isEdgeIssue && (
        <LazyPart onFailure={handleClose}>
          <LogViewer event={event} place={place} log={log} onLog={onLog} onClose={handleClose} />
        </LazyPart>
      )}
    </span>
  )
}

/** 'View Logs' on the page of an event. The address names the open log (`?log=VID`), so a link shows it to others. */
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

/** Client lines without a computer name form a log as well, which cannot be compared. */
function readShown(text: string): LogChoice | null {
  return text === 'UNICORNCLIENT' ? { logType: text, computerName: null } : readLog(text)
}

/** 'View Logs' in the row of an event. The address belongs to the list and does not name the log. */
export function RowLogs({ event }: { event: ServiceEvent }) {
  const [log, setLog] = useState<LogChoice | null>(null)
  return <ViewLogs event={event} place="row" log={log} onLog={setLog} />
}

/**
 * The log viewer that a key opens for a row: the first log with lines in 'View Logs'; the viewer switches to
 * the others. Without any log, a toast explains it.
 */
export function KeyedLogs({ event, onClose }: { event: ServiceEvent; onClose: () => void }) {
  const [chosen, setChosen] = useState<LogChoice | null>(null)
  const available = useQuery({
    ...availableLogsQuery(event.instrumentInstalledProductId),
    enabled: !event.isEdgeIssue,
  })
  const first = available.data?.values.find(({ newest }) => newest !== null)
  const log = chosen ?? first ?? null
  const hasNone = event.isEdgeIssue || available.isError || (available.isSuccess && log === null)
  const refuse = useEffectEvent(() => {
    const reason = event.isEdgeIssue
      ? 'A gateway keeps no logs of its own.'
      : 'This instrument has not sent any logs yet.'
    showNotice({ title: 'No logs to show', message: available.error?.message ?? reason })
    onClose()
  })
  useEffect(() => {
    if (hasNone) refuse()
  }, [hasNone])
  return log !== null && <LogViewer event={event} place="row" log={log} onLog={setChosen} onClose={onClose} />
}
