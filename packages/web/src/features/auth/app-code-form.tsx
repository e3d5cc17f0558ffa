import { Button, TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { call } from '../../lib/http.ts'
import { CODE_LENGTH, CodeField } from '../../ui/code-field.tsx'
import styles from './login.module.css'
import { LoginForm } from './login-form.tsx'
import type { HandleAnswer } from './login-step.ts'

interface AppCodeFormProps {
  challengeToken: string
  onAnswer: HandleAnswer
  onLeave: () => void
}

/** The code that an authenticator app shows, or one of the recovery codes. */
export function AppCodeForm({ challengeToken, onAnswer, onLeave }: AppCodeFormProps) {
  const [isRecovery, setRecovery] = useState(false)
  const [code, setCode] = useState('')
  const codeBox = useRef<HTMLInputElement>(null)
  const answer = useMutation({
    mutationFn: async (typed: string) => onAnswer(await call('answerMfa', { body: { challengeToken, code: typed } })),
  })
  const isComplete = isRecovery ? code.trim() !== '' : code.length === CODE_LENGTH

  function handleSubmit() {
    if (!isComplete) codeBox.current?.focus()
    else if (!answer.isPending) answer.mutate(code.trim())
  }

  function handleSwitch() {
    answer.reset()
    setCode('')
    setRecovery(!isRecovery)
  }

  return (
    <LoginForm
      title={isRecovery ? 'Enter a recovery code' : 'Enter the code'}
      lead={
        isRecovery
          ? 'One of the codes that you kept when you set up your authenticator app. Each works once.'
          : 'Your authenticator app shows a new 6-digit code every 30 seconds.'
      }
      mode="app-code"
      failure={answer.error}
      onSubmit={handleSubmit}
    >
      {isRecovery ? (
        <TextInput
          key="recovery"
          ref={codeBox}
          data-retype
          label="Recovery code"
          name="recovery-code"
          size="md"
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          autoFocus
          required
          withAsterisk={false}
          value={code}
          onChange={({ currentTarget }) => setCode(currentTarget.value)}
        />
      ) : (
        <CodeField
          key="app"
          ref={codeBox}
          data-retype
          label="Code"
          size="md"
          autoFocus
          value={code}
          onChange={setCode}
          onComplete={(typed) => !answer.isPending && answer.mutate(typed)}
        />
      )}
      <Button type="submit" size="md" fullWidth loading={answer.isPending}>
        Verify
      </Button>
      <div className={styles.row}>
        <button type="button" className={styles.link} onClick={handleSwitch}>
          {isRecovery ? 'Use the authenticator app' : 'Use a recovery code'}
        </button>
        <button type="button" className={styles.link} onClick={onLeave}>
          Use another account
        </button>
      </div>
    </LoginForm>
  )
}
