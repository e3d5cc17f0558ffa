import { type FormEvent, type ReactNode, useEffect, useId, useRef } from 'react'
import { flushSync } from 'react-dom'
import { Notice } from '../../ui/text/notice.tsx'
import styles from './login.module.css'
import { type LoginStep, loginMessage } from './login-messages.ts'

interface LoginFormProps {
  title: string
  /** Says what to enter and why. */
  lead?: ReactNode
  /** A success message of the previous step. */
  notice?: ReactNode
  mode: LoginStep['mode']
  /** The error of the last attempt; null for none. */
  failure: Error | null
  onSubmit: () => void
  children: ReactNode
}

/**
 * One step of signing in, as a single form so that password managers recognise its fields. After an error, the field
 * marked `data-retype` is selected so that typing replaces it.
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
    // Render the field errors first, then focus the first invalid field.
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
