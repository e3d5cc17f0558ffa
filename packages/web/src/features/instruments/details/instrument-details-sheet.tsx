import { ShortcutSheet } from '../../../ui/overlay/shortcut-sheet.tsx'

/** Keys bound in `instrument-details.tsx`. */
const groups = [{ title: 'One instrument', shortcuts: [{ keys: ['u', 'Esc'], does: 'Back to the list' }] }] as const

export function InstrumentDetailsSheet({ onClose }: { onClose: () => void }) {
  return <ShortcutSheet groups={groups} onClose={onClose} />
}
