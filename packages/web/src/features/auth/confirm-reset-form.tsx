import { passwordRules } from '@benchwatch/contract/field-rules'
import { Button, Stack } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { call } from '../../lib/http.ts'
import { CODE_LENGTH, CodeField } from '../../ui/form/code-field.tsx'
import { isNewPasswordReady, type NewPassword, NewPasswordFields } from '../../ui/form/password-field.tsx'
import { LoginForm, Sent, StepLink } from './login-form.tsx'
import { useResendLock } from './use-remaining-seconds.ts'

interface ConfirmResetFormProps {
  userId: string
  onChanged: () => void
  onLeave: () => void
}

/** Second step of a password reset: the code from the e-mail and the new password. */
export function ConfirmResetForm({ userId, onChanged, onLeave }: ConfirmResetFormProps) {
  const email = userId.trim()
  const [code, setCode] = useState('')
  const [entry, setEntry] = useState({ password: '', repeated: '' })
  const [isSubmitted, setSubmitted] = useState(false)
  const codeBox = useRef<HTMLInputElement>(null)
  const { lockedFor, lock } = useResendLock()
  const save = useMutation({
    mutationFn: () => call('confirmForgotPassword', { body: { email, code, newPassword: entry.password } }),
    onSuccess: onChanged,
  })
  const resend = useMutation({
    mutationFn: () => call('forgotPassword', { body: { email } }),
    onSuccess: () => setCode(''),
    onSettled: () => codeBox.current?.focus(),
  })

  function handleSubmit() {
    setSubmitted(true)
    if (save.isPending) return
    forgetFailures()
    if (code.length === CODE_LENGTH && isNewPasswordReady(entry, passwordRules)) save.mutate()
  }

  /** Clears the error of the last attempt; it does not apply to the next attempt or edit. */
  function forgetFailures() {
    save.reset()
    resend.reset()
  }

  function handleCode(typed: string) {
    forgetFailures()
    setCode(typed)
  }

  function handleEntry(typed: NewPassword) {
    forgetFailures()
    setEntry(typed)
  }

  function handleResend() {
    lock()
    save.reset()
    resend.mutate()
  }

  return (
    <LoginForm
      title="Reset your password"
      lead={
        <>
          If there is an account for <Sent to={email} />, we have sent a verification code to this address.
        </>
      }
      notice={resend.isSuccess ? 'A new code was sent.' : undefined}
      mode="confirm-reset"
      failure={save.error ?? resend.error}
      onSubmit={handleSubmit}
    >
      <input type="text" name="username" autoComplete="username" value={email} readOnly hidden />
      <Stack gap={8}>
        <CodeField
          ref={codeBox}
          data-retype
          label="Verification code"
          size="md"
          autoFocus
          value={code}
          error={isSubmitted && code.length !== CODE_LENGTH && 'Enter the 6 digits of the code.'}
          onChange={handleCode}
        />
        <StepLink ml="auto" disabled={lockedFor > 0 || resend.isPending} onClick={handleResend}>
          {lockedFor > 0 ? `Send a new code in ${lockedFor} s` : 'Send a new code'}
        </StepLink>
      </Stack>
      <NewPasswordFields
        value={entry}
        onChange={handleEntry}
        rules={passwordRules}
        isSubmitted={isSubmitted}
        size="md"
      />
      <Button type="submit" size="md" fullWidth loading={save.isPending}>
        Change password
      </Button>
      <StepLink mx="auto" onClick={onLeave}>
        Back to login
      </StepLink>
    </LoginForm>
  )
}
