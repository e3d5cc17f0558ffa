import type { Account } from '@benchwatch/contract/administration/administration'
import { Button, Group } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { reasonOf } from '../../lib/folded.ts'
import { readAgain } from '../../lib/read-again.ts'
import { confirm, type Question } from '../../ui/overlay/confirm.tsx'
import { showFailure, showSuccess } from '../../ui/overlay/toasts.ts'
import { accountChange, accountForm, accountName } from './account-form.ts'
import {
  accountQuery,
  useRepeatInvitation,
  useResetSecondFactor,
  useUnlockAccount,
  useUpdateAccount,
} from './administration.api.ts'

interface Action {
  label: string
  question: Question | null
  run: () => Promise<unknown>
  done: string
}

/** Buttons for a user other than editing. Those that end or send something ask for confirmation. */
export function AccountActions({ account, isOwn }: { account: Account; isOwn: boolean }) {
  const client = useQueryClient()
  const update = useUpdateAccount()
  const repeat = useRepeatInvitation()
  const unlock = useUnlockAccount()
  const reset = useResetSecondFactor()
  const isPending = [update, repeat, unlock, reset].some((mutation) => mutation.isPending)
  const name = accountName(account)

  async function setDisabled(disabled: boolean) {
    // The update replaces every field, so it starts from the current values, not those of when the page was opened.
    const now = await readAgain(client, accountQuery(account.id))
    const change = accountChange({ ...accountForm(now), name: accountName(now) }, { disabled })
    return update.mutateAsync({ id: account.id, change, etag: now.etag })
  }

  const actions: (Action | false)[] = [
    account.state === 'locked' && {
      label: 'Unlock',
      question: null,
      run: () => unlock.mutateAsync(account.id),
      done: `${name} unlocked`,
    },
    !isOwn &&
      account.state !== 'disabled' && {
        label: account.state === 'invited' ? 'Send invitation again' : 'Send a new temporary password',
        question: {
          message: `E-mail ${name} a new temporary password? The current password stops working and all their sessions end.`,
          confirmLabel: 'Send',
        },
        run: () => repeat.mutateAsync(account.id),
        done: `Temporary password sent to ${account.userId}`,
      },
    account.totp && {
      label: 'Reset second factor',
      question: {
        message: `Remove the authenticator app and recovery codes of ${name}? Make sure that the request came from them.`,
        confirmLabel: 'Reset',
        isDestructive: true,
      },
      run: () => reset.mutateAsync(account.id),
      done: `Second factor of ${name} reset`,
    },
    !isOwn &&
      !account.isProvisioned &&
      account.state !== 'disabled' && {
        label: 'Disable',
        question: {
          message: `Disable ${name}? They are signed out everywhere and can’t sign in until they are enabled again.`,
          confirmLabel: 'Disable',
          isDestructive: true,
        },
        run: () => setDisabled(true),
        done: `${name} disabled`,
      },
    !account.isProvisioned &&
      account.state === 'disabled' && {
        label: 'Enable',
        question: { message: `Enable ${name}? They can then sign in again.`, confirmLabel: 'Enable' },
        run: () => setDisabled(false),
        done: `${name} enabled`,
      },
  ]

  async function handleAction({ question, run, done, label }: Action) {
    if (question !== null && !(await confirm(question))) return
    try {
      await run()
      showSuccess({ title: done })
    } catch (error) {
      showFailure({ title: `${label}: ${name} was not changed`, message: reasonOf(error) })
    }
  }

  const offered = actions.filter((action) => action !== false)
  if (offered.length === 0) return null
  return (
    <Group gap={8} mt={14}>
      {offered.map((action) => (
        <Button
          key={action.label}
          variant="default"
          disabled={isPending}
          c={action.question?.isDestructive ? 'var(--bw-danger)' : undefined}
          onClick={() => void handleAction(action)}
        >
          {action.label}
        </Button>
      ))}
    </Group>
  )
}
