import { ActionIcon } from '@mantine/core'
import { IconKeyboard } from '@tabler/icons-react'
import { lazy, Suspense, useState } from 'react'
import { useShortcuts } from '../../ui/use-shortcuts.ts'

const EventShortcutSheet = lazy(() =>
  import('./event-shortcut-sheet.tsx').then((file) => ({ default: file.EventShortcutSheet })),
)

/** The sheet of keys: `?` opens it, and the button, which also finds the switch again when keys are off. */
export function EventShortcuts() {
  const [isOpen, setOpen] = useState(false)
  useShortcuts({ '?': () => setOpen(true) })
  return (
    <>
      <ActionIcon
        size={30}
        aria-label="Keyboard shortcuts"
        aria-keyshortcuts="?"
        title="Keyboard shortcuts (?)"
        onClick={() => setOpen(true)}
      >
        <IconKeyboard size={18} stroke={1.6} aria-hidden="true" />
      </ActionIcon>
      {isOpen && (
        <Suspense>
          <EventShortcutSheet onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  )
}
