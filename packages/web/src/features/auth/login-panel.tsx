import { passwordRules } from '@benchwatch/contract/field-rules'
import type { SignInStep } from '@benchwatch/contract/users/auth'
import { Box, Button, Group, Stack, TextInput } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { type ReactNode, useRef, useState } from 'react'
import { call } from '../../lib/http.ts'
import { PRODUCT_NAME, productQuery } from '../../lib/page-settings.ts'
import { rememberedPath, rememberPath } from '../../lib/remembered-path.ts'
import { acceptSignIn } from '../../lib/session/session.ts'
import { signOutNotice } from '../../lib/session/sign-out-notice.ts'
import { CODE_LENGTH, CodeField } from '../../ui/form/code-field.tsx'
import {
  isNewPasswordReady,
  type NewPassword,
  NewPasswordFields,
  PasswordField,
} from '../../ui/form/password-field.tsx'
import { ConfirmResetForm } from './confirm-reset-form.tsx'
import { LoginForm, StepLink } from './login-form.tsx'
import { type HandleAnswer, type LoginStep, returnError, stepOf } from './login-messages.ts'
import { SmsCodeForm } from './sms-code-form.tsx'

interface AppCodeFormProps {
  challengeToken: string
  onAnswer: HandleAnswer
  onLeave: () => void
}

interface CredentialsFormProps {
  product: string
  userId: string
  onUserId: (userId: string) => void
  /** The reason for showing this form: a session ended, or the password was changed. */
  notice?: ReactNode
  /** The error of a redirect back to this form, shown until the next attempt. */
  failure: Error | null
  onAnswer: HandleAnswer
  onForgotten: () => void
}

interface NewPasswordFormProps {
  userId: string
  challengeToken: string
  onAnswer: HandleAnswer
  onLeave: () => void
}

interface ResetFormProps {
  userId: string
  onUserId: (userId: string) => void
  onSent: () => void
  onLeave: () => void
}

/** The sign-in, one form at a time. `errorCode` is the code with which an organisation's sign-in redirected back. */
export function LoginPanel({ errorCode }: { errorCode: string | null }) {
  const config = useQuery(productQuery())
  const product = config.data?.product ?? PRODUCT_NAME
  const [step, setStep] = useState<LoginStep>({ mode: 'normal' })
  const [userId, setUserId] = useState('')
  const [returned] = useState(() => (errorCode === null ? null : returnError(errorCode)))
  const [isPasswordChanged, setPasswordChanged] = useState(false)

  function handleAnswer(answer: SignInStep) {
    if ('challenge' in answer) setStep(stepOf(answer))
    else acceptSignIn(answer)
  }

  function goTo(mode: 'normal' | 'reset' | 'confirm-reset') {
    setPasswordChanged(false)
    setStep({ mode })
  }

  function handleOtherAccount() {
    setUserId('')
    goTo('normal')
  }

  function handlePasswordChanged() {
    setStep({ mode: 'normal' })
    setPasswordChanged(true)
  }

  switch (step.mode) {
    case 'normal': {
      // Wait until the sign-in method is known. Users would start to fill in a password field that then disappears.
      // As high as the form that follows.
      if (config.isPending) return <Box mih={268} role="status" aria-label="Loading…" />
      const shared = { product, notice: isPasswordChanged ? 'Password changed' : signOutReason(), failure: returned }
      if (config.data?.startUrl !== undefined) return <OrganisationForm {...shared} startUrl={config.data.startUrl} />
      return (
        <CredentialsForm
          {...shared}
          userId={userId}
          onUserId={setUserId}
          onAnswer={handleAnswer}
          onForgotten={() => goTo('reset')}
        />
      )
    }
    case 'new-password':
      return (
        <NewPasswordForm
          key={step.challengeToken}
          userId={userId.trim()}
          challengeToken={step.challengeToken}
          onAnswer={handleAnswer}
          onLeave={handleOtherAccount}
        />
      )
    case 'sms-code':
      return <SmsCodeForm key={step.challengeToken} {...step} onAnswer={handleAnswer} onLeave={handleOtherAccount} />
    case 'app-code':
      return (
        <AppCodeForm
          key={step.challengeToken}
          challengeToken={step.challengeToken}
          onAnswer={handleAnswer}
          onLeave={handleOtherAccount}
        />
      )
    case 'reset':
      return (
        <ResetForm
          userId={userId}
          onUserId={setUserId}
          onSent={() => goTo('confirm-reset')}
          onLeave={() => goTo('normal')}
        />
      )
    case 'confirm-reset':
      return <ConfirmResetForm userId={userId} onChanged={handlePasswordChanged} onLeave={() => goTo('normal')} />
  }
}

/** Returns why the last session ended, if the user did not end it. */
function signOutReason(): ReactNode {
  const notice = signOutNotice()
  if (notice === null) return undefined
  return (
    <>
      <b>{notice.title}</b>
      <p>{notice.message}</p>
    </>
  )
}

/** Sign-in through an organisation: one button that leads to its sign-in page and back. */
function OrganisationForm(props: { product: string; startUrl: string; notice?: ReactNode; failure: Error | null }) {
  return (
    <LoginForm
      title={`Log in to ${props.product}`}
      lead="You sign in at your organisation and then return here."
      notice={props.notice}
      mode="normal"
      failure={props.failure}
      onSubmit={() => window.location.assign(startAddress(props.startUrl))}
    >
      <Button type="submit" size="md" fullWidth autoFocus>
        Sign in with your organisation
      </Button>
    </LoginForm>
  )
}

/** Returns the address of the organisation's sign-in, including the page to return to. */
function startAddress(startUrl: string): string {
  const address = new URL(startUrl, window.location.href)
  address.searchParams.set('returnTo', rememberedPath())
  return address.href
}

/** First step of a password reset: the e-mail address. */
function ResetForm({ userId, onUserId, onSent, onLeave }: ResetFormProps) {
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
      lead="Enter your e-mail address. We will send you a code to set a new password."
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
      <StepLink mx="auto" onClick={onLeave}>
        Back to login
      </StepLink>
    </LoginForm>
  )
}

/** Replaces a temporary password. Leads to the settings. */
function NewPasswordForm({ userId, challengeToken, onAnswer, onLeave }: NewPasswordFormProps) {
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
    if (save.isPending) return
    save.reset()
    if (isNewPasswordReady(entry, passwordRules)) save.mutate()
  }

  /** Clears the error; it applied to the password that was sent. */
  function handleEntry(typed: NewPassword) {
    save.reset()
    setEntry(typed)
  }

  return (
    <LoginForm
      title="Choose a new password"
      lead="Your password is temporary. Choose one that only you know."
      mode="new-password"
      failure={save.error}
      onSubmit={handleSubmit}
    >
      {/* Password managers store the new password under this name. */}
      <input type="text" name="username" autoComplete="username" value={userId} readOnly hidden />
      <NewPasswordFields
        value={entry}
        onChange={handleEntry}
        rules={passwordRules}
        isSubmitted={isSubmitted}
        size="md"
        autoFocus
      />
      <Button type="submit" size="md" fullWidth loading={save.isPending}>
        Save password
      </Button>
      <StepLink mx="auto" onClick={onLeave}>
        Use another account
      </StepLink>
    </LoginForm>
  )
}

function CredentialsForm(props: CredentialsFormProps) {
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
        label="User ID"
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
        error={isSubmitted && userId.trim() === '' && 'Enter your user ID, usually your e-mail address.'}
        onChange={({ currentTarget }) => onUserId(currentTarget.value)}
      />
      <Stack gap={8}>
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
        <StepLink ml="auto" onClick={onForgotten}>
          Forgot password?
        </StepLink>
      </Stack>
      <Button type="submit" size="md" fullWidth loading={signIn.isPending}>
        Login
      </Button>
    </LoginForm>
  )
}

/** Asks for a code from the authenticator app or a recovery code. */
function AppCodeForm({ challengeToken, onAnswer, onLeave }: AppCodeFormProps) {
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
          ? 'Enter one of the codes that you saved when you set up your authenticator app. Each works once.'
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
      <Group justify="space-between" gap="6px 16px">
        <StepLink onClick={handleSwitch}>{isRecovery ? 'Use the authenticator app' : 'Use a recovery code'}</StepLink>
        <StepLink onClick={onLeave}>Use another account</StepLink>
      </Group>
    </LoginForm>
  )
}
