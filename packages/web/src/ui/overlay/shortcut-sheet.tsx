import { ActionIcon, Checkbox } from '@mantine/core'
import { IconKeyboard } from '@tabler/icons-react'
import { type ReactNode, useState } from 'react'
import { LazyPart } from '../layout/lazy-part.tsx'
import { Dialog } from './dialog.tsx'
import styles from './shortcut-sheet.module.css'
import { areShortcutsOn, switchShortcuts, useShortcuts } from './use-shortcuts.ts'

export interface ShortcutGroup {
  title: string
  /** `keys` as printed on the keyboard; any of them triggers the action. */
  shortcuts: readonly { keys: readonly string[]; does: string }[]
}

/** The key that opens the sheet, the same on every screen. */
const everywhere: ShortcutGroup = { title: 'General', shortcuts: [{ keys: ['?'], does: 'Show keyboard shortcuts' }] }

/** Lists every shortcut of a screen, with a switch that disables them. */
export function ShortcutSheet({ groups, onClose }: { groups: readonly ShortcutGroup[]; onClose: () => void }) {
  const [isOn, setOn] = useState(areShortcutsOn)
  return (
    <Dialog onClose={onClose} title="Keyboard shortcuts" size="lg">
      <div className={styles.groups} data-off={!isOn || undefined}>
        {[...groups, everywhere].map(({ title, shortcuts }) => (
          <section key={title}>
            <h3 className={styles.title}>{title}</h3>
            <dl className={styles.list}>
              {shortcuts.map(({ keys, does }) => (
                <div key={does} className={styles.shortcut}>
                  <dt>{does}</dt>
                  <dd>
                    {keys.map((key, place) => (
                      <span key={key}>
                        {place > 0 && <span className={styles.or}> or </span>}
                        <kbd className={styles.key}>{key}</kbd>
                      </span>
                    ))}
                  </dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
      </div>
      <div className={styles.foot}>
        <Checkbox
          size="sm"
          label="Keyboard shortcuts on"
          description="Saved in this browser. When off, single keys do nothing; Tab, Enter, Space and Escape still work."
          checked={isOn}
          onChange={({ currentTarget }) => {
            setOn(currentTarget.checked)
            switchShortcuts(currentTarget.checked)
          }}
        />
      </div>
    </Dialog>
  )
}

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
