import type { SignInStep } from '@benchwatch/contract/auth'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { PRODUCT_NAME, productQuery } from '../../lib/product.ts'
import { acceptSignIn } from '../../lib/session/session.ts'
import { signOutNotice } from '../../lib/session/sign-out-notice.ts'
import { AppCodeForm } from './app-code-form.tsx'
import { ConfirmResetForm } from './confirm-reset-form.tsx'
import { CredentialsForm } from './credentials-form.tsx'
import styles from './login.module.css'
import { returnError } from './login-messages.ts'
import { type LoginStep, stepOf } from './login-step.ts'
import { NewPasswordForm } from './new-password-form.tsx'
import { OrganisationForm } from './organisation-form.tsx'
import { ResetForm } from './reset-form.tsx'
import { SmsCodeForm } from './sms-code-form.tsx'

/** The way in, one form at a time. `errorCode`: with which an organisation's sign-in sent the person back. */
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
      // Which way in there is has to be known first: a password field that vanishes again would be filled in.
      if (config.isPending) return <div className={styles.waiting} role="status" aria-label="Loading…" />
      const given = { product, notice: isPasswordChanged ? 'Password changed' : signOutReason(), failure: returned }
      if (config.data?.startUrl !== undefined) return <OrganisationForm {...given} startUrl={config.data.startUrl} />
      return (
        <CredentialsForm
          {...given}
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

/** Why a session ended that the person did not end. */
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
