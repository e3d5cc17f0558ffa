import { type CloseReason, personCloseReasons } from '@benchwatch/contract/vocabulary'
import { NativeSelect, Textarea, TextInput } from '@mantine/core'
import { Chevron } from '../../ui/chevron.tsx'
import {
  CASE_REASON,
  type CloseEventForm,
  caseNumberHint,
  caseNumberState,
  caseUrlHint,
  caseUrlState,
  isCommentTooLong,
  showsCaseUrl,
} from './close-event-form.ts'

/** Reason, service case and comment of a close, of one event or of many. What is valid stands in close-event-form.ts. */
export function CloseEventFields({
  form,
  onChange,
}: {
  form: CloseEventForm
  onChange: (form: CloseEventForm) => void
}) {
  const numberState = caseNumberState(form.caseNumber)
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
        <TextInput
          label="Service case number"
          description={caseNumberHint()}
          required
          inputMode="numeric"
          autoComplete="off"
          maxLength={40}
          value={form.caseNumber}
          error={numberState === 'invalid' && `Not a case number (${caseNumberHint()})`}
          onChange={({ currentTarget }) => onChange({ ...form, caseNumber: currentTarget.value })}
        />
      )}
      {showsCaseUrl(form) && (
        <TextInput
          label="Case URL (optional)"
          type="url"
          autoComplete="off"
          value={form.caseUrl}
          error={caseUrlState(form.caseUrl) === 'invalid' && caseUrlHint()}
          onChange={({ currentTarget }) => onChange({ ...form, caseUrl: currentTarget.value })}
        />
      )}
      {form.reason !== null && form.reason !== CASE_REASON && (
        <Textarea
          label="Comment (optional)"
          rows={4}
          resize="vertical"
          value={form.comment}
          error={isCommentTooLong(form) && 'A comment has at most 2000 characters'}
          onChange={({ currentTarget }) => onChange({ ...form, comment: currentTarget.value })}
        />
      )}
    </>
  )
}
