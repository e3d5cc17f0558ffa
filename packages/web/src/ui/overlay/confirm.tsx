import { Button, Group } from '@mantine/core'
import { onSessionEnd } from '../../lib/session/session.ts'
import { createStore, useStore } from '../../lib/store.ts'
import { Dialog } from './dialog.tsx'

/** Confirmation dialogs. One at a time: a new question answers the old one with no. */
export interface Question {
  message: string
  confirmLabel: string
  cancelLabel?: string
  /** Colours the confirming button as dangerous. */
  isDestructive?: boolean
}

interface OpenQuestion extends Question {
  answer: (isConfirmed: boolean) => void
}

export const openQuestion = createStore<OpenQuestion | null>(null)

// A question that is open when the session ends would be asked again after the next sign-in.
onSessionEnd(() => openQuestion.get()?.answer(false))

/** Renders the question that `confirm` asks. Mount it once per page. */
export function ConfirmDialog() {
  const open = useStore(openQuestion)
  // A permanently mounted, closed modal would intercept the key press that opens the question.
  if (open === null) return null
  return (
    <Dialog
      onClose={() => open.answer(false)}
      title={open.message}
      centered
      size="sm"
      withCloseButton={false}
      // Above the dialog that asks, which is at 200.
      zIndex={250}
    >
      <Group justify="flex-end" gap={8} pt={4}>
        <Button
          variant="default"
          // The confirm button of an irreversible action does not get the initial focus.
          data-autofocus={open.isDestructive || undefined}
          onClick={() => open.answer(false)}
        >
          {open.cancelLabel ?? 'Cancel'}
        </Button>
        <Button
          data-autofocus={open.isDestructive ? undefined : true}
          color={open.isDestructive ? 'var(--bw-danger)' : undefined}
          c={open.isDestructive ? 'var(--bw-on-accent)' : undefined}
          onClick={() => open.answer(true)}
        >
          {open.confirmLabel}
        </Button>
      </Group>
    </Dialog>
  )
}

/** Asks, and resolves to true if the user confirmed. Needs `ConfirmDialog` on the page. */
export function confirm(question: Question): Promise<boolean> {
  openQuestion.get()?.answer(false)
  return new Promise((resolve) => {
    openQuestion.set({
      ...question,
      answer: (isConfirmed) => {
        openQuestion.set(null)
        resolve(isConfirmed)
      },
    })
  })
}
