import { Button, TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { call } from '../../lib/http.ts'
import styles from './login.module.css'
import { LoginForm } from './login-form.tsx'

interface ResetFormProps {
  userId: string
  onUserId: (userId: string) => void
  onSent: () => void
  onLeave: () => void
}

/** First step of a forgotten password: where the code is to go. */
export function ResetForm({ userId, onUserId, onSent, onLeave }: ResetFormProps) {
  const [isSubmitted, setSubmitted] = useState(false)
  const send = useMutation({
    mutationFn: () => call('forgotPassword', { body: { email: userId.trim() } }),
    onSuccess: onSent,
  })

  function handleSubmit() {
    setSubmitted(true)
    if (userId.trim() !== '' && !send.isPending) send.mutate()
  }

  return (
    <LoginForm
      title="Reset your password"
      lead="Enter your e-mail address. We will send you a code with which you can set a new password."
      mode="reset"
      failure={send.error}
      onSubmit={handleSubmit}
    >
      <TextInput
        data-retype
        label="E-mail"
        name="username"
        size="md"
        type="email"
        inputMode="email"
        autoComplete="username"
        autoCapitalize="none"
        spellCheck={false}
        autoFocus
        required
        withAsterisk={false}
        value={userId}
        error={isSubmitted && userId.trim() === '' && 'Enter your e-mail address.'}
        onChange={({ currentTarget }) => onUserId(currentTarget.value)}
      />
      <Button type="submit" size="md" fullWidth loading={send.isPending}>
        Send code
      </Button>
      <button type="button" className={styles.link} onClick={onLeave}>
        Back to login
      </button>
    </LoginForm>
  )
}
