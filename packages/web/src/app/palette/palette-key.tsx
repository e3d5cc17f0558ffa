import { useHotkeys } from '@mantine/hooks'
import { lazy, useState } from 'react'
import { LazyPart } from '../../ui/layout/lazy-part.tsx'

const CommandPalette = lazy(() => import('./command-palette.tsx').then((file) => ({ default: file.CommandPalette })))

/** Opens the command palette with Ctrl-K or ⌘K, in fields as well, but not over another dialog. */
export function PaletteKey() {
  const [isOpen, setOpen] = useState(false)
  useHotkeys([['mod+K', () => setOpen(isOpen || document.querySelector('[role="dialog"]') === null)]], [])
  return (
    isOpen && (
      <LazyPart onFailure={() => setOpen(false)}>
        <CommandPalette onClose={() => setOpen(false)} />
      </LazyPart>
    )
  )
}
