import { supportEmailPlaceholders } from '@benchwatch/contract/messages/placeholders'
import type { SupportEmailTemplateInput } from '@benchwatch/contract/messages/support-emails'
import { INSTRUMENT_TYPE, TEMPLATE_ID } from '@benchwatch/contract/patterns'
import type { FieldProblems } from '../../lib/http.ts'
import { placeholderProblems } from '../../lib/placeholder-labels.ts'

/** The content of a template form. An empty troubleshooting text means none. */
export type TemplateDraft = Omit<SupportEmailTemplateInput, 'troubleshooting'> & { troubleshooting: string }

export const emptyTemplate: TemplateDraft = {
  componentName: '',
  subject: '',
  body: '',
  troubleshooting: '',
  closesEvent: false,
  // A new template sends nothing before a user has reviewed it.
  underReview: true,
}

export const templateLabels: Record<keyof TemplateDraft, string> = {
  componentName: 'Component',
  subject: 'Subject',
  body: 'Body',
  troubleshooting: 'Troubleshooting',
  closesEvent: 'Close the event after the e-mail is sent',
  underReview: 'Under review',
}

/** Returns the form of a template. */
export function templateDraft(template: SupportEmailTemplateInput): TemplateDraft {
  const { componentName, subject, body, troubleshooting, closesEvent, underReview } = template
  return { componentName, subject, body, troubleshooting: troubleshooting ?? '', closesEvent, underReview }
}

/** Returns the body of the request. The draft must have no problems. */
export function templateInput(draft: TemplateDraft): SupportEmailTemplateInput {
  const troubleshooting = draft.troubleshooting.trim()
  return {
    ...draft,
    componentName: draft.componentName.trim(),
    subject: draft.subject.trim(),
    body: draft.body.trim(),
    troubleshooting: troubleshooting === '' ? null : troubleshooting,
  }
}

/** Returns placeholder mistakes by field, shown while the user types. */
export function templateSlips({ subject, body }: TemplateDraft): FieldProblems {
  return placeholderProblems({ subject, body }, supportEmailPlaceholders)
}

/** Returns the problems that prevent saving, by field. */
export function templateProblems(draft: TemplateDraft): FieldProblems {
  return {
    ...(draft.componentName.trim() === '' && { componentName: 'Enter the component.' }),
    ...(draft.subject.trim() === '' && { subject: 'Enter a subject.' }),
    ...(draft.body.trim() === '' && { body: 'Enter a body.' }),
    ...templateSlips(draft),
  }
}

/** Returns the problems that prevent `<instrumentType>/<templateId>` from being the key of a new template. */
export function templateKeyProblems(type: string, templateId: string): FieldProblems {
  return {
    ...(!INSTRUMENT_TYPE.test(type) && { instrumentType: 'Choose an instrument type.' }),
    ...(!TEMPLATE_ID.test(templateId) && {
      templateId: 'Enter a module code, a hyphen and an error number or name.',
    }),
  }
}
