import { Textarea, TextInput } from '@mantine/core'
import { caseNumberHint, caseNumberState, caseUrlHint, caseUrlState, isCommentTooLong } from './close-event-form.ts'

/** Number and address of a service case; the address is asked for once the number is valid. */
export function CaseFields(props: {
  caseNumber: string
  caseUrl: string
  autoFocus?: boolean
  onCaseNumber: (caseNumber: string) => void
  onCaseUrl: (caseUrl: string) => void
}) {
  const { caseNumber, caseUrl } = props
  const numberState = caseNumberState(caseNumber)
  return (
    <>
      <TextInput
        label="Service case number"
        description={caseNumberHint()}
        required
        autoFocus={props.autoFocus}
        inputMode="numeric"
        autoComplete="off"
        maxLength={40}
        value={caseNumber}
        error={numberState === 'invalid' && `Not a case number (${caseNumberHint()})`}
        onChange={({ currentTarget }) => props.onCaseNumber(currentTarget.value)}
      />
      {numberState === 'valid' && (
        <TextInput
          label="Case URL (optional)"
          type="url"
          autoComplete="off"
          value={caseUrl}
          error={caseUrlState(caseUrl) === 'invalid' && caseUrlHint()}
          onChange={({ currentTarget }) => props.onCaseUrl(currentTarget.value)}
        />
      )}
    </>
  )
}

/** What somebody writes about how an event was closed. */
export function CommentField(props: {
  label: string
  comment: string
  autoFocus?: boolean
  onChange: (comment: string) => void
}) {
  return (
    <Textarea
      label={props.label}
      autoFocus={props.autoFocus}
      rows={4}
      resize="vertical"
      value={props.comment}
      error={isCommentTooLong(props.comment) && 'A comment has at most 2000 characters'}
      onChange={({ currentTarget }) => props.onChange(currentTarget.value)}
    />
  )
}
