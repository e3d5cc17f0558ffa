import type { ReactNode } from 'react'
import styles from './beside-form.module.css'

/** A form with a preview of what it makes beside it, below it where there is no room. */
export function BesideForm({ form, preview }: { form: ReactNode; preview: ReactNode }) {
  return (
    <div className={styles.columns}>
      {form}
      <div className={styles.aside}>{preview}</div>
    </div>
  )
}
