import { Button, Group } from '@mantine/core'
import { useSyncExternalStore } from 'react'
import { Dialog } from './dialog.tsx'

/** Questions that stop a person before something is done. One at a time: a new question answers the old one with no. */
export interface Question {
  message: string
  confirmLabel: string
  cancelLabel?: string
  /** Colours the confirming button as dangerous. */
  isDestructive?: boolean
}

interface Asked extends Question {
  answer: (isConfirmed: boolean) => void
}

let asked: Asked | null = null

const listeners = new Set<() => void>()

/** Shows what `confirm` asks. Stands once on the page. */
export function ConfirmDialog() {
  const asked = useSyncExternalStore(subscribeToQuestions, currentQuestion)
  // One that stood there closed would take the key that asks for the one that answers.
  if (asked === null) return null
  return (
    <Dialog
      onClose={() => asked.answer(false)}
      title={asked.message}
      centered
      size="sm"
      withCloseButton={false}
      // Above the dialog that asks; those stand at 200.
      zIndex={250}
    >
      <Group justify="flex-end" gap={8} pt={4}>
        <Button
          variant="default"
          // What can't be taken back is not a key press away.
          data-autofocus={asked.isDestructive || undefined}
          onClick={() => asked.answer(false)}
        >
          {asked.cancelLabel ?? 'Cancel'}
        </Button>
        <Button
          data-autofocus={asked.isDestructive ? undefined : true}
          color={asked.isDestructive ? 'var(--bw-danger)' : undefined}
          c={asked.isDestructive ? 'var(--bw-on-accent)' : undefined}
          onClick={() => asked.answer(true)}
        >
          {asked.confirmLabel}
        </Button>
      </Group>
    </Dialog>
  )
}

/** Asks, and resolves to whether the person confirmed. Needs `ConfirmDialog` on the page. */
export function confirm(question: Question): Promise<boolean> {
  asked?.answer(false)
  return new Promise((resolve) => {
    change({
      ...question,
      answer: (isConfirmed) => {
        change(null)
        resolve(isConfirmed)
      },
    })
  })
}

export function currentQuestion(): Asked | null {
  return asked
}

export function subscribeToQuestions(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

function change(next: Asked | null): void {
  asked = next
  for (const listener of listeners) listener()
}
