import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { call } from '../../lib/http.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { showSuccess } from '../../ui/toasts.ts'
import { accountKeys } from './account.api.ts'
import { PasswordAgain } from './password-again.tsx'
import { RecoveryCodes } from './recovery-codes.tsx'
import { TotpConfirm } from './totp-confirm.tsx'

export type SecondFactorChange = 'set-up' | 'renew-codes' | 'remove'

type Step =
  | { kind: 'password' }
  | { kind: 'confirm'; secret: string; otpauthUrl: string }
  | { kind: 'codes'; codes: string[] }

const titles: Record<SecondFactorChange, string> = {
  'set-up': 'Set up an authenticator app',
  'renew-codes': 'New recovery codes',
  remove: 'Remove the authenticator app',
}

/** A change of the second factor: the password, what it needs, and what is to be kept of it. */
export function SecondFactorDialog({ change, onClose }: { change: SecondFactorChange; onClose: () => void }) {
  const client = useQueryClient()
  const [step, setStep] = useState<Step>({ kind: 'password' })
  const refresh = () => client.invalidateQueries({ queryKey: accountKeys.secondFactor })

  async function begin(password: string) {
    if (change === 'set-up') setStep({ kind: 'confirm', ...(await call('beginTotp', { body: { password } })) })
    else if (change === 'renew-codes')
      handleCodes((await call('renewRecoveryCodes', { body: { password } })).recoveryCodes)
    else {
      await call('removeTotp', { body: { password } })
      await refresh()
      showSuccess({ title: 'Authenticator app removed' })
      onClose()
    }
  }

  function handleCodes(codes: string[]) {
    void refresh()
    setStep({ kind: 'codes', codes })
  }

  const isShowingCodes = step.kind === 'codes'
  return (
    <Dialog
      onClose={onClose}
      title={isShowingCodes ? 'Your recovery codes' : titles[change]}
      size="md"
      // What is shown once does not vanish by a click beside it.
      closeOnClickOutside={step.kind === 'password'}
      closeOnEscape={!isShowingCodes}
      withCloseButton={!isShowingCodes}
    >
      {step.kind === 'password' && (
        <PasswordAgain
          actionLabel={change === 'remove' ? 'Remove' : 'Continue'}
          isDestructive={change === 'remove'}
          action={begin}
          onCancel={onClose}
        >
          {change === 'set-up' && 'From then on you need a code of the app besides your password. '}
          {change === 'renew-codes' && 'The codes that you have will stop working. '}
          {change === 'remove' && 'Your password alone will let you in then, and your recovery codes stop working. '}
        </PasswordAgain>
      )}
      {step.kind === 'confirm' && <TotpConfirm {...step} onConfirmed={handleCodes} onCancel={onClose} />}
      {step.kind === 'codes' && <RecoveryCodes codes={step.codes} onDone={onClose} />}
    </Dialog>
  )
}
