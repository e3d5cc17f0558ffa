import { NativeSelect, TextInput } from '@mantine/core'
import { DatePicker } from '@mantine/dates'
import '@mantine/dates/styles.layer.css'
import type { Maintenance } from '@benchwatch/contract/maintenance'
import { type UseQueryResult, useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { ApiError } from '../../lib/http.ts'
import { formatTooltipTime } from '../../lib/time/dates.ts'
import { isKnownZone, viewerZone, wallTime } from '../../lib/time/zone-clock.ts'
import { RetryLine } from '../../ui/text/notice.tsx'
import { maintenancePreviewQuery, type RecurringWindow } from './maintenance.api.ts'
import styles from './maintenance-fields.module.css'
import {
  type FormContext,
  firstWindow,
  formProblems,
  type MaintenanceForm,
  scheduleOf,
  withDays,
} from './maintenance-form.ts'
import { formSentence, windowLabel } from './maintenance-labels.ts'
import { RepeatFields } from './repeat-fields.tsx'
import { SwitchLine } from './switch-line.tsx'

/** The days, times, time zone and repeat of a maintenance, with a preview below. */
export function RangeFields(props: {
  form: MaintenanceForm
  context: FormContext
  siteZone: string
  refused: Readonly<Record<string, ReactNode>>
  onChange: (edits: Partial<MaintenanceForm>) => void
}) {
  const { form, context, refused, onChange } = props
  const today = wallTime(context.now, form.zone).day
  const problems = formProblems(form, context)
  const rangeProblem = problems.range ?? refused['start'] ?? refused['end']
  return (
    <div className={styles.range}>
      <div className={styles.days}>
        <div
          className={styles.calendar}
          role="group"
          aria-label="Maintenance days"
          data-invalid={rangeProblem !== undefined || undefined}
        >
          <DatePicker
            type="range"
            allowSingleDateInRange
            size="sm"
            firstDayOfWeek={1}
            weekendDays={[]}
            hideOutsideDates
            minDate={today}
            defaultDate={form.firstDay ?? today}
            value={[form.firstDay, form.lastDay]}
            onChange={([firstDay, lastDay]) => onChange(withDays(form, { firstDay, lastDay }))}
            ariaLabels={{ previousMonth: 'Previous month', nextMonth: 'Next month' }}
          />
        </div>
        {rangeProblem !== undefined && (
          <p className={styles.problem} role="alert">
            {rangeProblem}
          </p>
        )}
      </div>
      <div className={styles.fields}>
        <div data-wide>
          <SwitchLine
            label="Whole days"
            isOn={form.isAllDay}
            hint={
              form.isAllDay
                ? 'Starts now if the first day is today. Includes the last day.'
                : 'Starts and ends at the times below.'
            }
            onChange={(isAllDay) => onChange({ isAllDay })}
          />
        </div>
        {!form.isAllDay && (
          <>
            <TextInput
              type="time"
              label="From"
              value={form.startTime}
              onChange={({ currentTarget }) => onChange({ startTime: currentTarget.value })}
            />
            <TextInput
              type="time"
              label="To"
              value={form.endTime}
              onChange={({ currentTarget }) => onChange({ endTime: currentTarget.value })}
            />
          </>
        )}
        <NativeSelect
          wrapperProps={{ 'data-wide': true }}
          label="Time zone"
          data={zoneChoices(form.zone, props.siteZone)}
          value={form.zone}
          error={refused['timeZone']}
          onChange={({ currentTarget }) => onChange({ zone: currentTarget.value })}
        />
        <RepeatFields
          repeat={form.repeat}
          firstDay={form.firstDay ?? today}
          problems={{ ...problems, ...(refused['rrule'] !== undefined && { unit: refused['rrule'] }) }}
          onChange={(edits) => onChange({ repeat: { ...form.repeat, ...edits } })}
        />
      </div>
      <WindowPreview form={form} context={context} />
    </div>
  )
}

/** Returns the viewer's zone, the instrument's, and the zone chosen by a user elsewhere. */
function zoneChoices(chosen: string, siteZone: string): { value: string; label: string }[] {
  const own = viewerZone()
  const owners = (zone: string) =>
    [zone === own && 'yours', zone === siteZone && 'the instrument’s'].filter(Boolean).join(' and ')
  return [...new Set([own, siteZone, chosen])].filter(isKnownZone).map((value) => {
    const note = owners(value)
    return { value, label: note === '' ? value : `${value} (${note})` }
  })
}

/** Shows the schedule as a sentence and, for a repeat, the next windows as the server would plan them. */
function WindowPreview({ form, context }: { form: MaintenanceForm; context: FormContext }) {
  const schedule = scheduleOf(form, context)
  const window = firstWindow(form, context)
  const recurring = recurringOf(schedule, context.edited)
  const preview = useQuery(maintenancePreviewQuery(recurring))
  if (schedule === null || window === null) {
    return form.firstDay === null || form.lastDay === null ? (
      <div className={styles.readBack}>Select a start and an end date.</div>
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
 * Returns the repeat to preview; null for a single window, and for an unchanged repeat with a count, because only the
 * server knows how many windows are left.
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
          {windowLabel({ start, end }, zone)}
        </li>
      ))}
    </ol>
  )
}
