import { ActionIcon } from '@mantine/core'
import { IconKeyboard } from '@tabler/icons-react'
import { type ReactNode, useState } from 'react'
import { LazyPart } from './lazy-part.tsx'
import styles from './shortcut-button.module.css'
import { useShortcuts } from './use-shortcuts.ts'

/**
 * Opens the sheet of a screen's keys, as `?` does. It is there also for whoever has switched keys off, and looks for the
 * switch. `sheet` may be lazy; `size` in pixels.
 */
export function ShortcutButton({ size, sheet }: { size: number; sheet: (close: () => void) => ReactNode }) {
  const [isOpen, setOpen] = useState(false)
  useShortcuts({ '?': () => setOpen(true) })
  return (
    <>
      <ActionIcon
        size={size}
        className={styles.button}
        aria-label="Keyboard shortcuts"
        aria-keyshortcuts="?"
        title="Keyboard shortcuts (?)"
        onClick={() => setOpen(true)}
      >
        <IconKeyboard size={18} stroke={1.6} aria-hidden="true" />
      </ActionIcon>
      {isOpen && <LazyPart onFailure={() => setOpen(false)}>{sheet(() => setOpen(false))}</LazyPart>}
    </>
  )
}
