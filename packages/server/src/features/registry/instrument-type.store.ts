import type { InstrumentFamilyInput, InstrumentTypeInput } from '@benchwatch/contract/administration/registry'
import { sql } from 'kysely'
import type { Actor } from '../../db/actor.ts'
import { recordAudit } from '../../db/audit.ts'
import type { Db, Trx } from '../../db/connect.ts'
import { inTransaction } from '../../db/transaction.ts'
import { fieldProblem, problem } from '../../platform/http/problem.ts'
import { references } from './references.store.ts'
import { Refusals } from './refusals.ts'
import { storedByKey } from './registry.queries.ts'
import { lockRegistry } from './registry-locks.store.ts'
import { type Keyed, registryNouns, type Upserted, type Writing } from './registry-object.ts'
import { tables, upsertRows } from './upsert.store.ts'

type OpenKind = 'instrument-families' | 'instrument-types'

export async function upsertInstrumentFamilies(
  trx: Trx,
  writing: Writing,
  families: readonly Keyed<InstrumentFamilyInput>[],
): Promise<Upserted> {
  const refusals = new Refusals()
  const rows = refusals.rowsOf(families, ({ key, input }) => ({
    key,
    input,
    columns: { key, label: input.label, position: input.position },
  }))
  await refuseOtherSpellings(trx, refusals, { kind: 'instrument-families', keys: rows.map(({ key }) => key) })
  refusals.end()
  return upsertRows(trx, writing, { kind: 'instrument-families', rows })
}

export async function upsertInstrumentTypes(
  trx: Trx,
  writing: Writing,
  types: readonly Keyed<InstrumentTypeInput>[],
): Promise<Upserted> {
  const families = await references(trx, {
    kind: 'instrument-families',
    keys: types.map(({ input }) => input.family),
  })
  const refusals = new Refusals()
  const rows = refusals.rowsOf(types, ({ key, input }) => {
    families.one('family', input.family)
    return { key, input, columns: { key, label: input.label, family: input.family } }
  })
  await refuseOtherSpellings(trx, refusals, { kind: 'instrument-types', keys: rows.map(({ key }) => key) })
  refusals.end()
  return upsertRows(trx, writing, { kind: 'instrument-types', rows })
}

/** Refuses keys that differ from another one only in upper and lower case, because filters ignore case. */
async function refuseOtherSpellings(
  trx: Trx,
  refusals: Refusals,
  { kind, keys }: { kind: OpenKind; keys: readonly string[] },
): Promise<void> {
  const { rows } = await sql<{ key: string }>`SELECT key FROM ${sql.table(tables[kind].table)}`.execute(trx)
  const known = new Map(rows.map(({ key }) => [key.toLowerCase(), key]))
  for (const key of keys) {
    const other = known.get(key.toLowerCase())
    known.set(key.toLowerCase(), other ?? key)
    if (other === undefined || other === key) continue
    const sentence = `There is an ${registryNouns[kind]} "${other}" already, and keys must differ in more than case. Use another key.`
    refusals.refuse(key, fieldProblem('validation-failed', 'params.key', sentence))
  }
}

/** Tables that refer to a type or a family. Deleted instruments keep their type for the events that remain. */
const users: Record<OpenKind, readonly { table: string; column: string; noun: string }[]> = {
  'instrument-families': [{ table: 'instrument_type', column: 'family', noun: 'instrument type' }],
  'instrument-types': [
    { table: 'instrument', column: 'type', noun: 'instrument' },
    { table: 'event_template', column: 'instrument_type', noun: 'event template' },
    { table: 'support_email_template', column: 'instrument_type', noun: 'support e-mail template' },
  ],
}

/** Deletes a type or a family and writes the audit log. Throws not-found, and in-use if anything refers to it. */
export async function deleteUnused(
  db: Db,
  { kind, key, actor, at }: { kind: OpenKind; key: string; actor: Actor; at: Date },
): Promise<void> {
  await inTransaction(db, async (trx) => {
    await lockRegistry(trx)
    const stored = (await storedByKey(trx, kind, [key])).get(key)
    if (!stored) throw problem('not-found', `There is no ${registryNouns[kind]} "${key}" in the registry.`)
    for (const { table, column, noun } of users[kind]) {
      const { rows } = await sql<{ count: number }>`
        SELECT count(*)::int4 AS count FROM ${sql.table(table)} WHERE ${sql.ref(column)} = ${key}`.execute(trx)
      const count = rows[0]?.count ?? 0
      if (count > 0)
        throw problem(
          'in-use',
          `The ${registryNouns[kind]} "${key}" belongs to ${count} ${noun}${count === 1 ? '' : 's'}.`,
        )
    }
    await sql`DELETE FROM ${sql.table(tables[kind].table)} WHERE key = ${key}`.execute(trx)
    const { key: _key, ...oldValue } = stored
    await recordAudit(trx, { entityType: 'registry', entityId: `${kind}/${key}`, actor, at }, [
      { action: 'deleted', oldValue: JSON.stringify(oldValue) },
    ])
  })
}
