import { Button, Group } from '@mantine/core'
import { useState, useSyncExternalStore } from 'react'
import { currentQuestion, subscribeToQuestions } from './confirm-store.ts'
import { Dialog } from './dialog.tsx'

/** Shows what `confirm` asks. Stands once on the page. */
export function ConfirmDialog() {
  const asked = useSyncExternalStore(subscribeToQuestions, currentQuestion)
  // While the dialog fades out its question is answered already; its words stay until it is gone.
  const [question, setQuestion] = useState(asked)
  if (asked !== null && asked !== question) setQuestion(asked)
  return (
    <Dialog
      opened={asked !== null}
      onClose={() => asked?.answer(false)}
      title={question?.message}
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
          data-autofocus={question?.isDestructive || undefined}
          onClick={() => asked?.answer(false)}
        >
          {question?.cancelLabel ?? 'Cancel'}
        </Button>
        <Button
          data-autofocus={question?.isDestructive ? undefined : true}
          color={question?.isDestructive ? 'var(--bw-danger)' : undefined}
          c={question?.isDestructive ? 'var(--bw-on-accent)' : undefined}
          onClick={() => asked?.answer(true)}
        >
          {question?.confirmLabel}
        </Button>
      </Group>
    </Dialog>
  )
}
