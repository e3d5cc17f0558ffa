import { type FormEvent, type ReactNode, useId } from 'react'
import { flushSync } from 'react-dom'
import { Notice } from '../../ui/notice.tsx'
import styles from './login.module.css'
import type { LoginMessage } from './login-messages.ts'

interface LoginFormProps {
  title: string
  /** What is asked for here and why. */
  lead?: ReactNode
  /** Good news of the step before. */
  notice?: ReactNode
  /** Why the last attempt failed. */
  error: LoginMessage | null
  onSubmit: () => void
  children: ReactNode
}

/** One step of signing in: one form, so that password managers know what belongs together. */
export function LoginForm({ title, lead, notice, error, onSubmit, children }: LoginFormProps) {
  const titleId = useId()
  function handleSubmit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    // Fields say first what is wrong with them; then the first of these has the focus.
    flushSync(onSubmit)
    event.currentTarget.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus()
  }
  return (
    <form className={styles.form} onSubmit={handleSubmit} noValidate aria-labelledby={titleId}>
      <div className={styles.head}>
        <h1 id={titleId}>{title}</h1>
        {lead !== undefined && <p className={styles.lead}>{lead}</p>}
      </div>
      {notice !== undefined && <Notice tone="info">{notice}</Notice>}
      {error !== null && (
        <Notice tone="danger">
          <div>{error.text}</div>
          {error.detail !== null && <p>{error.detail}</p>}
        </Notice>
      )}
      {children}
    </form>
  )
}
