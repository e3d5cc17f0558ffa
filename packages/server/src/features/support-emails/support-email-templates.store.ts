import type { SupportEmailTemplateInput } from '@benchwatch/contract/support-emails'
import { takeAdvisoryLock } from '../../db/advisory-locks.ts'
import type { Trx } from '../../db/connect.ts'
import type { TemplateName } from './support-email-templates.queries.ts'

/** Lets one transaction at a time write templates, until it ends, so that chains of the record can't fork. */
export async function lockTemplates(trx: Trx): Promise<void> {
  await takeAdvisoryLock(trx, 'supportEmailTemplates')
}

export async function writeTemplate(
  trx: Trx,
  { name, input, by, at }: { name: TemplateName; input: SupportEmailTemplateInput; by: string; at: Date },
): Promise<void> {
  const columns = {
    component_name: input.componentName,
    subject: input.subject,
    body: input.body,
    troubleshooting: input.troubleshooting,
    closes_event: input.closesEvent,
    under_review: input.underReview,
    updated_at: at,
    updated_by: by,
  }
  await trx
    .insertInto('support_email_template')
    .values({ instrument_type: name.instrumentType, template_id: name.templateId, ...columns })
    .onConflict((conflict) => conflict.columns(['instrument_type', 'template_id']).doUpdateSet(columns))
    .execute()
}

export async function deleteTemplate(trx: Trx, name: TemplateName): Promise<void> {
  await trx
    .deleteFrom('support_email_template')
    .where('instrument_type', '=', name.instrumentType)
    .where('template_id', '=', name.templateId)
    .execute()
}
