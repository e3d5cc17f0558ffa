import { ActionIcon } from '@mantine/core'
import { IconCheck, IconCopy } from '@tabler/icons-react'
import { useEffect, useState } from 'react'
import styles from './copy-button.module.css'
import { showFailure } from './toasts.ts'

/** How long a copy is confirmed: document 1 section 9. */
export const CONFIRMED_MS = 2000

/** Copies `text` and says so for two seconds. `label` names what is copied: 'Copy product ID'. */
export function CopyButton({ text, label }: { text: string; label: string }) {
  const [copiedAt, setCopiedAt] = useState<number | null>(null)
  useEffect(() => {
    if (copiedAt === null) return undefined
    const timer = setTimeout(() => setCopiedAt(null), CONFIRMED_MS)
    return () => clearTimeout(timer)
  }, [copiedAt])

  async function handleCopy() {
    try {
      await navigator.clipboard.writeText(text)
      setCopiedAt(Date.now())
    } catch {
      // Browsers refuse the clipboard outside https.
      showFailure({
        title: 'Could not copy',
        message: 'Your browser keeps its clipboard closed here. Select the text and copy it by keyboard.',
      })
    }
  }

  const isCopied = copiedAt !== null
  const Icon = isCopied ? IconCheck : IconCopy
  return (
    <span className={styles.place}>
      <ActionIcon
        size={24}
        aria-label={label}
        title={label}
        data-copied={isCopied || undefined}
        className={styles.button}
        onClick={() => void handleCopy()}
      >
        <Icon size={14} stroke={1.8} aria-hidden="true" />
      </ActionIcon>
      <span role="status" className={styles.word}>
        {isCopied && 'Copied'}
      </span>
    </span>
  )
}
