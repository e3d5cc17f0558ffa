import { limits } from '@benchwatch/contract/vocabulary'
import { Textarea } from '@mantine/core'
import type { FieldProblems } from '../../lib/field-problems.ts'
import styles from './maintenance-fields.module.css'
import { type FormContext, type MaintenanceForm, noRange } from './maintenance-form.ts'
import { RangeFields } from './range-fields.tsx'
import { SwitchLine } from './switch-line.tsx'

interface FieldsProps {
  form: MaintenanceForm
  context: FormContext
  siteZone: string
  /** What the server refused, by field. */
  refused: FieldProblems
  onChange: (edits: Partial<MaintenanceForm>) => void
}

/** "Maintenance mode", then "Date range", then when and why. */
export function MaintenanceFields(props: FieldsProps) {
  const { form, context, refused, onChange } = props
  return (
    <>
      <div className={styles.switches}>
        <SwitchLine
          label="Maintenance mode"
          isOn={form.isOn}
          hint={modeHint(form, context)}
          onChange={(isOn) => onChange({ isOn })}
        />
        {form.isOn && (
          <SwitchLine
            label="Date range"
            isOn={form.isRange}
            hint={form.isRange ? 'From the first to the last day that you choose.' : 'From now until somebody ends it.'}
            onChange={(isRange) => onChange(isRange ? { isRange } : noRange)}
          />
        )}
      </div>
      {form.isOn && form.isRange && <RangeFields key={context.edited?.id ?? 'another'} {...props} />}
      {form.isOn && (
        <Textarea
          label="Reason"
          placeholder="What is done, by whom"
          rows={2}
          maxLength={limits.maintenanceReason}
          value={form.reason}
          error={refused['reason']}
          onChange={({ currentTarget }) => onChange({ reason: currentTarget.value })}
        />
      )}
    </>
  )
}

/** What applying it means for the instrument and its events. */
function modeHint({ isOn }: MaintenanceForm, { edited }: FormContext): string {
  if (isOn) return 'Events are still recorded, and marked.'
  if (edited === null) return 'The instrument is not in maintenance.'
  return edited.rrule === null
    ? 'Applying it ends this maintenance.'
    : 'Applying it ends all windows of this maintenance.'
}
