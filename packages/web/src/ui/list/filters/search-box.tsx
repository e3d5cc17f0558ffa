import type { Ref } from 'react'
import { useDelayedEdit } from '../../form/use-delayed-edit.ts'
import styles from './search-box.module.css'

/** A debounced search box. Enter sends at once, Escape clears. `shortcut` is shown as its key. */
export function SearchBox(props: {
  label: string
  keyword: string
  maxLength: number
  onChange: (keyword: string) => void
  shortcut?: string
  inputRef?: Ref<HTMLInputElement>
  /** Gets the focus when a dialog opens. */
  isFirst?: boolean
}) {
  const { text, edit, flush } = useDelayedEdit(props.keyword, props.onChange)

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
        value={text}
        maxLength={props.maxLength}
        placeholder={props.label}
        aria-label={props.label}
        aria-keyshortcuts={props.shortcut}
        data-autofocus={props.isFirst || undefined}
        onChange={({ currentTarget }) => edit(currentTarget.value)}
        onKeyDown={(key) => {
          if (key.key === 'Enter') flush()
          if (key.key === 'Escape') edit('')
        }}
      />
      {props.shortcut !== undefined && <kbd aria-hidden="true">{props.shortcut}</kbd>}
    </div>
  )
}
