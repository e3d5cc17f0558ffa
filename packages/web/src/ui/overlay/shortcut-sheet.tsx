import { ActionIcon } from '@mantine/core'
import { IconKeyboard } from '@tabler/icons-react'
import { lazy, type ReactNode, useState } from 'react'
import { LazyPart } from '../layout/lazy-part.tsx'
import { useShortcuts } from './use-shortcuts.ts'

export type { ShortcutGroup } from './shortcut-dialog.tsx'

// With its dialog it is 33 kB, which no list needs for its first paint.
export const ShortcutSheet = lazy(() =>
  import('./shortcut-dialog.tsx').then((file) => ({ default: file.ShortcutDialog })),
)

/**
 * Opens the shortcut sheet, as `?` does. Also available with shortcuts disabled, because the sheet contains the
 * switch. `sheet` may be lazy; `size` is in pixels.
 */
export function ShortcutButton({ size, sheet }: { size: number; sheet: (close: () => void) => ReactNode }) {
  const [isOpen, setOpen] = useState(false)
  useShortcuts({ '?': () => setOpen(true) })
  return (
    <>
      <ActionIcon
        // A phone has no keys.
        visibleFrom="sm"
        size={`max(${size}px, var(--bw-control))`}
        aria-label="Keyboard shortcuts"
        aria-keyshortcuts="?"
        aria-haspopup="dialog"
        aria-expanded={isOpen}
        title="Keyboard shortcuts (?)"
        onClick={() => setOpen(true)}
      >
        <IconKeyboard size={18} stroke={1.6} aria-hidden="true" />
      </ActionIcon>
      {isOpen && <LazyPart onFailure={() => setOpen(false)}>{sheet(() => setOpen(false))}</LazyPart>}
    </>
  )
}
