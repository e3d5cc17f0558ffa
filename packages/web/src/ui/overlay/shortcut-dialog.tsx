import { Checkbox } from '@mantine/core'
import { useState } from 'react'
import { Dialog } from './dialog.tsx'
import styles from './shortcut-sheet.module.css'
import { areShortcutsOn, switchShortcuts } from './use-shortcuts.ts'

export interface ShortcutGroup {
  title: string
  /** `keys` as printed on the keyboard; any of them triggers the action. */
  shortcuts: readonly { keys: readonly string[]; does: string }[]
}

/** The keys that are the same on every screen. */
const everywhere: ShortcutGroup = {
  title: 'General',
  shortcuts: [
    { keys: ['Ctrl K', '⌘ K'], does: 'Go to an event, instrument, customer or screen' },
    { keys: ['?'], does: 'Show keyboard shortcuts' },
  ],
}

/** Lists every shortcut of a screen, with a switch that disables them. */
export function ShortcutDialog({ groups, onClose }: { groups: readonly ShortcutGroup[]; onClose: () => void }) {
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
