import type { listUnsubscriptions } from '@benchwatch/contract/messages/unsubscribe'
import type { RouteTypes } from '@benchwatch/contract/route'
import { sql } from 'kysely'
import type { DataScope } from '../../db/actor.ts'
import type { Db } from '../../db/connect.ts'
import { instruments } from '../../db/scoped.ts'
import { holdsAt, isOfPresentCustomer } from './unsubscribe.store.ts'

/** Case-insensitive parts of texts; an empty one matches every text. */
type UnsubscriptionSearch = RouteTypes<typeof listUnsubscriptions>['query']

const AT_MOST = 200

/** The warning of a link, as its page shows it. `rest` is the unsubscription at `now`; undefined if there is none. */
export type LinkedWarning = NonNullable<Awaited<ReturnType<typeof readLinkedWarning>>>

/**
 * Returns undefined if no link has this hash or if it has expired. Having the link is sufficient to see its warning.
 */
export async function readLinkedWarning(db: Db, { tokenHash, now }: { tokenHash: Buffer; now: Date }) {
  const row = await db
    .selectFrom('unsubscribe_link as l')
    .innerJoin('instrument as i', 'i.id', 'l.instrument_id')
    .leftJoin('support_email_unsubscription as u', (join) =>
      join
        .onRef('u.instrument_id', '=', 'l.instrument_id')
        .on(sql<boolean>`u.contact_email = lower(l.contact_email)`)
        .onRef('u.template_id', '=', 'l.template_id')
        .on(holdsAt(now)),
    )
    .where('l.token_hash', '=', tokenHash)
    .where('l.expires_at', '>', now)
    .select([
      'l.template_id as templateId',
      'l.component_name as componentName',
      'i.product_description as productDescription',
      // The name that a later customer gave it is no business of this contact.
      sql<string | null>`CASE WHEN l.created_at >= i.customer_since THEN i.system_name END`.as('systemName'),
      'i.type as instrumentType',
      'u.id as unsubscriptionId',
      'u.until',
    ])
    .executeTakeFirst()
  if (!row) return undefined
  const { unsubscriptionId, until, ...warning } = row
  return { ...warning, rest: unsubscriptionId === null ? undefined : { until } }
}

/**
 * Returns the unsubscriptions at `now` for instruments in scope, the newest first, without those by contacts of a former
 * customer. The component name comes from the template, else from the last link, else it is the module code.
 */
export async function readUnsubscriptions(
  db: Db,
  { search, scope, now }: { search: UnsubscriptionSearch; scope: DataScope; now: Date },
) {
  const found = instruments(db, scope)
    .innerJoin('support_email_unsubscription as u', 'u.instrument_id', 'i.id')
    .where(holdsAt(now))
    .where(isOfPresentCustomer(scope))
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
    contact_email: search.contactEmail,
    installed_product_id: search.instrumentIpid,
    component_name: search.componentName,
    error_code: search.errorCode,
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
