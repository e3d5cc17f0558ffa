import { ShortcutSheet } from '../../ui/shortcut-sheet.tsx'
import { eventShortcuts } from './event-shortcut-list.ts'

export function EventShortcutSheet({ onClose }: { onClose: () => void }) {
  return <ShortcutSheet groups={eventShortcuts} onClose={onClose} />
}
