import { Button } from '@mantine/core'
import { useShortcuts } from './use-shortcuts.ts'

/** Takes back the change that a toast reports; the key takes back the newest one (`onUndoLast`). */
export function UndoButton({ onUndo, onUndoLast }: { onUndo: () => void; onUndoLast: () => void }) {
  useShortcuts({ z: onUndoLast })
  return (
    <Button variant="default" size="compact-sm" ml={8} aria-keyshortcuts="z" title="Undo (z)" onClick={onUndo}>
      Undo
    </Button>
  )
}
