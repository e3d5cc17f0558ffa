import type { RegistryChange } from '@benchwatch/contract/administration/registry'
import { sql } from 'kysely'
import { recordAudits } from '../../db/audit.ts'
import { changedProperties } from '../../db/changed-properties.ts'
import type { Trx } from '../../db/connect.ts'
import { storedByKey } from './registry.queries.ts'
import type { Keyed, RegistryKind, Upserted, Writing } from './registry-object.ts'

/** Table of each kind with the columns of its natural key. */
export const tables: Record<RegistryKind, { table: string; key: readonly string[] }> = {
  customers: { table: 'customer', key: ['key'] },
  sites: { table: 'site', key: ['key'] },
  contracts: { table: 'contract', key: ['key'] },
  contacts: { table: 'contact', key: ['key'] },
  'instrument-families': { table: 'instrument_family', key: ['key'] },
  'instrument-types': { table: 'instrument_type', key: ['key'] },
  instruments: { table: 'instrument', key: ['installed_product_id'] },
  gateways: { table: 'gateway', key: ['name'] },
  'event-templates': { table: 'event_template', key: ['instrument_type', 'template_id'] },
}

/** An object with its stored columns; all objects of one upsert have the same columns. */
export interface Row<Input> extends Keyed<Input> {
  columns: Readonly<Record<string, string | number | boolean | null>>
}

/**
 * Inserts the rows whose key is new, updates those with a changed property, and writes both to the audit log.
 * Properties are compared in wire format, so an update without a change writes nothing.
 */
export async function upsertRows<Input extends object>(
  trx: Trx,
  writing: Writing,
  { kind, rows }: { kind: RegistryKind; rows: readonly Row<Input>[] },
): Promise<Upserted> {
  const before = await storedByKey(
    trx,
    kind,
    rows.map(({ key }) => key),
  )
  const changes = rows.map((row) => ({ row, entries: changedProperties(before.get(row.key), row.input) }))
  const inserted = rows.filter(({ key }) => !before.has(key))
  const updated = changes.filter(({ row, entries }) => before.has(row.key) && entries.length > 0).map(({ row }) => row)
  const upserted = {
    created: new Set(inserted.map(({ key }) => key)),
    changed: new Set(updated.map(({ key }) => key)),
    differences: new Map(
      [...inserted, ...updated].map(({ key, input }) => [key, differencesOf(before.get(key) ?? {}, input)]),
    ),
  }
  if (writing.isTrial) return upserted
  await insertRows(trx, kind, inserted)
  await updateRows(trx, kind, updated)
  await recordAudits(
    trx,
    changes.map(({ row, entries }) => ({
      subject: { entityType: 'registry', entityId: `${kind}/${row.key}`, actor: writing.actor, at: writing.at },
      entries,
    })),
  )
  return upserted
}

function differencesOf(before: object, after: object): RegistryChange['properties'] {
  return changedProperties(before, after).map(({ property = '', oldValue = null, newValue = null }) => ({
    property,
    before: oldValue,
    after: newValue,
  }))
}

/** Inserts any number of rows with one statement; the table definition converts JSON to columns. */
async function insertRows(trx: Trx, kind: RegistryKind, rows: readonly Row<object>[]): Promise<void> {
  const [first] = rows
  if (!first) return
  const { table } = tables[kind]
  const columns = sql.join(Object.keys(first.columns).map((column) => sql.ref(column)))
  await sql`
    INSERT INTO ${sql.table(table)} (${columns})
    SELECT ${columns} FROM json_populate_recordset(NULL::${sql.table(table)}, ${asJson(rows)})`.execute(trx)
}

async function updateRows(trx: Trx, kind: RegistryKind, rows: readonly Row<object>[]): Promise<void> {
  const [first] = rows
  if (!first) return
  const { table, key } = tables[kind]
  const assignments = Object.keys(first.columns)
    .filter((column) => !key.includes(column))
    .map((column) => sql`${sql.ref(column)} = r.${sql.ref(column)}`)
  const sameKey = key.map((column) => sql`t.${sql.ref(column)} = r.${sql.ref(column)}`)
  await sql`
    UPDATE ${sql.table(table)} AS t SET ${sql.join(assignments)}
    FROM json_populate_recordset(NULL::${sql.table(table)}, ${asJson(rows)}) AS r
    WHERE ${sql.join(sameKey, sql` AND `)}`.execute(trx)
}

function asJson(rows: readonly Row<object>[]): string {
  return JSON.stringify(rows.map(({ columns }) => columns))
}

/** Returns the result of `work` and takes back what it wrote. An error ends the transaction as usual. */
export async function takenBack<T>(trx: Trx, work: () => Promise<T>): Promise<T> {
  await sql`SAVEPOINT trial`.execute(trx)
  const result = await work()
  await sql`ROLLBACK TO SAVEPOINT trial`.execute(trx)
  return result
}
