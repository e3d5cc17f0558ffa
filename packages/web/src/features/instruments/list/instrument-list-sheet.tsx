import { ShortcutSheet } from '../../../ui/overlay/shortcut-sheet.tsx'

/** Keys bound in `ui/use-list-rows.ts`. */
const groups = [
  {
    title: 'Instrument list',
    shortcuts: [
      { keys: ['/'], does: 'Search' },
      { keys: ['j'], does: 'Next instrument' },
      { keys: ['k'], does: 'Previous instrument' },
      { keys: ['x'], does: 'Select or deselect' },
      { keys: ['e'], does: 'Expand or collapse' },
      { keys: ['Esc'], does: 'Collapse' },
      { keys: ['o', 'Enter'], does: 'Open the instrument' },
    ],
  },
  {
    title: 'Families',
    shortcuts: [
      { keys: ['←', '→'], does: 'Move between tabs' },
      { keys: ['Enter'], does: 'Show the family' },
    ],
  },
] as const

export function InstrumentListSheet({ onClose }: { onClose: () => void }) {
  return <ShortcutSheet groups={groups} onClose={onClose} />
}
