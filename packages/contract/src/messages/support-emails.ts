import { z } from 'zod'
import { templateKey } from '../administration/registry.ts'
import { paths } from '../paths.ts'
import { installedProductId, instant, instrumentTypeKey, line, paging, queryBoolean, text } from '../primitives.ts'
import { admins, notAdmin, route } from '../route.ts'
import { limits } from '../vocabulary.ts'

/** Automatic support e-mails: the errors that trigger them, and unsubscriptions. Document 2, wire 3, 3-decisions 7. */

/** An error that triggers an automatic e-mail, and the subscription of the instrument's contact. */
export const supportEmail = z.object({
  componentName: z.string(),
  /** The part of the error's template id after its last hyphen. */
  errorCode: z.string(),
  /** Subject with its placeholders filled in for this instrument. */
  subject: z.string(),
  unsubscribed: z.boolean(),
  /** This field and the next two are null while the contact is subscribed. */
  unsubscriptionDate: instant.nullable(),
  contactEmail: z.string().nullable(),
  /** Time when e-mails resume; null for never. */
  expires: instant.nullable(),
})
export type SupportEmail = z.output<typeof supportEmail>

export const listSupportEmails = route({
  ...paths.listSupportEmails,
  summary: 'Errors of an instrument that trigger an automatic e-mail, with the contact’s unsubscriptions',
  query: z.strictObject({
    instrumentIpid: installedProductId,
    /** If the instrument has another type, it is not found. */
    instrumentType: instrumentTypeKey.optional(),
  }),
  /** Ordered by component, then by error code. */
  answer: z.array(supportEmail),
  errors: ['session-expired', 'feature-off', 'not-found'],
  access: { kind: 'signed-in', flags: ['AUTO_EMAIL'] },
})

export const getAutomaticEmailSubject = route({
  ...paths.getAutomaticEmailSubject,
  summary: 'Subject of the automatic e-mail about this error, with unfilled placeholders',
  query: z.strictObject({
    instrumentType: instrumentTypeKey,
    /** Module code: the part of the template id before its last hyphen. */
    eisCode: line(40),
    /** The part after the last hyphen. */
    errorCode: line(40),
  }),
  /** Null if there is no template, or if it is under review and such templates send nothing. */
  answer: z.object({ subject: z.string().nullable() }),
  errors: ['session-expired', 'feature-off'],
  access: { kind: 'signed-in', flags: ['AUTO_EMAIL'] },
})

/**
 * One template per instrument type and template id. Plain texts with the `supportEmailPlaceholders` in braces; other
 * placeholders are refused with `unknown-placeholder`.
 */
export const supportEmailTemplateInput = z.strictObject({
  /** Display name of the component that the module code identifies. */
  componentName: line(120).trim().min(1),
  subject: line(limits.supportEmailSubject).trim().min(1),
  body: text(limits.supportEmailBody).trim().min(1),
  /** HTML, sanitised before it is stored; {troubleshooting} inserts it as text. */
  troubleshooting: text(50_000).nullable(),
  /** True if the event is closed once the e-mail was sent. */
  closesEvent: z.boolean(),
  /** True if contacts get no e-mail and users are notified only if NOTIFY_UNDER_REVIEW is on. */
  underReview: z.boolean(),
})
export type SupportEmailTemplateInput = z.output<typeof supportEmailTemplateInput>

/** A stored template, with the user who last changed it. */
export const supportEmailTemplate = z.object({
  /** `<instrumentType>/<templateId>`. */
  key: z.string(),
  instrumentType: instrumentTypeKey,
  templateId: z.string(),
  componentName: z.string(),
  subject: z.string(),
  body: z.string(),
  troubleshooting: z.string().nullable(),
  closesEvent: z.boolean(),
  underReview: z.boolean(),
  updatedAt: instant.nullable(),
  updatedBy: z.string().nullable(),
})
export type SupportEmailTemplate = z.output<typeof supportEmailTemplate>

const ofTemplate = z.object({ '*': templateKey })

export const listSupportEmailTemplates = route({
  ...paths.listSupportEmailTemplates,
  summary: 'Templates of automatic support e-mails by instrument type and template id; the keyword searches all texts',
  query: z.strictObject({
    ...paging,
    keyword: text(limits.keyword).optional(),
    instrumentType: instrumentTypeKey.optional(),
    underReview: queryBoolean.optional(),
  }),
  answer: z.object({ values: z.array(supportEmailTemplate), total: z.number().int() }),
  errors: notAdmin,
  access: admins,
})

export const getSupportEmailTemplate = route({
  ...paths.getSupportEmailTemplate,
  summary: 'One template',
  params: ofTemplate,
  answer: supportEmailTemplate,
  errors: [...notAdmin, 'not-found'],
  access: admins,
})

export const putSupportEmailTemplate = route({
  ...paths.putSupportEmailTemplate,
  summary: 'Create or replace a template; the change is written to the audit log; supports If-Match',
  params: ofTemplate,
  body: supportEmailTemplateInput,
  success: [200, 201],
  answer: supportEmailTemplate,
  errors: [...notAdmin, 'unknown-placeholder', 'unknown-reference', 'version-mismatch'],
  access: admins,
})

export const deleteSupportEmailTemplate = route({
  ...paths.deleteSupportEmailTemplate,
  summary: 'Delete a template: this error triggers no more e-mails; unsubscriptions stay',
  params: ofTemplate,
  success: [204],
  errors: [...notAdmin, 'not-found'],
  access: admins,
})

export const previewSupportEmailTemplate = route({
  ...paths.previewSupportEmailTemplate,
  summary: 'Preview the e-mail about the newest event of this error, or about an invented event',
  body: supportEmailTemplateInput.extend({ key: templateKey }),
  answer: z.object({
    subject: z.string(),
    text: z.string(),
    html: z.string(),
    /** Id of the event used for the preview; null for an invented one. */
    eventId: z.string().nullable(),
    to: z.string().nullable(),
  }),
  errors: [...notAdmin, 'unknown-placeholder'],
  access: admins,
})
