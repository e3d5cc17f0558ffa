import { MAX_ADDRESS_LENGTH } from '@benchwatch/contract/field-rules'
import { TextInput } from '@mantine/core'
import { useState } from 'react'
import { hintBelow } from '../../ui/form/code-field.tsx'
import { RecordForm } from '../../ui/form/record-form.tsx'
import { useLeaveGuard } from '../../ui/form/use-draft.ts'
import { anyProblem, useSaving } from '../../ui/form/use-saving.ts'
import { Card } from '../../ui/layout/card.tsx'
import { showSuccess } from '../../ui/overlay/toasts.ts'
import { AccountFields } from './account-fields.tsx'
import { emptyAccountForm, invitationProblems, newAccount } from './account-form.ts'
import { useInviteUser } from './administration.api.ts'

/** Invites a user, who gets a temporary password by e-mail. `onInvited` and `onCancel` leave the screen. */
export function InviteUser(props: { onInvited: (id: string) => void; onCancel: () => void }) {
  const [email, setEmail] = useState('')
  const [form, setForm] = useState(emptyAccountForm)
  const { isSaving, problems, failure, save } = useSaving()
  const invite = useInviteUser()
  const isChanged = email !== '' || JSON.stringify(form) !== JSON.stringify(emptyAccountForm)
  useLeaveGuard(isChanged && !isSaving)

  async function send() {
    const found = anyProblem(invitationProblems(form, email))
    if (found !== null) return found
    const account = await invite.mutateAsync(newAccount(form, email))
    showSuccess({ title: `${account.userId} invited`, message: 'A temporary password was sent by e-mail.' })
    props.onInvited(account.id)
    return null
  }

  return (
    <Card>
      <RecordForm
        saveLabel="Send invitation"
        discardLabel="Cancel"
        isChanged={isChanged}
        isPending={isSaving}
        problem={failure}
        problems={problems}
        onSave={() => void save(send)}
        onDiscard={props.onCancel}
      >
        <TextInput
          wrapperProps={{ 'data-wide': true }}
          label="E-mail address"
          inputWrapperOrder={hintBelow}
          description="This is the user ID. A temporary password, valid for 7 days, is sent to it."
          type="email"
          required
          autoComplete="off"
          spellCheck={false}
          autoFocus
          maxLength={MAX_ADDRESS_LENGTH}
          value={email}
          error={problems.email}
          onChange={({ currentTarget }) => setEmail(currentTarget.value)}
        />
        <AccountFields
          values={form}
          problems={problems}
          isOwn={false}
          onChange={(edits) => setForm((known) => ({ ...known, ...edits }))}
        />
      </RecordForm>
    </Card>
  )
}
