import { Button, Stack } from '@mantine/core'
import { IconCheck, IconCopy, IconDownload } from '@tabler/icons-react'
import { useRef, useState } from 'react'
import { saveFile } from '../../ui/save-file.ts'
import styles from './account.module.css'

/** Document 1 section 9. */
const COPIED_MS = 2000

/** New recovery codes, this once. */
export function RecoveryCodes({ codes, onDone }: { codes: string[]; onDone: () => void }) {
  const [isCopied, setCopied] = useState(false)
  const list = useRef<HTMLUListElement>(null)

  async function handleCopy() {
    try {
      await navigator.clipboard.writeText(codes.join('\n'))
      setCopied(true)
      setTimeout(() => setCopied(false), COPIED_MS)
    } catch {
      // Browsers refuse the clipboard outside https: the codes are selected for the person's own copying.
      if (list.current !== null) window.getSelection()?.selectAllChildren(list.current)
    }
  }

  return (
    <Stack gap={14}>
      <p className={styles.hint}>
        Keep these codes where you keep your passwords. Each lets you in once when you do not have your app at hand.
        They are shown only now.
      </p>
      <ul ref={list} className={styles.codes} aria-label="Recovery codes">
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
      <div className={styles.actions}>
        <Button
          variant="default"
          leftSection={isCopied ? <IconCheck size={16} stroke={1.8} /> : <IconCopy size={16} stroke={1.7} />}
          onClick={() => void handleCopy()}
        >
          {isCopied ? 'Copied' : 'Copy'}
        </Button>
        <Button
          variant="default"
          leftSection={<IconDownload size={16} stroke={1.7} />}
          onClick={() => saveFile('recovery-codes.txt', 'text/plain', `${codes.join('\n')}\n`)}
        >
          Download
        </Button>
        <Button data-autofocus onClick={onDone} ml="auto">
          I have kept them
        </Button>
      </div>
    </Stack>
  )
}
