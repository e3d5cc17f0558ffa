import type { ServiceEvent } from '@benchwatch/contract/service-events'
import { IconListDetails } from '@tabler/icons-react'
import { lazy, Suspense, useRef } from 'react'
import { Chevron } from '../../ui/chevron.tsx'
import { Dropdown } from '../../ui/dropdown.tsx'
import { LazyPart } from '../../ui/lazy-part.tsx'
import type { LogChoice } from './compare-address.ts'
import type { EventPlace } from './log-window.ts'
import styles from './view-logs.module.css'

// Most visits look at no log.
const loadPanel = () => import('./view-logs-panel.tsx')
const ViewLogsPanel = lazy(() => loadPanel().then((file) => ({ default: file.ViewLogsPanel })))
const LogViewer = lazy(() => import('./log-viewer.tsx').then((file) => ({ default: file.LogViewer })))

/**
 * 'View Logs': which logs the instrument of an event has. One is shown in a dialog, `log`, and two side by side in a new
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
    // Also where a link opened the log, and nothing had the focus before.
    control.current?.querySelector('button')?.focus()
  }

  return (
    <span ref={control} className={styles.control}>
      <Dropdown
        title="View Logs"
        icon={<IconListDetails size={15} stroke={1.7} aria-hidden="true" />}
        mark={<Chevron to="down" />}
        align="end"
        width={360}
        preload={loadPanel}
        panel={(close) => (
          <Suspense fallback={<div className={styles.loading} role="status" aria-label="Loading" />}>
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
