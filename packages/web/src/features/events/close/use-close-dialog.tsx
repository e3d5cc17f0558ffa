import type { ServiceEvent } from '@benchwatch/contract/events/events'
import { type ReactNode, useEffect, useState } from 'react'
import { LazyPart, preloadable } from '../../../ui/layout/lazy-part.tsx'
import type { Viewer } from '../owner/event-owner.ts'

/** The close dialog, which screens preload: its letters are pressed right after the key that opens it. */
export const CloseEventDialog = preloadable(() =>
  import('./close-event-dialog.tsx').then((file) => file.CloseEventDialog),
)

/**
 * Provides the close dialog of one event: `open` shows it, and the caller renders `dialog`. `isOpen` is true from the
 * press on, also while the dialog is loading.
 */
export function useCloseDialog(
  event: ServiceEvent,
  viewer: Viewer,
): { isOpen: boolean; open: () => void; dialog: ReactNode } {
  const [isOpen, setOpen] = useState(false)
  useEffect(() => void CloseEventDialog.preload(), [])
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
