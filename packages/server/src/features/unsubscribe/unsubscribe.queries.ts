import type { InstrumentType } from '@benchwatch/contract/vocabulary'
import { sql } from 'kysely'
import type { Db } from '../../db/connect.ts'
import { holdsAt } from './unsubscribe.store.ts'
import type { Rest } from './until-after.ts'

/** What a link would end, as its page tells it. */
export interface LinkedWarning {
  templateId: string
  componentName: string
  productDescription: string
  systemName: string | null
  instrumentType: InstrumentType
  /** What holds at `now`; undefined for who gets these mails. */
  rest: Rest | undefined
}

/** Undefined where no link has this hash, or one that has expired. Whoever holds the link may see what it is about. */
export async function readLinkedWarning(
  db: Db,
  { tokenHash, now }: { tokenHash: Buffer; now: Date },
): Promise<LinkedWarning | undefined> {
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
      'l.template_id',
      'l.component_name',
      'i.product_description',
      'i.system_name',
      'i.type',
      'u.id as unsubscription_id',
      'u.until',
    ])
    .executeTakeFirst()
  return (
    row && {
      templateId: row.template_id,
      componentName: row.component_name,
      productDescription: row.product_description,
      systemName: row.system_name,
      instrumentType: row.type,
      rest: row.unsubscription_id === null ? undefined : { until: row.until },
    }
  )
}
