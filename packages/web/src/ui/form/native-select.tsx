import type { ComponentProps } from 'react'
import { Chevron } from '../text/chevron.tsx'
import styles from './native-select.module.css'

/** A native select: costs nothing, and opens the platform's picker on a phone. Only its arrow is replaced. */
export function NativeSelect({ className, ...props }: ComponentProps<'select'>) {
  return (
    <span className={[styles.frame, className].filter(Boolean).join(' ')}>
      <select {...props} />
      <Chevron to="down" />
    </span>
  )
}
