import { sql } from 'kysely'
import type { DataScope } from '../../db/actor.ts'
import type { Db } from '../../db/connect.ts'
import { instruments } from '../../db/scoped.ts'
import { holdsAt } from './unsubscribe.store.ts'

/** Parts of texts, in any case; an empty one is in every text. */
export interface SoughtUnsubscription {
  contactEmail?: string | undefined
  instrumentIpid?: string | undefined
  componentName?: string | undefined
  errorCode?: string | undefined
}

const AT_MOST = 200

/**
 * Who wants no mail at `now` about which error of which instrument in scope, the newest first. The component is named as the
 * template names it, else as the last link did, else by its module code.
 */
export async function readUnsubscriptions(
  db: Db,
  { sought, scope, now }: { sought: SoughtUnsubscription; scope: DataScope; now: Date },
) {
  const found = instruments(db, scope)
    .innerJoin('support_email_unsubscription as u', 'u.instrument_id', 'i.id')
    .where(holdsAt(now))
    .select([
      'u.id',
      'u.contact_email',
      'u.template_id',
      'u.created_at',
      'i.installed_product_id',
      sql<string>`regexp_replace(u.template_id, '^.*-', '')`.as('error_code'),
      sql<string>`coalesce(
        (SELECT t.component_name FROM support_email_template t
          WHERE t.instrument_type = i.type AND t.template_id = u.template_id),
        (SELECT l.component_name FROM unsubscribe_link l
          WHERE l.instrument_id = u.instrument_id AND lower(l.contact_email) = u.contact_email AND l.template_id = u.template_id
          ORDER BY l.created_at DESC LIMIT 1),
        regexp_replace(u.template_id, '-[^-]*$', ''))`.as('component_name'),
    ])
  const texts = {
    contact_email: sought.contactEmail,
    installed_product_id: sought.instrumentIpid,
    component_name: sought.componentName,
    error_code: sought.errorCode,
  }
  let rows = db.selectFrom(found.as('f')).selectAll()
  for (const [column, part] of Object.entries(texts)) {
    if (part !== undefined)
      rows = rows.where(sql<boolean>`strpos(lower(${sql.ref(`f.${column}`)}), lower(${part})) > 0`)
  }
  const matching = await rows.orderBy('f.created_at', 'desc').orderBy('f.id', 'desc').limit(AT_MOST).execute()
  return matching.map((row) => ({
    id: String(row.id),
    contactEmail: row.contact_email,
    instrumentIpid: row.installed_product_id,
    componentName: row.component_name,
    errorCode: row.error_code,
  }))
}
