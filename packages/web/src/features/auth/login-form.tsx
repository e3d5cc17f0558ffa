import { type FormEvent, type ReactNode, useEffect, useId, useRef } from 'react'
import { flushSync } from 'react-dom'
import { Notice } from '../../ui/text/notice.tsx'
import styles from './login.module.css'
import { type LoginStep, loginMessage } from './login-messages.ts'

interface LoginFormProps {
  title: string
  /** What is asked for here and why. */
  lead?: ReactNode
  /** Good news of the step before. */
  notice?: ReactNode
  mode: LoginStep['mode']
  /** What the last attempt failed with; null for nothing. */
  failure: Error | null
  onSubmit: () => void
  children: ReactNode
}

/**
 * One step of signing in: one form, so that password managers know what belongs together. After a failure the field
 * marked `data-retype` is selected, so that the next attempt replaces it.
 */
export function LoginForm({ title, lead, notice, mode, failure, onSubmit, children }: LoginFormProps) {
  const message = failure === null ? null : loginMessage(failure, mode)
  const titleId = useId()
  const form = useRef<HTMLFormElement>(null)
  useEffect(() => {
    if (failure === null) return
    const field = form.current?.querySelector<HTMLInputElement>('input[data-retype]')
    field?.focus()
    field?.select()
  }, [failure])

  function handleSubmit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    // Fields say first what is wrong with them; then the first of these has the focus.
    flushSync(onSubmit)
    event.currentTarget.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus()
  }
  return (
    <form ref={form} className={styles.form} onSubmit={handleSubmit} noValidate aria-labelledby={titleId}>
      <div className={styles.head}>
        <h1 id={titleId}>{title}</h1>
        {lead !== undefined && <p className={styles.lead}>{lead}</p>}
      </div>
      {notice !== undefined && <Notice tone="info">{notice}</Notice>}
      {message !== null && (
        <Notice tone="danger">
          <div>{message.text}</div>
          {message.detail !== null && <p>{message.detail}</p>}
        </Notice>
      )}
      {children}
    </form>
  )
}
