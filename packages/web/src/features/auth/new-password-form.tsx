import { passwordRules } from '@benchwatch/contract/password-policy'
import { Button } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { call } from '../../lib/http.ts'
import { rememberPath } from '../../lib/remembered-path.ts'
import { isNewPasswordReady, NewPasswordFields } from '../../ui/new-password-fields.tsx'
import styles from './login.module.css'
import { LoginForm } from './login-form.tsx'
import type { HandleAnswer } from './login-step.ts'

interface NewPasswordFormProps {
  userId: string
  challengeToken: string
  onAnswer: HandleAnswer
  onLeave: () => void
}

/** A password of one's own in place of a temporary one. Leads to the settings. */
export function NewPasswordForm({ userId, challengeToken, onAnswer, onLeave }: NewPasswordFormProps) {
  const [entry, setEntry] = useState({ password: '', repeated: '' })
  const [isSubmitted, setSubmitted] = useState(false)
  const save = useMutation({
    mutationFn: async () => {
      const answer = await call('setNewPassword', { body: { challengeToken, newPassword: entry.password } })
      rememberPath('/settings')
      onAnswer(answer)
    },
  })

  function handleSubmit() {
    setSubmitted(true)
    if (isNewPasswordReady(entry, passwordRules) && !save.isPending) save.mutate()
  }

  return (
    <LoginForm
      title="Choose a new password"
      lead="Your password was set by somebody else. Choose one that only you know."
      mode="new-password"
      failure={save.error}
      onSubmit={handleSubmit}
    >
      {/* Password managers file the new password under this name. */}
      <input type="text" name="username" autoComplete="username" value={userId} readOnly hidden />
      <NewPasswordFields
        value={entry}
        onChange={setEntry}
        rules={passwordRules}
        isSubmitted={isSubmitted}
        size="md"
        autoFocus
      />
      <Button type="submit" size="md" fullWidth loading={save.isPending}>
        Save password
      </Button>
      <button type="button" className={styles.link} onClick={onLeave}>
        Use another account
      </button>
    </LoginForm>
  )
}
