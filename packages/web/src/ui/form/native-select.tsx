import type { ComponentProps } from 'react'
import { Chevron } from '../text/chevron.tsx'
import styles from './native-select.module.css'

/** A select of the browser: its list is a wheel on a phone and costs nothing. Only its arrow is drawn here, as everywhere. */
export function NativeSelect({ className, ...props }: ComponentProps<'select'>) {
  return (
    <span className={[styles.frame, className].filter(Boolean).join(' ')}>
      <select {...props} />
      <Chevron to="down" />
    </span>
  )
}
