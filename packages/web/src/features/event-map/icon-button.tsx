import type { ReactNode } from 'react'
import styles from './icon-button.module.css'

/** A button of a drawn sign alone; `label` says it in words. */
export function IconButton(props: { label: string; disabled?: boolean; onClick: () => void; children: ReactNode }) {
  return (
    <button
      type="button"
      className={styles.button}
      aria-label={props.label}
      disabled={props.disabled}
      onClick={props.onClick}
    >
      {props.children}
    </button>
  )
}
