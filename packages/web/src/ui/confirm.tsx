import { Button, Group } from '@mantine/core'
import { useSyncExternalStore } from 'react'
import { currentQuestion, subscribeToQuestions } from './confirm-store.ts'
import { Dialog } from './dialog.tsx'

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
