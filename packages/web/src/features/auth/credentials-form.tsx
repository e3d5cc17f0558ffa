import { Button, TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { call } from '../../lib/http.ts'
import { PasswordField } from '../../ui/password-field.tsx'
import styles from './login.module.css'
import { LoginForm } from './login-form.tsx'
import type { HandleAnswer } from './login-step.ts'

interface CredentialsFormProps {
  product: string
  userId: string
  onUserId: (userId: string) => void
  /** What led here: a session that ended, a password that was changed. */
  notice?: ReactNode
  /** Why the way here failed, until something else is tried. */
  failure: Error | null
  onAnswer: HandleAnswer
  onForgotten: () => void
}

/** User id and password. */
export function CredentialsForm(props: CredentialsFormProps) {
  const { product, userId, onUserId, notice, failure, onAnswer, onForgotten } = props
  const [password, setPassword] = useState('')
  const [isSubmitted, setSubmitted] = useState(false)
  const signIn = useMutation({
    mutationFn: async () => onAnswer(await call('signIn', { body: { userId: userId.trim(), password } })),
  })

  function handleSubmit() {
    setSubmitted(true)
    if (userId.trim() !== '' && password !== '' && !signIn.isPending) signIn.mutate()
  }

  return (
    <LoginForm
      title={`Log in to ${product}`}
      notice={notice}
      mode="normal"
      failure={signIn.isIdle ? failure : signIn.error}
      onSubmit={handleSubmit}
    >
      <TextInput
        label="User id"
        name="username"
        size="md"
        type="email"
        inputMode="email"
        autoComplete="username"
        autoCapitalize="none"
        spellCheck={false}
        autoFocus={userId === ''}
        required
        withAsterisk={false}
        value={userId}
        error={isSubmitted && userId.trim() === '' && 'Enter your user id, usually your e-mail address.'}
        onChange={({ currentTarget }) => onUserId(currentTarget.value)}
      />
      <div className={styles.withLink}>
        <PasswordField
          data-retype
          label="Password"
          name="password"
          size="md"
          autoComplete="current-password"
          autoFocus={userId !== ''}
          value={password}
          error={isSubmitted && password === '' && 'Enter your password.'}
          onChange={({ currentTarget }) => setPassword(currentTarget.value)}
        />
        <button type="button" className={styles.link} onClick={onForgotten}>
          Forgot password?
        </button>
      </div>
      <Button type="submit" size="md" fullWidth loading={signIn.isPending}>
        Login
      </Button>
    </LoginForm>
  )
}
