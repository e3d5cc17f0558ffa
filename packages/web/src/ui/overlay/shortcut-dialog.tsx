import { Box, Checkbox, Group, Kbd, Text, Title } from '@mantine/core'
import '@mantine/core/styles/Kbd.layer.css'
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
    { keys: ['Ctrl K', '⌘ K'], does: 'Search and actions' },
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
            <Title order={3} fz="xs" c="dimmed" fw={600} mb={2}>
              {title}
            </Title>
            <Box component="dl" mb={10}>
              {shortcuts.map(({ keys, does }) => (
                <Group
                  key={does}
                  justify="space-between"
                  wrap="nowrap"
                  gap={12}
                  mih={34}
                  fz="sm"
                  className={styles.shortcut}
                >
                  <dt>{does}</dt>
                  <dd>
                    {keys.map((key, place) => (
                      <span key={key}>
                        {place > 0 && (
                          <Text span size="xs" c="dimmed">
                            {' '}
                            or{' '}
                          </Text>
                        )}
                        <Kbd className={styles.key}>{key}</Kbd>
                      </span>
                    ))}
                  </dd>
                </Group>
              ))}
            </Box>
          </section>
        ))}
      </div>
      <Box pt={12}>
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
      </Box>
    </Dialog>
  )
}
