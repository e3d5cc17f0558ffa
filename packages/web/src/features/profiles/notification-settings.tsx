import type { Profile } from '@benchwatch/contract/profiles'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { type FormEvent, useState } from 'react'
import { flushSync } from 'react-dom'
import { pageSettings } from '../../lib/page-settings.ts'
import { PRODUCT_NAME, productQuery } from '../../lib/product.ts'
import { useSession } from '../../lib/session/use-session.ts'
import { ErrorState } from '../../ui/error-state.tsx'
import { FormSkeleton } from '../../ui/form-skeleton.tsx'
import { Notice } from '../../ui/notice.tsx'
import { SaveBar } from '../../ui/save-bar.tsx'
import { useLeaveGuard } from '../../ui/use-leave-guard.ts'
import { meQuery } from '../users/users.api.ts'
import { emailProblems } from './email-form.ts'
import { MessageAddresses } from './message-addresses.tsx'
import { partTitles, profileOf } from './notification-form.ts'
import styles from './notification-settings.module.css'
import { ProfileCard } from './profile-card.tsx'
import { profilesQuery } from './profiles.api.ts'
import { useNotificationForm } from './use-notification-form.ts'

/** Where notifications go, and of which events: document 2 section 2 "Settings". */
export function NotificationSettings() {
  // Another window or device may have changed them.
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
  // Until the deployment is known nothing is offered that it may not have.
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
          Changed in another window as well: {draft.contested.map((part) => partTitles[part]).join(', ')}. Save puts
          what stands here in its place; Cancel shows what was saved there.
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
        You are told once of each event that a profile lets through. When many come in a short time, those above the
        limit reach you together in one digest; what happens while an instrument is in maintenance waits until that
        ends.
      </p>
      <Link to="/notifications">What I was told</Link>
    </div>
  )
}
