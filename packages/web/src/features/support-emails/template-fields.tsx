import { limits } from '@benchwatch/contract/vocabulary'
import { Checkbox, Textarea, TextInput } from '@mantine/core'
import { useLayoutEffect, useRef } from 'react'
import type { FieldProblems } from '../../lib/field-problems.ts'
import { hintBelow } from '../../ui/hint-below.ts'
import { HtmlField } from '../../ui/html-field.tsx'
import { PlaceholderList } from './placeholder-list.tsx'
import { placeholderProblems, type TemplateDraft, templateLabels } from './template-draft.ts'

/** The fields of a template. Placeholders go into the text that was edited last, the body at first. */
export function TemplateFields(props: {
  values: TemplateDraft
  problems: FieldProblems
  onChange: (edits: Partial<TemplateDraft>) => void
}) {
  const { values, onChange } = props
  const subject = useRef<HTMLInputElement>(null)
  const body = useRef<HTMLTextAreaElement>(null)
  const edited = useRef<'subject' | 'body' | null>(null)
  /** Where the cursor goes once a placeholder stands in its field. */
  const cursor = useRef<number | null>(null)
  // Slips in braces are told as they are typed, everything else when somebody saves.
  const problems = { ...props.problems, ...placeholderProblems(values) }

  function insert(placeholder: string) {
    const name = edited.current ?? 'body'
    const field = name === 'subject' ? subject.current : body.current
    if (field === null) return
    const end = field.value.length
    const [from, to] = edited.current === null ? [end, end] : [field.selectionStart ?? end, field.selectionEnd ?? end]
    const text = field.value.slice(0, from) + placeholder + field.value.slice(to)
    if (text.length > field.maxLength) return
    cursor.current = from + placeholder.length
    field.focus()
    onChange({ [name]: text })
  }

  useLayoutEffect(() => {
    const field = edited.current === 'subject' ? subject.current : body.current
    if (cursor.current !== null) field?.setSelectionRange(cursor.current, cursor.current)
    cursor.current = null
  }, [values])

  return (
    <>
      <div data-wide>
        <TextInput
          label={templateLabels.componentName}
          description="The part that the module code stands for, as people read it."
          inputWrapperOrder={hintBelow}
          required
          autoComplete="off"
          maxLength={120}
          value={values.componentName}
          error={problems.componentName}
          onChange={({ currentTarget }) => onChange({ componentName: currentTarget.value })}
        />
      </div>
      <div data-wide>
        <TextInput
          ref={subject}
          label={templateLabels.subject}
          required
          autoComplete="off"
          maxLength={limits.supportEmailSubject}
          value={values.subject}
          error={problems.subject}
          onFocus={() => {
            edited.current = 'subject'
          }}
          onChange={({ currentTarget }) => onChange({ subject: currentTarget.value })}
        />
      </div>
      <div data-wide>
        <Textarea
          ref={body}
          label={templateLabels.body}
          description="Plain text; an empty line begins a paragraph."
          inputWrapperOrder={hintBelow}
          required
          autosize
          minRows={8}
          maxRows={22}
          maxLength={limits.supportEmailBody}
          value={values.body}
          error={problems.body}
          onFocus={() => {
            edited.current = 'body'
          }}
          onChange={({ currentTarget }) => onChange({ body: currentTarget.value })}
        />
      </div>
      <PlaceholderList onInsert={insert} />
      <HtmlField
        label={templateLabels.troubleshooting}
        description="HTML. Stands where {troubleshooting} is named."
        maxLength={50_000}
        value={values.troubleshooting}
        error={problems.troubleshooting}
        onChange={(troubleshooting) => onChange({ troubleshooting })}
      />
      <Checkbox
        label={templateLabels.closesEvent}
        description="By the system, with ‘Closed by automatic email’, unless somebody has taken the event."
        checked={values.closesEvent}
        onChange={({ currentTarget }) => onChange({ closesEvent: currentTarget.checked })}
      />
      <Checkbox
        label={templateLabels.underReview}
        description="Nobody is mailed about this error until the review is over."
        checked={values.underReview}
        onChange={({ currentTarget }) => onChange({ underReview: currentTarget.checked })}
      />
    </>
  )
}
