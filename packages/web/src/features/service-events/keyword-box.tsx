import { limits } from '@benchwatch/contract/vocabulary'
import { type Ref, useEffect, useEffectEvent, useState } from 'react'
import styles from './keyword-box.module.css'

/** Edits reach the address after this pause (document 1 section 9). */
export const KEYWORD_DELAY_MS = 500

/** The search box. What is typed waits for a pause; Enter sends it at once, Escape empties it. */
export function KeywordBox(props: {
  keyword: string
  onChange: (keyword: string) => void
  inputRef: Ref<HTMLInputElement>
}) {
  const { keyword } = props
  const [typed, setTyped] = useState(keyword)
  const [known, setKnown] = useState(keyword)
  const [sent, setSent] = useState(keyword)
  // The address changed by itself (back button, a link): the box follows. What the box sent itself comes back here as
  // well, and must not overwrite what was typed since.
  if (known !== keyword) {
    setKnown(keyword)
    if (keyword !== sent) setTyped(keyword)
  }

  const send = useEffectEvent((text: string) => {
    setSent(text)
    if (text !== keyword) props.onChange(text)
  })

  useEffect(() => {
    const timer = setTimeout(() => send(typed), KEYWORD_DELAY_MS)
    return () => clearTimeout(timer)
  }, [typed])

  return (
    <div className={styles.box}>
      <svg viewBox="0 0 16 16" width="15" height="15" aria-hidden="true">
        <path
          d="M7 2.5a4.5 4.5 0 1 1 0 9a4.5 4.5 0 1 1 0-9ZM10.4 10.4 14 14"
          fill="none"
          stroke="currentColor"
          strokeWidth="1.4"
        />
      </svg>
      <input
        ref={props.inputRef}
        type="search"
        value={typed}
        maxLength={limits.keyword}
        placeholder="Search events"
        aria-label="Search events"
        aria-keyshortcuts="/"
        onChange={({ currentTarget }) => setTyped(currentTarget.value)}
        onKeyDown={(key) => {
          if (key.key === 'Enter' && typed !== keyword) {
            setSent(typed)
            props.onChange(typed)
          }
          if (key.key === 'Escape') setTyped('')
        }}
      />
      <kbd aria-hidden="true">/</kbd>
    </div>
  )
}
