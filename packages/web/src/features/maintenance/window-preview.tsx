import type { Maintenance } from '@benchwatch/contract/maintenance'
import { type UseQueryResult, useQuery } from '@tanstack/react-query'
import { formatTooltipTime } from '../../lib/dates.ts'
import { ApiError } from '../../lib/http.ts'
import { RetryLine } from '../../ui/retry-line.tsx'
import { maintenancePreviewQuery, type RecurringWindow } from './maintenance.api.ts'
import styles from './maintenance-fields.module.css'
import { type FormContext, firstWindow, type MaintenanceForm, scheduleOf } from './maintenance-form.ts'
import { formSentence, windowWords } from './maintenance-words.ts'

/** What was chosen as a sentence, and of a repeat the next windows as the server would plan them. */
export function WindowPreview({ form, context }: { form: MaintenanceForm; context: FormContext }) {
  const schedule = scheduleOf(form, context)
  const window = firstWindow(form, context)
  const recurring = recurringOf(schedule, context.edited)
  const preview = useQuery(maintenancePreviewQuery(recurring))
  if (schedule === null || window === null) {
    return form.firstDay === null || form.lastDay === null ? (
      <div className={styles.readBack}>Choose the first and the last day.</div>
    ) : null
  }
  return (
    <div className={styles.readBack} role="status">
      <p>{formSentence(form, { window, ...context })}</p>
      {recurring !== null && (
        <div className={styles.windows}>
          <span>Next windows</span>
          <NextWindows preview={preview} zone={recurring.timeZone} />
        </div>
      )}
    </div>
  )
}

/**
 * The repeat to ask about; null for a single window. Not one that was counted when it was set: how many of its windows
 * are left is the server's to know.
 */
function recurringOf(schedule: ReturnType<typeof scheduleOf>, edited: Maintenance | null): RecurringWindow | null {
  if (!schedule?.start || !schedule.end || !schedule.rrule || !schedule.timeZone) return null
  const { start, end, rrule, timeZone } = schedule
  const isCounted = edited?.rrule === rrule && edited.start === start && /COUNT/i.test(rrule)
  return isCounted ? null : { start, end, rrule, timeZone }
}

function NextWindows({
  preview,
  zone,
}: {
  preview: UseQueryResult<{ windows: { start: string; end: string }[] }>
  zone: string
}) {
  if (preview.error instanceof ApiError && preview.error.status < 500)
    return <span className={styles.problem}>{preview.error.message}</span>
  if (preview.isError)
    return <RetryLine onRetry={() => void preview.refetch()}>Could not get the next windows.</RetryLine>
  if (preview.data === undefined) return <span>…</span>
  return (
    <ol>
      {preview.data.windows.map(({ start, end }) => (
        <li key={start} title={`${formatTooltipTime(start)} – ${formatTooltipTime(end)}`}>
          {windowWords({ start, end }, zone)}
        </li>
      ))}
    </ol>
  )
}
