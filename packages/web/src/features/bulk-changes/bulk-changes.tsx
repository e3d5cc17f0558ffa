import { lazy, useEffect } from 'react'
import { LazyPart } from '../../ui/layout/lazy-part.tsx'
import { changeBulkInFlight, forgetBulkChange, useBulkInFlight } from './bulk-in-flight.ts'

// Most visits change one event at a time.
const BulkDialog = lazy(() => import('./bulk-dialog.tsx').then((file) => ({ default: file.BulkDialog })))

/**
 * Shows the dialog of the running bulk change. It is part of the signed-in frame, so leaving the list loses no result.
 */
export function BulkChanges() {
  const inFlight = useBulkInFlight()
  // After sign-out, the next user must see nothing of it.
  useEffect(() => forgetBulkChange, [])
  if (inFlight === null) return null
  return (
    <LazyPart onFailure={forgetBulkChange}>
      <BulkDialog
        task={inFlight.task}
        viewer={inFlight.viewer}
        isBegun={inFlight.isBegun}
        isHidden={inFlight.isHidden}
        onBegin={() => changeBulkInFlight({ isBegun: true })}
        onHide={() => changeBulkInFlight({ isHidden: true })}
        onShow={() => changeBulkInFlight({ isHidden: false })}
        onDone={forgetBulkChange}
      />
    </LazyPart>
  )
}
