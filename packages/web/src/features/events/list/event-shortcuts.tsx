import { lazy } from 'react'
import { ShortcutButton } from '../../../ui/overlay/shortcut-sheet.tsx'

const EventShortcutSheet = lazy(() =>
  import('./event-shortcut-sheet.tsx').then((file) => ({ default: file.EventShortcutSheet })),
)

/** Shortcut sheet of the event list and the event page. */
export function EventShortcuts() {
  return <ShortcutButton size={30} sheet={(close) => <EventShortcutSheet onClose={close} />} />
}
