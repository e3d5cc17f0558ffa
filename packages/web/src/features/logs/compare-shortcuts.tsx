import { lazy } from 'react'
import { ShortcutButton } from '../../ui/shortcut-button.tsx'
import type { ShortcutGroup } from '../../ui/shortcut-sheet.tsx'

const ShortcutSheet = lazy(() =>
  import('../../ui/shortcut-sheet.tsx').then((file) => ({ default: file.ShortcutSheet })),
)

/** What `compare-logs.tsx` binds, and what the browser does where the lines have the focus. */
const groups: readonly ShortcutGroup[] = [
  {
    title: 'Two logs',
    shortcuts: [
      { keys: ['/'], does: 'Search both logs' },
      { keys: ['n'], does: 'Next match' },
      { keys: ['N'], does: 'Previous match' },
      { keys: ['e'], does: 'Back to the event' },
    ],
  },
  {
    title: 'Lines',
    shortcuts: [
      { keys: ['↑', '↓'], does: 'Scroll both logs' },
      { keys: ['Page Up', 'Page Down'], does: 'A screen earlier, or later' },
      { keys: ['Home', 'End'], does: 'First, or last, line that was read' },
    ],
  },
]

export function CompareShortcuts() {
  return <ShortcutButton size={34} sheet={(close) => <ShortcutSheet groups={groups} onClose={close} />} />
}
