import { ActionIcon } from '@mantine/core'
import { IconCheck, IconCopy } from '@tabler/icons-react'
import { useCallback, useEffect, useState } from 'react'
import { showFailure } from '../overlay/toasts.ts'
import styles from './copy-button.module.css'

/** Duration of the confirmation: document 1 section 9. */
const CONFIRMED_MS = 2000

/** Copies `text` and confirms for two seconds. `label` names the content: 'Copy product ID'. */
export function CopyButton({ text, label }: { text: string; label: string }) {
  const { copied, copy } = useCopied()
  const isCopied = copied !== null
  const Icon = isCopied ? IconCheck : IconCopy
  return (
    <span className={styles.place}>
      <ActionIcon
        size={24}
        aria-label={label}
        title={label}
        data-copied={isCopied || undefined}
        className={styles.button}
        onClick={() => void copy(label, text)}
      >
        <Icon size={14} stroke={1.8} aria-hidden="true" />
      </ActionIcon>
      <span role="status" className={styles.word}>
        {isCopied && 'Copied'}
      </span>
    </span>
  )
}

/** Copies texts and returns the name of the one copied within the last two seconds. */
export function useCopied(): { copied: string | null; copy: (name: string, text: string) => Promise<void> } {
  const [last, setLast] = useState<{ name: string; at: number } | null>(null)
  useEffect(() => {
    if (last === null) return undefined
    const timer = setTimeout(() => setLast(null), CONFIRMED_MS)
    return () => clearTimeout(timer)
  }, [last])

  const copy = useCallback(async (name: string, text: string) => {
    try {
      await navigator.clipboard.writeText(text)
      setLast({ name, at: Date.now() })
    } catch {
      // Browsers deny the clipboard outside https.
      showFailure({
        title: 'Could not copy',
        message: 'Your browser blocks the clipboard on this page. Select the text and copy it with the keyboard.',
      })
    }
  }, [])

  return { copied: last?.name ?? null, copy }
}
