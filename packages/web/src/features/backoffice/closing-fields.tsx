import { eventFormLabels as labels } from '@benchwatch/contract/backoffice-event-form'
import { limits } from '@benchwatch/contract/vocabulary'
import { TextInput } from '@mantine/core'
import type { FieldProblems } from '../../lib/field-problems.ts'
import type { EventValues } from './event-form.ts'

/** What belongs to the reason of a closed event: a comment, or the case that was made. */
export function ClosingFields(props: {
  values: EventValues
  problems: FieldProblems
  onChange: (edits: Partial<EventValues>) => void
}) {
  const { reasonClosed } = props.values
  const isCase = reasonClosed === 'Service Case Created'
  const fields = [
    { field: 'reasonClosedComment', maxLength: limits.reasonClosedComment, isOpen: reasonClosed !== '' && !isCase },
    { field: 'serviceMaxCaseNumber', maxLength: 40, isOpen: isCase },
    { field: 'serviceMaxUrl', maxLength: limits.serviceMaxUrl, isOpen: isCase },
  ] as const
  return fields.map(({ field, maxLength, isOpen }) => (
    <TextInput
      key={field}
      label={labels[field]}
      disabled={!isOpen}
      required={isOpen && field === 'serviceMaxCaseNumber'}
      maxLength={maxLength}
      autoComplete="off"
      spellCheck={false}
      value={props.values[field]}
      error={props.problems[field]}
      onChange={({ currentTarget }) => props.onChange({ [field]: currentTarget.value })}
    />
  ))
}
