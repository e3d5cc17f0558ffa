import { connectionPlaceholders } from '@benchwatch/contract/placeholders'
import {
  type ConnectionEventKind,
  limits,
  type Severity,
  severities,
  severityNames,
} from '@benchwatch/contract/vocabulary'
import { NativeSelect, Textarea, TextInput } from '@mantine/core'
import type { FieldProblems } from '../../lib/field-problems.ts'
import { hintBelow } from '../../ui/hint-below.ts'
import { PlaceholderList } from '../../ui/placeholder-list.tsx'
import { usePlaceholderInsert } from '../../ui/use-placeholder-insert.ts'
import { type ConnectionDraft, connectionLabels, connectionSlips } from './connection-draft.ts'

/** The fields of an event about a lost connection. Placeholders go into the text that was edited last, the description at first. */
export function ConnectionTemplateFields(props: {
  kind: ConnectionEventKind
  values: ConnectionDraft
  problems: FieldProblems
  onChange: (edits: Partial<ConnectionDraft>) => void
}) {
  const { kind, values, onChange } = props
  const { register, focused, insert } = usePlaceholderInsert<'description' | 'userMessage'>({
    first: 'description',
    values,
    onChange: (name, text) => onChange({ [name]: text }),
  })
  // Slips in braces are told as they are typed, everything else when somebody saves.
  const problems = { ...props.problems, ...connectionSlips(kind, values) }
  return (
    <>
      <div data-wide>
        <TextInput
          ref={(field) => register('description', field)}
          label={connectionLabels.description}
          required
          autoComplete="off"
          maxLength={limits.connectionDescription}
          value={values.description}
          error={problems.description}
          onFocus={() => focused('description')}
          onChange={({ currentTarget }) => onChange({ description: currentTarget.value })}
        />
      </div>
      <div data-wide>
        <Textarea
          ref={(field) => register('userMessage', field)}
          label={connectionLabels.userMessage}
          description="What whoever works with the instrument can do. None if empty."
          inputWrapperOrder={hintBelow}
          autosize
          minRows={2}
          maxRows={12}
          maxLength={limits.connectionUserMessage}
          value={values.userMessage}
          error={problems.userMessage}
          onFocus={() => focused('userMessage')}
          onChange={({ currentTarget }) => onChange({ userMessage: currentTarget.value })}
        />
      </div>
      <PlaceholderList placeholders={connectionPlaceholders[kind]} onInsert={insert} />
      <NativeSelect
        label={connectionLabels.severity}
        value={values.severity}
        error={problems.severity}
        data={severities.map((value) => ({ value, label: severityNames[value] }))}
        onChange={({ currentTarget }) => onChange({ severity: currentTarget.value as Severity })}
      />
    </>
  )
}
