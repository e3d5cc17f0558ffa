import { Button, Checkbox, Group, Stack } from '@mantine/core'
import { IconCheck, IconCopy } from '@tabler/icons-react'
import { useRef, useState } from 'react'
import { Dialog } from './dialog.tsx'
import styles from './secret-dialog.module.css'

/**
 * Shows a secret once. It only closes after the user confirms having saved it; Escape and clicks outside are ignored.
 */
export function SecretDialog(props: { title: string; secret: string; hint: string; onDone: () => void }) {
  const [isCopied, setCopied] = useState(false)
  const [isConfirmed, setConfirmed] = useState(false)
  const secretText = useRef<HTMLElement>(null)

  async function handleCopy() {
    try {
      await navigator.clipboard.writeText(props.secret)
      setCopied(true)
    } catch {
      // Browsers deny the clipboard outside https, so the text is selected for manual copying.
      if (secretText.current !== null) window.getSelection()?.selectAllChildren(secretText.current)
    }
  }

  return (
    <Dialog
      onClose={() => undefined}
      withCloseButton={false}
      closeOnEscape={false}
      closeOnClickOutside={false}
      title={props.title}
      size="md"
    >
      <Stack gap="md">
        <p className={styles.hint}>{props.hint}</p>
        <div className={styles.secret}>
          <code ref={secretText}>{props.secret}</code>
        </div>
        <Button
          variant="default"
          data-autofocus
          leftSection={isCopied ? <IconCheck size={16} stroke={1.8} /> : <IconCopy size={16} stroke={1.7} />}
          onClick={() => void handleCopy()}
        >
          {isCopied ? 'Copied' : 'Copy'}
        </Button>
        <Checkbox
          label="I have saved it. It can’t be shown again."
          checked={isConfirmed}
          onChange={({ currentTarget }) => setConfirmed(currentTarget.checked)}
        />
        <Group justify="flex-end">
          <Button disabled={!isConfirmed} onClick={props.onDone}>
            Done
          </Button>
        </Group>
      </Stack>
    </Dialog>
  )
}
