import type { SupportEmailTemplate } from '@benchwatch/contract/support-emails'
import type { InstrumentType } from '@benchwatch/contract/vocabulary'
import type { Db } from '../../db/connect.ts'
import { holdsWords } from '../../db/words.ts'

/** What names a template. */
export interface TemplateName {
  instrumentType: InstrumentType
  templateId: string
}

interface Wanted {
  keyword?: string | undefined
  instrumentType?: InstrumentType | undefined
  isUnderReview?: boolean | undefined
  limit: number
  offset: number
}

/**
 * A page of templates by instrument type and template id, with the number of all that match. There are some thousand at
 * most, so a keyword reads them all.
 */
export async function listTemplates(
  db: Db,
  { keyword, instrumentType, isUnderReview, limit, offset }: Wanted,
): Promise<{ values: SupportEmailTemplate[]; total: number }> {
  const rows = await templates(db)
    .$if(instrumentType !== undefined, (some) => some.where('instrument_type', '=', instrumentType as InstrumentType))
    .$if(isUnderReview !== undefined, (some) => some.where('under_review', '=', isUnderReview as boolean))
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

type TemplateRow = Awaited<ReturnType<ReturnType<typeof templates>['execute']>>[number]

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
