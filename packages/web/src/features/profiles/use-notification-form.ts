import type { Profile } from '@benchwatch/contract/profiles'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { applyEdits, conflicts, isSame } from '../../lib/draft.ts'
import { call } from '../../lib/http.ts'
import { reasonOf } from '../../lib/reason.ts'
import { showFailure, showSuccess } from '../../ui/toasts.ts'
import { type Draft, useDraft } from '../../ui/use-draft.ts'
import {
  type FormPart,
  formParts,
  type NotificationForm,
  notificationForm,
  partSettings,
  profileOf,
} from './notification-form.ts'
import { profilesQuery } from './profiles.api.ts'
import { savingToasts } from './saving-toasts.ts'

export interface EditedForm {
  draft: Draft<NotificationForm>
  isSaving: boolean
  /** One call for each profile that differs. What could not be saved stays a draft, what was saved counts as saved. */
  save: () => Promise<void>
}

/** The three profiles as they are edited, and their saving. */
export function useNotificationForm(profiles: readonly Profile[]): EditedForm {
  const client = useQueryClient()
  const record = notificationForm(profiles)
  const draft = useDraft(record)
  const [isSaving, setSaving] = useState(false)

  async function put(form: NotificationForm, part: FormPart, id: string) {
    const saved = await call('updateProfile', { params: { id }, body: partSettings(form, part) })
    client.setQueryData(profilesQuery().queryKey, (known) => known?.map((one) => (one.id === id ? saved : one)))
  }

  async function saveChanged() {
    // Another window may have saved since: what both changed is shown before it is replaced.
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
