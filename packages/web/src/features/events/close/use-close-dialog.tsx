import type { ServiceEvent } from '@benchwatch/contract/events/events'
import { lazy, type ReactNode, useState } from 'react'
import { LazyPart } from '../../../ui/layout/lazy-part.tsx'
import type { Viewer } from '../owner/event-owner.ts'

const loadDialog = () => import('./close-event-dialog.tsx')
const CloseEventDialog = lazy(() => loadDialog().then((file) => ({ default: file.CloseEventDialog })))

/**
 * Provides the close dialog of one event: `open` shows it, and the caller renders `dialog`. The dialog is loaded on
 * first use; `isOpen` is true from the press on.
 */
export function useCloseDialog(
  event: ServiceEvent,
  viewer: Viewer,
): { isOpen: boolean; open: () => void; dialog: ReactNode } {
  const [isOpen, setOpen] = useState(false)
  return {
    isOpen,
    open: () => setOpen(true),
    dialog: isOpen && (
      <LazyPart onFailure={() => setOpen(false)}>
        <CloseEventDialog event={event} viewer={viewer} onDone={() => setOpen(false)} />
      </LazyPart>
    ),
  }
}
