import { Button, Kbd, Text } from '@mantine/core'
import { useHotkeys, useOs } from '@mantine/hooks'
import { IconSearch } from '@tabler/icons-react'
import { lazy, useState } from 'react'
import { LazyPart } from '../../ui/layout/lazy-part.tsx'
import '@mantine/core/styles/Kbd.layer.css'

const CommandPalette = lazy(() => import('./command-palette.tsx').then((file) => ({ default: file.CommandPalette })))

/** Opens the command palette, as Ctrl-K or ⌘K does: in fields as well, but not over another dialog. */
export function PaletteButton() {
  const [isOpen, setOpen] = useState(false)
  const key = useOs() === 'macos' ? '⌘ K' : 'Ctrl K'
  useHotkeys([['mod+K', () => setOpen(isOpen || document.querySelector('[role="dialog"]') === null)]], [])
  return (
    <>
      <Button
        variant="default"
        c="dimmed"
        fw={450}
        px={{ base: 0, md: 10 }}
        miw="var(--bw-control)"
        bd={{ base: 0, md: '1px solid var(--bw-line)' }}
        // Contains the visible key, so that speech input finds the button.
        aria-label={`Go to or do, ${key}`}
        title="Do something, or go to an event, instrument, customer or screen"
        aria-haspopup="dialog"
        // While the palette loads, keys meant for it are not shortcuts of the page.
        aria-expanded={isOpen}
        aria-keyshortcuts="Control+K Meta+K"
        onClick={() => setOpen(true)}
      >
        <IconSearch size={17} stroke={1.7} aria-hidden="true" />
        <Text span visibleFrom="md" ml={8}>
          <Kbd size="xs">{key}</Kbd>
        </Text>
      </Button>
      {isOpen && (
        <LazyPart onFailure={() => setOpen(false)}>
          <CommandPalette onClose={() => setOpen(false)} />
        </LazyPart>
      )}
    </>
  )
}
