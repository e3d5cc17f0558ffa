import { useState } from 'react'
import styles from './long-text.module.css'

/** Longer texts are collapsed; about eight lines of a card. */
const SHORT = 700

/** Text with its own direction and line breaks. Very long texts expand on request. */
export function LongText({ text }: { text: string }) {
  const [isOpen, setOpen] = useState(false)
  const isLong = text.length > SHORT
  return (
    <>
      <div dir="auto" className={styles.text} data-cut={(isLong && !isOpen) || undefined}>
        {text}
      </div>
      {isLong && (
        <button type="button" className={styles.more} aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          {isOpen ? 'Show less' : 'Show all'}
        </button>
      )}
    </>
  )
}
