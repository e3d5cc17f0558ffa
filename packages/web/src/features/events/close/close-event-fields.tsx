import { type CloseReason, personCloseReasons } from '@benchwatch/contract/vocabulary'
import { Button, Group, Kbd, NativeSelect, Radio, Stack, Textarea, TextInput } from '@mantine/core'
import { useRef, useState } from 'react'
import '@mantine/core/styles/Kbd.layer.css'
import '@mantine/core/styles/Radio.layer.css'
import { Chevron } from '../../../ui/text/chevron.tsx'
import {
  CASE_REASON,
  type CloseEventForm,
  caseNumberHint,
  caseNumberState,
  caseUrlHint,
  caseUrlState,
  isCommentTooLong,
} from './close-event-form.ts'

/** The usual reasons, pressed or chosen by the first letter of their text. */
const letters = personCloseReasons.map((reason) => ({ letter: reason.charAt(0), reason }))

/** Fields for reason, service case and comment, for one event or many. The rules are in close-event-form.ts. */
export function CloseEventFields({
  form,
  desk = null,
  onChange,
}: {
  form: CloseEventForm
  /** The name of the case desk, if it can create the case. */
  desk?: string | null
  onChange: (form: CloseEventForm) => void
}) {
  // A closed event may have a reason that only the system sets. It stays visible but cannot be chosen.
  const isSystemReason = form.reason !== null && !personCloseReasons.includes(form.reason)
  const [isFocusWanted, setFocusWanted] = useState(false)
  const select = useRef<HTMLSelectElement>(null)
  // The arrow keys go through the reasons, so the focus must not leave the field in the meantime.
  const isByArrow = useRef(false)
  const asksNumber = form.reason === CASE_REASON && (desk === null || form.caseBy === 'person')

  function choose(reason: CloseReason | null) {
    setFocusWanted(!isByArrow.current)
    onChange({ ...form, reason })
  }

  return (
    <>
      <NativeSelect
        ref={select}
        label="Reason"
        data-autofocus={!(asksNumber && isFocusWanted) || undefined}
        aria-keyshortcuts={letters.map(({ letter }) => letter).join(' ')}
        onKeyDown={(key) => {
          isByArrow.current = key.key.startsWith('Arrow')
          if (key.ctrlKey || key.metaKey || key.altKey || key.repeat) return
          const chosen = letters.find(({ letter }) => letter === key.key.toUpperCase())
          if (chosen !== undefined) choose(chosen.reason)
          else if (key.key === 'Enter')
            key.currentTarget.form?.querySelector<HTMLElement>('button[type="submit"]')?.click()
          else return
          key.preventDefault()
        }}
        onPointerDown={() => {
          isByArrow.current = false
        }}
        rightSection={<Chevron to="down" />}
        value={form.reason ?? ''}
        onChange={({ currentTarget }) => choose((currentTarget.value || null) as CloseReason | null)}
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
      <Group gap={6} mt={-6} role="group" aria-label="Usual choices">
        {letters.map(({ letter, reason }) => (
          <Button
            key={letter}
            variant={reason === form.reason ? 'light' : 'default'}
            px={10}
            fw={450}
            aria-pressed={reason === form.reason}
            leftSection={
              <Kbd size="xs" aria-hidden="true">
                {letter}
              </Kbd>
            }
            onClick={() => {
              isByArrow.current = false
              choose(reason)
              // Its keys act on what was chosen: Enter closes, a letter chooses again.
              select.current?.focus()
            }}
          >
            {reason}
          </Button>
        ))}
      </Group>
      {form.reason === CASE_REASON && desk !== null && (
        <Radio.Group label="Service case" value={form.caseBy} onChange={(caseBy) => onChange({ ...form, caseBy })}>
          <Stack gap={8} mt={6}>
            <Radio
              value="desk"
              label={`Create the case in ${desk}`}
              description="The event is closed when the case exists."
            />
            <Radio value="person" label="Enter the number of a case" />
          </Stack>
        </Radio.Group>
      )}
      {asksNumber && (
        <CaseFields
          autoFocus={isFocusWanted}
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

/** Number and URL of a service case; the URL field appears once the number is valid. */
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
        // The dialog moves the focus a second time, after a timer.
        data-autofocus={props.autoFocus || undefined}
        inputMode="numeric"
        autoComplete="off"
        maxLength={40}
        value={caseNumber}
        error={numberState === 'invalid' && `Enter a valid case number (${caseNumberHint()})`}
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

/** Comment on how an event was closed. */
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
