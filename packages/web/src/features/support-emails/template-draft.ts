import { TEMPLATE_ID } from '@benchwatch/contract/patterns'
import { supportEmailPlaceholders } from '@benchwatch/contract/placeholders'
import type { SupportEmailTemplateInput } from '@benchwatch/contract/support-emails'
import { instrumentTypes } from '@benchwatch/contract/vocabulary'
import type { FieldProblems } from '../../lib/http.ts'
import { placeholderProblems } from '../../lib/placeholder-labels.ts'

/** What the form of a template holds: an empty troubleshooting is none. */
export type TemplateDraft = Omit<SupportEmailTemplateInput, 'troubleshooting'> & { troubleshooting: string }

export const emptyTemplate: TemplateDraft = {
  componentName: '',
  subject: '',
  body: '',
  troubleshooting: '',
  closesEvent: false,
  // Nobody is mailed before somebody has looked at it.
  underReview: true,
}

export const templateLabels: Record<keyof TemplateDraft, string> = {
  componentName: 'Component',
  subject: 'Subject',
  body: 'Body',
  troubleshooting: 'Troubleshooting',
  closesEvent: 'Close the event once the mail has left',
  underReview: 'Under review',
}

/** The form of a template as it stands. */
export function templateDraft(template: SupportEmailTemplateInput): TemplateDraft {
  const { componentName, subject, body, troubleshooting, closesEvent, underReview } = template
  return { componentName, subject, body, troubleshooting: troubleshooting ?? '', closesEvent, underReview }
}

/** The body of the request. Call it only for a draft without problems. */
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

/** Slips in braces, by field: told while they are typed. */
export function templateSlips({ subject, body }: TemplateDraft): FieldProblems {
  return placeholderProblems({ subject, body }, supportEmailPlaceholders)
}

/** What keeps the form from being sent, by field. */
export function templateProblems(draft: TemplateDraft): FieldProblems {
  return {
    ...(draft.componentName.trim() === '' && { componentName: 'Enter the component.' }),
    ...(draft.subject.trim() === '' && { subject: 'Enter a subject.' }),
    ...(draft.body.trim() === '' && { body: 'Enter a body.' }),
    ...templateSlips(draft),
  }
}

/** What keeps `<instrumentType>/<templateId>` from being the key of a new template. */
export function templateKeyProblems(type: string, templateId: string): FieldProblems {
  return {
    ...(!instrumentTypes.some((known) => known === type) && { instrumentType: 'Choose an instrument type.' }),
    ...(!TEMPLATE_ID.test(templateId) && {
      templateId: 'This is no module code with an error number behind a hyphen.',
    }),
  }
}
