import { Button, Group, Text } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { call } from '../../lib/http.ts'
import { CODE_LENGTH, CodeField } from '../../ui/form/code-field.tsx'
import { LoginForm, runningTime, Sent, StepLink } from './login-form.tsx'
import type { HandleAnswer } from './login-messages.ts'
import { useRemainingSeconds, useResendLock } from './use-remaining-seconds.ts'

/** Codes are valid for 3 minutes (document 1 section 9). */
const VALID_MS = 180_000

interface SmsCodeFormProps {
  challengeToken: string
  /** The masked number that the code was sent to. */
  delivery: string | null
  onAnswer: HandleAnswer
  onLeave: () => void
}

/** Asks for the code from the text message. The last digit submits it. */
export function SmsCodeForm({ challengeToken, delivery, onAnswer, onLeave }: SmsCodeFormProps) {
  const [code, setCode] = useState('')
  const [sent, setSent] = useState(() => ({ token: challengeToken, at: Date.now() }))
  const codeBox = useRef<HTMLInputElement>(null)
  const validFor = useRemainingSeconds(sent.at + VALID_MS)
  const { lockedFor, lock } = useResendLock()
  const resend = useMutation({
    mutationFn: () => call('resendMfa', { body: { challengeToken: sent.token } }),
    onSuccess: (next) => {
      setSent({ token: next.challengeToken, at: Date.now() })
      setCode('')
    },
    onSettled: () => codeBox.current?.focus(),
  })
  const answer = useMutation({
    mutationFn: async (typed: string) =>
      onAnswer(await call('answerMfa', { body: { challengeToken: sent.token, code: typed } })),
  })

  function send(typed: string) {
    if (answer.isPending) return
    resend.reset()
    answer.mutate(typed)
  }

  function handleSubmit() {
    if (code.length === CODE_LENGTH) send(code)
    else codeBox.current?.focus()
  }

  function handleResend() {
    lock()
    answer.reset()
    resend.mutate()
  }

  return (
    <LoginForm
      title="Enter the code"
      lead={
        <>
          We sent a 6-digit code by text message to {delivery === null ? 'your mobile phone' : <Sent to={delivery} />}.
        </>
      }
      notice={resend.isSuccess ? 'New MFA code sent via text message.' : undefined}
      mode="sms-code"
      failure={answer.error ?? resend.error}
      onSubmit={handleSubmit}
    >
      <CodeField
        ref={codeBox}
        data-retype
        label="Code"
        size="md"
        autoFocus
        value={code}
        onChange={setCode}
        onComplete={send}
      />
      <Group justify="space-between" gap="6px 16px">
        <Text span c="dimmed" role="timer" style={runningTime}>
          {validFor > 0 ? `Valid for ${clock(validFor)}` : 'The code has expired. Send a new one.'}
        </Text>
        <StepLink disabled={lockedFor > 0 || resend.isPending} onClick={handleResend}>
          {lockedFor > 0 ? `Send a new code in ${lockedFor} s` : 'Send a new code'}
        </StepLink>
      </Group>
      <Button type="submit" size="md" fullWidth loading={answer.isPending}>
        Verify
      </Button>
      <StepLink mx="auto" onClick={onLeave}>
        Use another account
      </StepLink>
    </LoginForm>
  )
}

/** Formats a duration, e.g. 2:05. */
function clock(seconds: number): string {
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`
}
