import { ActionIcon } from '@mantine/core'
import { IconKeyboard } from '@tabler/icons-react'
import { lazy, Suspense, useState } from 'react'
import type { ShortcutGroup } from '../../ui/shortcut-sheet.tsx'
import { useShortcuts } from '../../ui/use-shortcuts.ts'

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
  { title: 'Everywhere here', shortcuts: [{ keys: ['?'], does: 'These shortcuts' }] },
]

export function CompareShortcuts() {
  const [isOpen, setOpen] = useState(false)
  useShortcuts({ '?': () => setOpen(true) })
  return (
    <>
      <ActionIcon
        size={34}
        aria-label="Keyboard shortcuts"
        aria-keyshortcuts="?"
        title="Keyboard shortcuts (?)"
        onClick={() => setOpen(true)}
      >
        <IconKeyboard size={18} stroke={1.6} aria-hidden="true" />
      </ActionIcon>
      {isOpen && (
        <Suspense>
          <ShortcutSheet groups={groups} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  )
}
