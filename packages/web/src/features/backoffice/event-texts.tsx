import { eventFormLabels as labels } from '@benchwatch/contract/backoffice-event-form'
import { Textarea, TextInput } from '@mantine/core'
import type { FieldProblems } from '../../lib/field-problems.ts'
import { hintBelow } from '../../ui/hint-below.ts'
import type { EventValues } from './event-form.ts'

/** What the event says, and which error it is. */
export function EventTexts({
  values,
  problems,
  onChange,
}: {
  values: EventValues
  problems: FieldProblems
  onChange: (edits: Partial<EventValues>) => void
}) {
  return (
    <>
      <TextInput
        label={labels.templateId}
        required
        maxLength={60}
        autoComplete="off"
        spellCheck={false}
        inputWrapperOrder={hintBelow}
        description="Module code and error number, such as P9B-1042."
        value={values.templateId}
        error={problems.templateId}
        onChange={({ currentTarget }) => onChange({ templateId: currentTarget.value })}
      />
      <TextInput
        wrapperProps={{ 'data-wide': true }}
        label={labels.componentName}
        required
        maxLength={200}
        autoComplete="off"
        placeholder="Pump B (P9-B)"
        value={values.componentName}
        error={problems.componentName}
        onChange={({ currentTarget }) => onChange({ componentName: currentTarget.value })}
      />
      {(['description', 'userMessage'] as const).map((field) => (
        <Textarea
          key={field}
          label={labels[field]}
          required
          autosize
          minRows={2}
          maxRows={8}
          maxLength={10_000}
          value={values[field]}
          error={problems[field]}
          onChange={({ currentTarget }) => onChange({ [field]: currentTarget.value })}
        />
      ))}
    </>
  )
}
