import { lazy, type ReactNode, Suspense, useCallback, useState } from 'react'
import type { Viewer } from '../service-events/event-owner.ts'
import type { SelectedEvents } from '../service-events/event-selection.ts'
import { BulkActions } from './bulk-actions.tsx'
import type { BulkTask } from './bulk-request.ts'

// Most visits change one event at a time.
const BulkDialog = lazy(() => import('./bulk-dialog.tsx').then((file) => ({ default: file.BulkDialog })))

/**
 * Bulk changes of one screen: `actions` stand beside the selection, `dialog` anywhere beside the list. Two places, because
 * the selection may go while its change is still under way or has failures to tell.
 */
export function useBulkChanges(viewer: Viewer): {
  actions: (selected: SelectedEvents) => ReactNode
  dialog: ReactNode
} {
  const [task, setTask] = useState<BulkTask | null>(null)
  const [isHidden, setHidden] = useState(false)
  const isUnderWay = task !== null && isHidden
  const show = useCallback(() => setHidden(false), [])
  const actions = useCallback(
    (selected: SelectedEvents) => (
      <BulkActions
        selected={selected}
        viewer={viewer}
        isUnderWay={isUnderWay}
        onChoose={(kind, chosen) => setTask({ kind, selected: chosen })}
        onShowProgress={show}
      />
    ),
    [viewer, isUnderWay, show],
  )
  const dialog = task !== null && (
    <Suspense fallback={null}>
      <BulkDialog
        task={task}
        viewer={viewer}
        isHidden={isHidden}
        onHide={() => setHidden(true)}
        onShow={show}
        onDone={() => {
          setTask(null)
          setHidden(false)
        }}
      />
    </Suspense>
  )
  return { actions, dialog }
}
