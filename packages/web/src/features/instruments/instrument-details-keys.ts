import { useNavigate } from '@tanstack/react-router'
import { useShortcuts } from '../../ui/use-shortcuts.ts'

/** Keyboard of one instrument; the sheet of `instrument-details-sheet.tsx` tells it to people. */
export function useInstrumentDetailsKeys(listAddress: Record<string, string>): void {
  const navigate = useNavigate()
  const back = () => void navigate({ to: '/instruments', search: listAddress })
  useShortcuts({ u: back, Escape: back })
}
