import { type CloseReason, personCloseReasons } from '@benchwatch/contract/vocabulary'
import { NativeSelect } from '@mantine/core'
import { Chevron } from '../../ui/chevron.tsx'
import { CaseFields, CommentField } from './case-fields.tsx'
import { CASE_REASON, type CloseEventForm } from './close-event-form.ts'

/** Reason, service case and comment of a close, of one event or of many. What is valid stands in close-event-form.ts. */
export function CloseEventFields({
  form,
  onChange,
}: {
  form: CloseEventForm
  onChange: (form: CloseEventForm) => void
}) {
  // A closed event may carry a reason that only the system gives; it stays visible, but can't be chosen.
  const isSystemReason = form.reason !== null && !personCloseReasons.includes(form.reason)
  return (
    <>
      <NativeSelect
        label="Reason"
        data-autofocus
        rightSection={<Chevron to="down" />}
        value={form.reason ?? ''}
        onChange={({ currentTarget }) =>
          onChange({ ...form, reason: (currentTarget.value || null) as CloseReason | null })
        }
      >
        <option value="">Select option to close</option>
        {isSystemReason && (
          <option value={form.reason ?? ''} disabled>
            {form.reason}
          </option>
        )}
        {personCloseReasons.map((reason) => (
          <option key={reason} value={reason}>
            {reason}
          </option>
        ))}
      </NativeSelect>
      {form.reason === CASE_REASON && (
        <CaseFields
          caseNumber={form.caseNumber}
          caseUrl={form.caseUrl}
          onCaseNumber={(caseNumber) => onChange({ ...form, caseNumber })}
          onCaseUrl={(caseUrl) => onChange({ ...form, caseUrl })}
        />
      )}
      {form.reason !== null && form.reason !== CASE_REASON && (
        <CommentField
          label="Comment (optional)"
          comment={form.comment}
          onChange={(comment) => onChange({ ...form, comment })}
        />
      )}
    </>
  )
}
