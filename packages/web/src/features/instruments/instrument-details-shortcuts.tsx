import { lazy } from 'react'
import { ShortcutButton } from '../../ui/shortcut-button.tsx'

const Sheet = lazy(() =>
  import('./instrument-details-sheet.tsx').then((file) => ({ default: file.InstrumentDetailsSheet })),
)

/** The keys of one instrument. */
export function InstrumentShortcuts() {
  return <ShortcutButton size={30} sheet={(close) => <Sheet onClose={close} />} />
}
