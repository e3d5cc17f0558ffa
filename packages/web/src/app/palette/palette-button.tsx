import { Button, Kbd, Text } from '@mantine/core'
import { useHotkeys, useOs } from '@mantine/hooks'
import { IconSearch } from '@tabler/icons-react'
import { lazy, useEffect, useState } from 'react'
import { LazyPart } from '../../ui/layout/lazy-part.tsx'
import '@mantine/core/styles/Kbd.layer.css'

const CommandPalette = lazy(() => import('./command-palette.tsx').then((file) => ({ default: file.CommandPalette })))

/** Opens the command palette, as Ctrl-K or ⌘K does: in fields as well, but not over another dialog. */
export function PaletteButton() {
  const [isOpen, setOpen] = useState(false)
  const [text, setText] = useState('')
  const key = useOs() === 'macos' ? '⌘ K' : 'Ctrl K'
  useHotkeys([['mod+K', () => setOpen(isOpen || document.querySelector('[role="dialog"]') === null)]], [])

  // Letters that follow Ctrl-K before the palette has loaded become its text.
  useEffect(() => {
    if (!isOpen) return
    const keepKey = (key: KeyboardEvent) => {
      if (key.target instanceof Element && key.target.closest('[role="dialog"]') !== null) return
      if (key.ctrlKey || key.metaKey || key.altKey) return
      if (key.key === 'Escape') setOpen(false)
      else if (key.key === 'Backspace') setText((before) => before.slice(0, -1))
      else if (key.key.length === 1) setText((before) => before + key.key)
      // Enter would press what has the focus on the page.
      else if (key.key !== 'Enter') return
      key.preventDefault()
    }
    document.addEventListener('keydown', keepKey, true)
    return () => {
      document.removeEventListener('keydown', keepKey, true)
      setText('')
    }
  }, [isOpen])

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
        aria-label={`Search and actions, ${key}`}
        title="Run an action, or go to an event, instrument, customer or screen"
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
          <CommandPalette text={text} onText={setText} onClose={() => setOpen(false)} />
        </LazyPart>
      )}
    </>
  )
}
