import type { Account } from '@benchwatch/contract/administration'
import { featureKeys } from '@benchwatch/contract/vocabulary'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { conflicts } from '../../lib/draft.ts'
import { isNotFound } from '../../lib/http.ts'
import { formatEventTime } from '../../lib/time/dates.ts'
import { FormSkeleton, RecordForm } from '../../ui/form/record-form.tsx'
import { useDraft, useLeaveGuard } from '../../ui/form/use-draft.ts'
import { anyProblem, useSaving } from '../../ui/form/use-saving.ts'
import { Card } from '../../ui/layout/card.tsx'
import { PageHeader } from '../../ui/layout/page-frame.tsx'
import { showSuccess } from '../../ui/overlay/toasts.ts'
import { ErrorState } from '../../ui/text/notice.tsx'
import { StatusMark } from '../../ui/text/status-mark.tsx'
import { AccountActions } from './account-actions.tsx'
import { AccountFields } from './account-fields.tsx'
import {
  type AccountForm,
  accountChange,
  accountFieldLabels,
  accountForm,
  accountName,
  accountProblems,
  accountState,
  secondFactorLabel,
} from './account-form.ts'
import { accountQuery, type FlagValue, featureFlagsQuery, useUpdateAccount } from './administration.api.ts'
import styles from './administration.module.css'
import { featureLabels, useFlagChange } from './feature-flags.tsx'

const keysOfUsers = featureKeys.filter((key) => !featureLabels[key].isForDeploymentOnly)

/** One user: account, access, flags and actions. `ownId` is the id of the administrator who looks. */
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
    return <ErrorState title="User not found">Check the address, or look in the list of users.</ErrorState>
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
                <StatusMark tone={state.tone}>{state.label}</StatusMark>
              </dd>
              <dt>Second factor</dt>
              <dd>{secondFactorLabel(account)}</dd>
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
    // Keeps the changes that others made since the page was opened. Fields that both changed are shown before they are
    // overwritten.
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
    showSuccess({ title: `${accountName(saved)} saved`, message: 'Changes apply immediately.' })
    return null
  }

  function discard() {
    draft.discard()
    forget()
  }

  const labelsOf = (fields: (keyof AccountForm)[]) => fields.map((field) => accountFieldLabels[field])
  return (
    <Card title="Account and access">
      <RecordForm
        saveLabel="Save"
        isChanged={draft.isChanged}
        isPending={isSaving}
        problem={failure}
        problems={problems}
        elsewhere={{ labels: labelsOf(draft.changedElsewhere), contested: labelsOf(draft.contested) }}
        onSave={() => void save(replace)}
        onDiscard={discard}
      >
        <AccountFields values={draft.values} problems={problems} isOwn={isOwn} onChange={draft.change} />
      </RecordForm>
    </Card>
  )
}

/** Offers the flags that can be set for one user: on, off, or the deployment's value. */
export function AccountFeatures({ account }: { account: Account }) {
  const { data: flags } = useQuery(featureFlagsQuery())
  const { change, pendingKey } = useFlagChange()
  const holder = { kind: 'user', id: account.id, name: accountName(account) } as const
  return (
    <Card title="Feature flags">
      <p className={styles.featuresIntro}>
        A user’s own value overrides the deployment’s. Changes apply immediately. Flags that apply only to the
        deployment are set under <Link to="/administration/features">Feature flags</Link>.
      </p>
      <ul className={styles.flags}>
        {keysOfUsers.map((key) => {
          const own = account.features.find((feature) => feature.key === key)?.value ?? null
          const deployment = flags?.find((flag) => flag.key === key)
          const { title, effect } = featureLabels[key]
          return (
            <li key={key} title={effect}>
              <label htmlFor={`flag-${key}`}>{title}</label>
              <select
                id={`flag-${key}`}
                value={own ?? ''}
                data-own={own !== null || undefined}
                disabled={pendingKey === key}
                onChange={({ currentTarget }) => void change(key, (currentTarget.value || null) as FlagValue, holder)}
              >
                <option value="">
                  {deployment === undefined
                    ? 'As deployment'
                    : `As deployment (${deployment.value === 'true' ? 'on' : 'off'})`}
                </option>
                <option value="true">On</option>
                <option value="false">Off</option>
              </select>
            </li>
          )
        })}
      </ul>
    </Card>
  )
}
