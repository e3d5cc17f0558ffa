import { fillPlaceholders } from '@benchwatch/contract/messages/placeholders'
import type { SupportEmail } from '@benchwatch/contract/messages/support-emails'
import { sql } from 'kysely'
import type { DataScope } from '../../db/actor.ts'
import type { Db } from '../../db/connect.ts'
import { instruments } from '../../db/scoped.ts'
import { asPeopleRead } from '../../db/sql/text-order.ts'
import { splitTemplateId } from '../events/event-codes.ts'
import { holdsAt } from '../unsubscribe/unsubscribe.store.ts'

interface SupportEmailSearch {
  installedProductId: string
  /** An instrument of another type is not found. */
  type: string | undefined
  scope: DataScope
  now: Date
  /** True if templates under review send e-mails as well. */
  sendsUnderReview: boolean
}

/**
 * Returns the errors of an instrument in scope that trigger an e-mail, by component and error code, each with the
 * unsubscription of the current contact; those of a former contact are ignored. Returns undefined if no
 * such instrument is in scope.
 */
export async function readSupportEmails(
  db: Db,
  { installedProductId, type, scope, now, sendsUnderReview }: SupportEmailSearch,
): Promise<SupportEmail[] | undefined> {
  const instrument = await instruments(db, scope)
    .where('i.installed_product_id', '=', installedProductId)
    .select('i.type')
    .executeTakeFirst()
  if (!instrument || (type !== undefined && type !== instrument.type)) return undefined
  const rows = await instruments(db, scope)
    .innerJoin('support_email_template as t', 't.instrument_type', 'i.type')
    .leftJoin('contact as p', 'p.id', 'i.contact_id')
    .leftJoin('support_email_unsubscription as u', (join) =>
      join
        .onRef('u.instrument_id', '=', 'i.id')
        .onRef('u.template_id', '=', 't.template_id')
        .on(sql<boolean>`u.contact_email = lower(p.key)`)
        .on(holdsAt(now)),
    )
    .where('i.installed_product_id', '=', installedProductId)
    // Templates under review send nothing, so they are not "On".
    .$if(!sendsUnderReview, (some) => some.where('t.under_review', '=', false))
    .orderBy(sql`t.component_name ${asPeopleRead}`)
    .orderBy('t.template_id')
    .select([
      'i.product_description',
      'i.system_name',
      't.component_name',
      't.template_id',
      't.subject',
      'u.created_at',
      'u.contact_email',
      'u.until',
    ])
    .execute()
  return rows.map((row) => ({
    componentName: row.component_name,
    errorCode: splitTemplateId(row.template_id).errorCode,
    subject: fillPlaceholders(row.subject, {
      instrument: row.product_description,
      systemName: row.system_name ?? '',
      installedProductId,
      component: row.component_name,
      errorCode: splitTemplateId(row.template_id).errorCode,
    }),
    unsubscribed: row.contact_email !== null,
    unsubscriptionDate: row.created_at?.toISOString() ?? null,
    contactEmail: row.contact_email,
    expires: row.until?.toISOString() ?? null,
  }))
}

/** Returns the subject of the e-mail about an error, with its placeholders; null if the error triggers no e-mail. */
export async function readAutomaticEmailSubject(
  db: Db,
  {
    instrumentType,
    templateId,
    sendsUnderReview,
  }: { instrumentType: string; templateId: string; sendsUnderReview: boolean },
): Promise<string | null> {
  const template = await db
    .selectFrom('support_email_template')
    .select('subject')
    .where('instrument_type', '=', instrumentType)
    .where('template_id', '=', templateId)
    .$if(!sendsUnderReview, (some) => some.where('under_review', '=', false))
    .executeTakeFirst()
  return template?.subject ?? null
}
