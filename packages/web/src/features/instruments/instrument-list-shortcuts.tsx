import { lazy } from 'react'
import { ShortcutButton } from '../../ui/shortcut-button.tsx'

const Sheet = lazy(() => import('./instrument-list-sheet.tsx').then((file) => ({ default: file.InstrumentListSheet })))

/** The keys of the list. */
export function InstrumentListShortcuts() {
  return <ShortcutButton size={30} sheet={(close) => <Sheet onClose={close} />} />
}
