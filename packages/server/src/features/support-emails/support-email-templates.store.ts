import type {
  listSupportEmailTemplates,
  SupportEmailTemplate,
  SupportEmailTemplateInput,
} from '@benchwatch/contract/messages/support-emails'
import type { RouteTypes } from '@benchwatch/contract/route'
import { takeAdvisoryLock } from '../../db/advisory-locks.ts'
import type { Db, Trx } from '../../db/connect.ts'
import { holdsWords } from '../../db/sql/words.ts'

/** Key of a template. */
export interface TemplateName {
  instrumentType: string
  templateId: string
}

type TemplateRow = Awaited<ReturnType<ReturnType<typeof templates>['execute']>>[number]

/** Allows one transaction at a time to write templates, so that audit chains cannot fork. */
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

/**
 * Returns a page of templates by instrument type and template id, with the number of all matches. There are a few
 * thousand at most, so a keyword search reads all of them.
 */
export async function listTemplates(
  db: Db,
  { keyword, instrumentType, underReview, limit, offset }: RouteTypes<typeof listSupportEmailTemplates>['query'],
): Promise<{ values: SupportEmailTemplate[]; total: number }> {
  const rows = await templates(db)
    .$if(instrumentType !== undefined, (some) => some.where('instrument_type', '=', instrumentType ?? ''))
    .$if(underReview !== undefined, (some) => some.where('under_review', '=', underReview as boolean))
    .execute()
  const all = rows.map(templateOf)
  const found = keyword ? all.filter(saying(keyword)) : all
  return { values: found.slice(offset, offset + limit), total: found.length }
}

export async function findTemplate(db: Db, name: TemplateName): Promise<SupportEmailTemplate | undefined> {
  const row = await templates(db)
    .where('instrument_type', '=', name.instrumentType)
    .where('template_id', '=', name.templateId)
    .executeTakeFirst()
  return row && templateOf(row)
}

function templates(db: Db) {
  return db.selectFrom('support_email_template').selectAll().orderBy('instrument_type').orderBy('template_id')
}

function templateOf(row: TemplateRow): SupportEmailTemplate {
  return {
    key: `${row.instrument_type}/${row.template_id}`,
    instrumentType: row.instrument_type,
    templateId: row.template_id,
    componentName: row.component_name,
    subject: row.subject,
    body: row.body,
    troubleshooting: row.troubleshooting,
    closesEvent: row.closes_event,
    underReview: row.under_review,
    updatedAt: row.updated_at?.toISOString() ?? null,
    updatedBy: row.updated_by,
  }
}

function saying(keyword: string): (template: SupportEmailTemplate) => boolean {
  const matches = holdsWords(keyword)
  return ({ key, componentName, subject, body, troubleshooting }) =>
    matches([key, componentName, subject, body, troubleshooting].filter(Boolean).join('\n'))
}
