import { supportEmailPlaceholders } from '@benchwatch/contract/placeholders'
import { limits } from '@benchwatch/contract/vocabulary'
import { Checkbox, Textarea, TextInput } from '@mantine/core'
import type { FieldProblems } from '../../lib/http.ts'
import { hintBelow } from '../../ui/form/code-field.tsx'
import { HtmlField } from '../../ui/form/html-field.tsx'
import { usePlaceholderInsert } from '../../ui/form/use-placeholder-insert.ts'
import { PlaceholderList } from '../../ui/text/skeleton.tsx'
import { type TemplateDraft, templateLabels, templateSlips } from './template-draft.ts'

/** The fields of a template. Placeholders are inserted into the last edited text, by default the body. */
export function TemplateFields(props: {
  values: TemplateDraft
  problems: FieldProblems
  onChange: (edits: Partial<TemplateDraft>) => void
}) {
  const { values, onChange } = props
  const { register, focused, insert } = usePlaceholderInsert<'subject' | 'body'>({
    first: 'body',
    values,
    onChange: (name, text) => onChange({ [name]: text }),
  })
  // Placeholder mistakes are shown while typing, everything else on saving.
  const problems = { ...props.problems, ...templateSlips(values) }

  return (
    <>
      <div data-wide>
        <TextInput
          label={templateLabels.componentName}
          description="Readable name of the module."
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
          ref={(field) => register('subject', field)}
          label={templateLabels.subject}
          required
          autoComplete="off"
          maxLength={limits.supportEmailSubject}
          value={values.subject}
          error={problems.subject}
          onFocus={() => focused('subject')}
          onChange={({ currentTarget }) => onChange({ subject: currentTarget.value })}
        />
      </div>
      <div data-wide>
        <Textarea
          ref={(field) => register('body', field)}
          label={templateLabels.body}
          description="Plain text; an empty line starts a new paragraph."
          inputWrapperOrder={hintBelow}
          required
          autosize
          minRows={8}
          maxRows={22}
          maxLength={limits.supportEmailBody}
          value={values.body}
          error={problems.body}
          onFocus={() => focused('body')}
          onChange={({ currentTarget }) => onChange({ body: currentTarget.value })}
        />
      </div>
      <PlaceholderList placeholders={supportEmailPlaceholders} onInsert={insert} />
      <HtmlField
        label={templateLabels.troubleshooting}
        description="HTML. Replaces {troubleshooting} in the body."
        maxLength={50_000}
        value={values.troubleshooting}
        error={problems.troubleshooting}
        onChange={(troubleshooting) => onChange({ troubleshooting })}
      />
      <Checkbox
        label={templateLabels.closesEvent}
        description="The system closes it with ‘Closed by automatic email’ unless a user owns it."
        checked={values.closesEvent}
        onChange={({ currentTarget }) => onChange({ closesEvent: currentTarget.checked })}
      />
      <Checkbox
        label={templateLabels.underReview}
        description="No e-mails are sent about this error until the review is finished."
        checked={values.underReview}
        onChange={({ currentTarget }) => onChange({ underReview: currentTarget.checked })}
      />
    </>
  )
}
