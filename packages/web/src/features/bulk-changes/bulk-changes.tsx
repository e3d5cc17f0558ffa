import { lazy, useEffect } from 'react'
import { LazyPart } from '../../ui/lazy-part.tsx'
import { changeBulkUnderWay, forgetBulkChange, useBulkUnderWay } from './bulk-under-way.ts'

// Most visits change one event at a time.
const BulkDialog = lazy(() => import('./bulk-dialog.tsx').then((file) => ({ default: file.BulkDialog })))

/**
 * The dialog of the bulk change under way. It stands beside all screens of somebody signed in, so that leaving the list
 * loses no outcome.
 */
export function BulkChanges() {
  const underWay = useBulkUnderWay()
  // Signed out: the next person is told nothing of it.
  useEffect(() => forgetBulkChange, [])
  if (underWay === null) return null
  return (
    <LazyPart onFailure={forgetBulkChange}>
      <BulkDialog
        task={underWay.task}
        viewer={underWay.viewer}
        isHidden={underWay.isHidden}
        onBegin={() => changeBulkUnderWay({ isBegun: true })}
        onHide={() => changeBulkUnderWay({ isHidden: true })}
        onShow={() => changeBulkUnderWay({ isHidden: false })}
        onDone={forgetBulkChange}
      />
    </LazyPart>
  )
}
