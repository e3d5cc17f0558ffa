import type { Toast } from '../../ui/toasts.ts'
import { type FormPart, partTitles } from './notification-form.ts'

/** What became of saving: one toast for what was saved, and one for each profile that was not (3-decisions 9). */
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
