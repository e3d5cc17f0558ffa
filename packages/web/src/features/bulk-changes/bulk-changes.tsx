import { lazy, useEffect } from 'react'
import { LazyPart } from '../../ui/layout/lazy-part.tsx'
import { changeBulkInFlight, forgetBulkChange, useBulkInFlight } from './bulk-in-flight.ts'

// Most visits change one event at a time.
const BulkDialog = lazy(() => import('./bulk-dialog.tsx').then((file) => ({ default: file.BulkDialog })))

/**
 * The dialog of the bulk change under way. It stands beside all screens of somebody signed in, so that leaving the list
 * loses no outcome.
 */
export function BulkChanges() {
  const inFlight = useBulkInFlight()
  // Signed out: the next person is told nothing of it.
  useEffect(() => forgetBulkChange, [])
  if (inFlight === null) return null
  return (
    <LazyPart onFailure={forgetBulkChange}>
      <BulkDialog
        task={inFlight.task}
        viewer={inFlight.viewer}
        isHidden={inFlight.isHidden}
        onBegin={() => changeBulkInFlight({ isBegun: true })}
        onHide={() => changeBulkInFlight({ isHidden: true })}
        onShow={() => changeBulkInFlight({ isHidden: false })}
        onDone={forgetBulkChange}
      />
    </LazyPart>
  )
}
