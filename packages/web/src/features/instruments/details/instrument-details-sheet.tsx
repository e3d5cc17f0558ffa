import { ShortcutSheet } from '../../../ui/overlay/shortcut-sheet.tsx'

/** What `instrument-details-keys.ts` binds. */
const groups = [{ title: 'One instrument', shortcuts: [{ keys: ['u', 'Esc'], does: 'Back to the list' }] }] as const

export function InstrumentDetailsSheet({ onClose }: { onClose: () => void }) {
  return <ShortcutSheet groups={groups} onClose={onClose} />
}
