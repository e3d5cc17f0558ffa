import { NativeSelect, TextInput } from '@mantine/core'
import { DatePicker } from '@mantine/dates'
import '@mantine/dates/styles.layer.css'
import type { FieldProblems } from '../../lib/field-problems.ts'
import { isKnownZone, viewerZone, wallTime } from '../../lib/zone-clock.ts'
import styles from './maintenance-fields.module.css'
import { type FormContext, formProblems, type MaintenanceForm, withDays } from './maintenance-form.ts'
import { RepeatFields } from './repeat-fields.tsx'
import { SwitchLine } from './switch-line.tsx'
import { WindowPreview } from './window-preview.tsx'

/** The days of a maintenance, their times, on whose clock, and whether they repeat; read back below. */
export function RangeFields(props: {
  form: MaintenanceForm
  context: FormContext
  siteZone: string
  refused: FieldProblems
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
          aria-label="Days of the maintenance"
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
              form.isAllDay ? 'Today starts now; the last day is included.' : 'From a time of day to a time of day.'
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
          label="By the clock of"
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

/** The viewer's zone, the instrument's, and what was chosen by somebody elsewhere. */
function zoneChoices(chosen: string, siteZone: string): { value: string; label: string }[] {
  const own = viewerZone()
  const whose = (zone: string) =>
    [zone === own && 'yours', zone === siteZone && 'the instrument’s'].filter(Boolean).join(' and ')
  return [...new Set([own, siteZone, chosen])].filter(isKnownZone).map((value) => {
    const words = whose(value)
    return { value, label: words === '' ? value : `${value} (${words})` }
  })
}
