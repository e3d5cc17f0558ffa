import type { Account } from '@benchwatch/contract/administration'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { formatEventTime } from '../../lib/dates.ts'
import { conflicts } from '../../lib/draft.ts'
import { isNotFound } from '../../lib/not-found.ts'
import { Card } from '../../ui/card.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { FormSkeleton } from '../../ui/form-skeleton.tsx'
import { PageHeader } from '../../ui/page-header.tsx'
import { RecordForm } from '../../ui/record-form.tsx'
import { StatusMark } from '../../ui/status-mark.tsx'
import { showSuccess } from '../../ui/toasts.ts'
import { useDraft } from '../../ui/use-draft.ts'
import { useLeaveGuard } from '../../ui/use-leave-guard.ts'
import { anyProblem, useSaving } from '../../ui/use-saving.ts'
import { AccountActions } from './account-actions.tsx'
import { AccountFeatures } from './account-features.tsx'
import { AccountFields } from './account-fields.tsx'
import { type AccountForm, accountChange, accountFieldLabels, accountForm, accountProblems } from './account-form.ts'
import { accountName, accountState, secondFactorWords } from './account-words.ts'
import { accountQuery, useUpdateAccount } from './administration.api.ts'
import styles from './administration.module.css'

/** One user: who they are, what they see, their flags, and what can be done for them. `ownId` is who looks. */
export function AccountPage({ id, ownId, crumbs }: { id: string; ownId: string; crumbs: ReactNode }) {
  const account = useQuery(accountQuery(id))
  if (account.data === undefined)
    return (
      <div className={styles.page}>
        <PageHeader crumbs={crumbs} title="User" />
        {account.isPending ? <FormSkeleton label="Loading user…" fields={6} /> : <Unreadable {...account} />}
      </div>
    )
  return <FoundAccount key={id} account={account.data} isOwn={id === ownId} crumbs={crumbs} />
}

function Unreadable({ error, refetch }: { error: Error; refetch: () => unknown }) {
  if (isNotFound(error))
    return <ErrorState title="There is no such user">Check the address, or find them in the list.</ErrorState>
  return (
    <ErrorState title="Could not get user" onRetry={() => void refetch()}>
      {error.message}
    </ErrorState>
  )
}

function FoundAccount({ account, isOwn, crumbs }: { account: Account; isOwn: boolean; crumbs: ReactNode }) {
  const state = accountState(account)
  return (
    <div className={styles.page}>
      <PageHeader crumbs={crumbs} title={accountName(account)} note={account.userId} />
      <div className={styles.columns}>
        <AccountCard account={account} isOwn={isOwn} />
        <div className={styles.column}>
          <Card title="Sign-in">
            <dl className={styles.facts}>
              <dt>State</dt>
              <dd>
                <StatusMark tone={state.tone}>{state.words}</StatusMark>
              </dd>
              <dt>Second factor</dt>
              <dd>{secondFactorWords(account)}</dd>
              <dt>Last signed in</dt>
              <dd>{account.lastSignedInAt === null ? 'Never' : formatEventTime(account.lastSignedInAt)}</dd>
              <dt>Added</dt>
              <dd>{formatEventTime(account.createdAt)}</dd>
            </dl>
            <AccountActions account={account} isOwn={isOwn} />
          </Card>
          <AccountFeatures account={account} />
        </div>
      </div>
    </div>
  )
}

function AccountCard({ account, isOwn }: { account: Account; isOwn: boolean }) {
  const client = useQueryClient()
  const record = accountForm(account)
  const draft = useDraft<AccountForm>(record)
  const { isSaving, problems, failure, save, forget } = useSaving()
  const update = useUpdateAccount()
  useLeaveGuard(draft.isChanged && !isSaving)

  async function replace() {
    // What others changed since the page was opened is taken along; what both changed is shown before it is replaced.
    const fresh = await client.fetchQuery(accountQuery(account.id))
    if (conflicts(draft.edits, record, accountForm(fresh)).length > 0) return null
    const form = { ...accountForm(fresh), ...draft.edits }
    const found = anyProblem(accountProblems(form))
    if (found !== null) return found
    const saved = await update.mutateAsync({
      id: account.id,
      change: accountChange(form, { disabled: fresh.state === 'disabled' }),
    })
    client.setQueryData(accountQuery(account.id).queryKey, saved)
    draft.saved(accountForm(saved))
    showSuccess({ title: `${accountName(saved)} saved`, message: 'It holds at once.' })
    return null
  }

  function discard() {
    draft.discard()
    forget()
  }

  const words = (fields: (keyof AccountForm)[]) => fields.map((field) => accountFieldLabels[field])
  return (
    <Card title="Person and access">
      <RecordForm
        saveLabel="Save"
        isChanged={draft.isChanged}
        isPending={isSaving}
        problem={failure}
        problems={problems}
        elsewhere={{ labels: words(draft.changedElsewhere), contested: words(draft.contested) }}
        onSave={() => void save(replace)}
        onDiscard={discard}
      >
        <AccountFields values={draft.values} problems={problems} isOwn={isOwn} onChange={draft.change} />
      </RecordForm>
    </Card>
  )
}
