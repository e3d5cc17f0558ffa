import { ActionIcon } from '@mantine/core'
import { IconCheck, IconCopy } from '@tabler/icons-react'
import styles from './copy-button.module.css'
import { useCopied } from './use-copied.ts'

/** Copies `text` and says so for two seconds. `label` names what is copied: 'Copy product ID'. */
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
