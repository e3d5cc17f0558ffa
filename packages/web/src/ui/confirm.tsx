import { Button, Group, Modal } from '@mantine/core'
import { useSyncExternalStore } from 'react'
import { currentQuestion, subscribeToQuestions } from './confirm-store.ts'

/** Shows what `confirm` asks. Stands once on the page. */
export function ConfirmDialog() {
  const question = useSyncExternalStore(subscribeToQuestions, currentQuestion)
  return (
    <Modal
      opened={question !== null}
      onClose={() => question?.answer(false)}
      title={question?.message}
      centered
      size="sm"
      withCloseButton={false}
    >
      <Group justify="flex-end" gap={8}>
        <Button variant="default" onClick={() => question?.answer(false)}>
          {question?.cancelLabel ?? 'Cancel'}
        </Button>
        <Button
          data-autofocus
          color={question?.isDestructive ? 'var(--bw-danger)' : undefined}
          onClick={() => question?.answer(true)}
        >
          {question?.confirmLabel}
        </Button>
      </Group>
    </Modal>
  )
}
