import { supportEmailPlaceholders } from '@benchwatch/contract/messages/placeholders'
import { limits } from '@benchwatch/contract/vocabulary'
import { Checkbox, Textarea, TextInput } from '@mantine/core'
import { HtmlField } from '../../ui/form/html-field.tsx'
import type { RecordForm } from '../../ui/form/record-form.tsx'
import { usePlaceholderInsert } from '../../ui/form/use-placeholder-insert.ts'
import { PlaceholderList } from '../../ui/text/skeleton.tsx'
import { type TemplateDraft, templateLabels, templateSlips } from './template-draft.ts'

/** The fields of a template. Placeholders are inserted into the last edited text, by default the body. */
export function TemplateFields({ form }: { form: RecordForm<TemplateDraft> }) {
  const { register, focused, insert } = usePlaceholderInsert<'subject' | 'body'>({
    first: 'body',
    values: form.values,
    onChange: (name, text) => form.change({ [name]: text }),
  })
  // Placeholder mistakes are shown while typing, everything else on saving.
  const slips = templateSlips(form.values)
  const field = (name: keyof TemplateDraft) => ({ label: templateLabels[name], ...form.getInputProps(name) })
  const wide = { wrapperProps: { 'data-wide': true } }
  const text = (name: 'subject' | 'body') => ({
    ref: (element: HTMLInputElement | HTMLTextAreaElement | null) => register(name, element),
    required: true,
    ...wide,
    ...field(name),
    ...(slips[name] !== undefined && { error: slips[name] }),
    onFocus: () => focused(name),
  })
  const box = (name: 'closesEvent' | 'underReview') => ({
    label: templateLabels[name],
    ...form.getInputProps(name, { type: 'checkbox' }),
  })
  return (
    <>
      <TextInput
        description="Readable name of the module."
        required
        autoComplete="off"
        maxLength={120}
        {...wide}
        {...field('componentName')}
      />
      <TextInput autoComplete="off" maxLength={limits.supportEmailSubject} {...text('subject')} />
      <Textarea
        description="Plain text; an empty line starts a new paragraph."
        autosize
        minRows={8}
        maxRows={22}
        maxLength={limits.supportEmailBody}
        {...text('body')}
      />
      <PlaceholderList placeholders={supportEmailPlaceholders} onInsert={insert} />
      <HtmlField
        description="HTML. Replaces {troubleshooting} in the body."
        maxLength={50_000}
        {...field('troubleshooting')}
      />
      <Checkbox
        description="The system closes it with ‘Closed by automatic email’ unless a user owns it."
        {...box('closesEvent')}
      />
      <Checkbox
        description="No e-mails are sent about this error until the review is finished."
        {...box('underReview')}
      />
    </>
  )
}
