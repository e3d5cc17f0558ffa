import type { LogWish } from '@benchwatch/contract/administration/backoffice-forms'
import { sql } from 'kysely'
import type { DataScope } from '../../../db/actor.ts'
import type { Db, Trx } from '../../../db/connect.ts'
import { inScope, instruments } from '../../../db/scoped.ts'

/** True if a customer in scope has this name. */
export async function isCustomerName(db: Db, { name, scope }: { name: string; scope: DataScope }): Promise<boolean> {
  const row = await db
    .selectFrom('customer as c')
    .where('c.name', '=', name)
    .where(inScope(scope, sql.ref('c.id')))
    .select('c.id')
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

/**
 * Returns the installed product ID of an instrument of a customer in scope that is linked to a client PC. If the PC is
 * linked to several, returns the first.
 */
export async function findClientInstrument(
  db: Db,
  { hostname, customer, scope }: { hostname: string; customer: string; scope: DataScope },
): Promise<string | undefined> {
  const row = await instruments(db, scope)
    .innerJoin('customer as c', 'c.id', 'i.customer_id')
    .innerJoin('instrument_software as s', 's.instrument_id', 'i.id')
    .where('c.name', '=', customer)
    .where(sql<boolean>`${hostname} = ANY(s.client_pc_names)`)
    .whereRef('s.reported_at', '>=', 'i.customer_since')
    .orderBy('i.installed_product_id')
    .select('i.installed_product_id')
    .limit(1)
    .executeTakeFirst()
  return row?.installed_product_id
}

/** Appends a line and returns its ID. */
export async function insertLogLine(
  trx: Trx,
  { line, now }: { line: LogWish & { instrumentId: number }; now: Date },
): Promise<string> {
  const { id } = await trx
    .insertInto('log_entry')
    .values({
      instrument_id: line.instrumentId,
      log_type: line.logType,
      ts: line.timestamp,
      message: line.message,
      module: line.module,
      level: line.level,
      event_code: line.eventCode,
      user_name: line.userName,
      hostname: line.hostname,
      received_at: now,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return String(id)
}
