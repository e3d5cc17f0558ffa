import type { Profile } from '@benchwatch/contract/profiles'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { type FormEvent, useState } from 'react'
import { flushSync } from 'react-dom'
import { applyEdits, conflicts, isSame } from '../../lib/draft.ts'
import { reasonOf } from '../../lib/folded.ts'
import { call } from '../../lib/http.ts'
import { PRODUCT_NAME, pageSettings, productQuery } from '../../lib/page-settings.ts'
import { useSession } from '../../lib/session/session.ts'
import { FormSkeleton, SaveBar } from '../../ui/form/record-form.tsx'
import { type Draft, useDraft, useLeaveGuard } from '../../ui/form/use-draft.ts'
import { showFailure, showSuccess, type Toast } from '../../ui/overlay/toasts.ts'
import { ErrorState, Notice } from '../../ui/text/notice.tsx'
import { meQuery } from '../users/users.api.ts'
import { MessageAddresses } from './message-addresses.tsx'
import {
  emailProblems,
  type FormPart,
  formParts,
  type NotificationForm,
  notificationForm,
  partSettings,
  partTitles,
  profileOf,
} from './notification-form.ts'
import styles from './notification-settings.module.css'
import { ProfileCard } from './profile-card.tsx'
import { profilesQuery } from './profiles.api.ts'

interface EditedForm {
  draft: Draft<NotificationForm>
  isSaving: boolean
  /** Sends one request per changed profile. Profiles that fail stay drafts. */
  save: () => Promise<void>
}

/** Addresses and filters for notifications (document 2 section 2 "Settings"). */
export function NotificationSettings() {
  // Another window or device may have changed the profiles.
  const profiles = useQuery({ ...profilesQuery(), staleTime: 0 })
  if (profiles.data !== undefined) return <ProfilesForm profiles={profiles.data} />
  if (profiles.isPending)
    return (
      <div className={styles.form}>
        <Intro />
        <FormSkeleton label="Loading addresses…" fields={2} />
        <FormSkeleton label="Loading profiles…" fields={8} />
      </div>
    )
  return (
    <ErrorState title="Could not get user profiles" onRetry={() => void profiles.refetch()}>
      {profiles.error.message}
    </ErrorState>
  )
}

function ProfilesForm({ profiles }: { profiles: readonly Profile[] }) {
  const { user } = useSession()
  const me = useQuery(meQuery()).data
  const product = useQuery(productQuery()).data
  const { draft, isSaving, save } = useNotificationForm(profiles)
  const [isSubmitted, setSubmitted] = useState(false)
  useLeaveGuard(draft.isChanged)

  const form = draft.values
  const ownAddress = me?.email ?? user?.mail ?? ''
  const domains = pageSettings().companyEmailDomains
  const problems = emailProblems(form.email, { product: product?.product ?? PRODUCT_NAME, domains })
  // SMS options appear only when the deployment is known to have them.
  const sms = { isOffered: product?.deployment === 'global', number: me?.msisdn ?? null }

  function handleSubmit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    flushSync(() => setSubmitted(true))
    event.currentTarget.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus()
    if (Object.keys(problems).length === 0 && draft.isChanged && !isSaving) void save()
  }

  function discard() {
    draft.discard()
    setSubmitted(false)
  }

  return (
    <form className={styles.form} onSubmit={handleSubmit} noValidate aria-label="Notifications">
      <Intro />
      {draft.contested.length > 0 && (
        <Notice tone="warning">
          Changed in another window as well: {draft.contested.map((part) => partTitles[part]).join(', ')}. Save
          overwrites it with your values; Cancel shows the saved values.
        </Notice>
      )}
      <MessageAddresses
        form={form.email}
        ownAddress={ownAddress}
        sms={sms}
        problems={problems}
        isSubmitted={isSubmitted}
        placeholder={`name@${domains[0] ?? 'company.example'}`}
        isSaving={isSaving}
        onChange={(edits) => draft.change({ email: { ...form.email, ...edits } })}
      />
      {(['new_event_notification', 'assign_me_notification'] as const).map((kind) => (
        <ProfileCard
          key={kind}
          kind={kind}
          saved={profileOf(profiles, kind)}
          settings={form[kind]}
          email={{ form: form.email, ownAddress }}
          sms={sms}
          isSaving={isSaving}
          onChange={(edits) => draft.change({ [kind]: { ...form[kind], ...edits } })}
        />
      ))}
      <SaveBar
        label="Save"
        discardLabel="Cancel"
        isApart
        isChanged={draft.isChanged}
        isPending={isSaving}
        onDiscard={discard}
      />
    </form>
  )
}

function Intro() {
  return (
    <div className={styles.intro}>
      <p>
        You get one notification per matching event. Above an hourly limit, notifications are combined into a digest.
        Notifications about an instrument in maintenance wait until the maintenance ends.
      </p>
      <Link to="/notifications">Notification history</Link>
    </div>
  )
}

/** Edits and saves the three profiles. */
function useNotificationForm(profiles: readonly Profile[]): EditedForm {
  const client = useQueryClient()
  const record = notificationForm(profiles)
  const draft = useDraft(record)
  const [isSaving, setSaving] = useState(false)

  async function put(form: NotificationForm, part: FormPart, id: string) {
    const saved = await call('updateProfile', { params: { id }, body: partSettings(form, part) })
    client.setQueryData(profilesQuery().queryKey, (known) => known?.map((one) => (one.id === id ? saved : one)))
  }

  async function saveChanged() {
    // Another window may have saved in the meantime. Parts that both changed are shown before they are overwritten.
    const fresh = await client.fetchQuery({ ...profilesQuery(), staleTime: 0 })
    const now = notificationForm(fresh)
    if (conflicts(draft.edits, record, now).length > 0) return
    const form = applyEdits(now, draft.edits)
    const changed = formParts.filter((part) => !isSame(form[part], now[part]))
    const outcomes = await Promise.allSettled(changed.map((part) => put(form, part, profileOf(fresh, part).id)))
    const failed = changed.flatMap((part, index) => {
      const outcome = outcomes[index]
      return outcome?.status === 'rejected' ? [{ part, reason: reasonOf(outcome.reason) }] : []
    })
    const done = formParts.filter((part) => failed.every((other) => other.part !== part))
    draft.saved(notificationForm(client.getQueryData(profilesQuery().queryKey) ?? fresh), done)
    const { success, failures } = savingToasts({ saved: changed.filter((part) => done.includes(part)), failed })
    if (success !== null) showSuccess(success)
    for (const failure of failures) showFailure(failure)
  }

  async function save() {
    setSaving(true)
    try {
      await saveChanged()
    } catch (error) {
      showFailure({ title: 'Could not update profile', message: reasonOf(error) })
    } finally {
      setSaving(false)
    }
  }

  return { draft, isSaving, save }
}

/** Returns the toasts after saving: one for all saved profiles, and one for each that failed (3-decisions 9). */
export function savingToasts(outcome: {
  saved: readonly FormPart[]
  failed: readonly { part: FormPart; reason: string }[]
}): { success: Toast | null; failures: Toast[] } {
  const { saved, failed } = outcome
  const message = saved.map((part) => partTitles[part]).join(', ')
  const title = saved.length > 1 ? 'Profiles updated successfully' : 'Profile update successful'
  return {
    success: saved.length > 0 ? { title, message } : null,
    failures: failed.map(({ part, reason }) => ({
      title: 'Could not update profile',
      message: `${partTitles[part]}: ${reason}`,
    })),
  }
}
