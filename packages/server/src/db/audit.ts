import { createHash } from 'node:crypto'
import { SYSTEM_OWNER_LABEL } from '@benchwatch/contract/vocabulary'
import { type Selectable, sql } from 'kysely'
import type { Actor, UserActor } from './actor.ts'
import type { Db, Trx } from './connect.ts'
import type { AuditTable } from './schema/audit.ts'

/**
 * Entries of the append-only audit log: who changed what, when, from which value to which, and why. Each changed
 * property is one row. Rows are chained by hash per entity, because one chain over everything would make all writers
 * wait for each other (measured: single writes 2–14 times slower). The sealer chains the rows of all entities once
 * more.
 */

export interface AuditEntry {
  action: string
  property?: string
  oldValue?: string | null
  newValue?: string | null
  reason?: string | null
}

/** The actor as far as the audit log names it. */
export type AuditActor = Exclude<Actor, UserActor> | Pick<UserActor, 'type' | 'id' | 'name'>

interface Subject {
  entityType:
    | 'service_event'
    | 'gateway'
    | 'user'
    | 'registry'
    | 'instrument'
    | 'feature_flag'
    | 'session'
    | 'api_token'
    | 'calendar'
    | 'export'
    | 'profile'
    | 'scim_group'
    | 'support_email_template'
    | 'support_email_unsubscription'
    | 'log_entry'
    | 'connection_template'
    | 'webhook'
  entityId: string
  actor: AuditActor
  at: Date
}

/** A row of the audit log: its content, and the hashes that chain it. */
export type AuditRow = Selectable<AuditTable>

/** Content that the hash of a row covers; `audit:verify` recomputes it. */
export type AuditRowContent = Omit<AuditRow, 'id' | 'previous_hash' | 'hash'>

export const FIRST_HASH = Buffer.alloc(32)

/**
 * Returns the SHA-256 of the previous row's hash and this row's content. The content is a JSON array, so that the
 * limits between fields are unambiguous.
 */
export function auditHash(previous: Buffer, row: AuditRowContent): Buffer {
  const content = JSON.stringify([
    row.entity_type,
    row.entity_id,
    row.entity_seq,
    row.at.toISOString(),
    row.actor_type,
    row.actor_id,
    row.actor_name,
    row.action,
    row.property,
    row.old_value,
    row.new_value,
    row.reason,
  ])
  return createHash('sha256').update(previous).update(content).digest()
}

/**
 * Appends entries about one entity in the caller's transaction. The caller holds the lock of the entity's row, so its
 * chain can't fork; the unique key would refuse a fork as well.
 */
export async function recordAudit(trx: Trx, subject: Subject, entries: readonly AuditEntry[]): Promise<void> {
  await recordAudits(trx, [{ subject, entries }])
}

/** Appends entries about many entities in two statements; repeated entities are chained in the given order. */
export async function recordAudits(
  trx: Trx,
  records: readonly { subject: Subject; entries: readonly AuditEntry[] }[],
): Promise<void> {
  const changed = records.filter(({ entries }) => entries.length > 0)
  if (changed.length === 0) return
  const heads = await chainHeads(
    trx,
    changed.map(({ subject }) => subject),
  )
  const rows = changed.flatMap(({ subject, entries }) => {
    const name = chainName(subject.entityType, subject.entityId)
    return entries.map((entry) => {
      const { seq, hash: previous } = heads.get(name) ?? { seq: 0, hash: FIRST_HASH }
      const content: AuditRowContent = {
        entity_type: subject.entityType,
        entity_id: subject.entityId,
        entity_seq: seq + 1,
        at: subject.at,
        ...actorColumns(subject.actor),
        action: entry.action,
        property: entry.property ?? null,
        old_value: wellFormed(entry.oldValue),
        new_value: wellFormed(entry.newValue),
        reason: wellFormed(entry.reason),
      }
      const row = { ...content, previous_hash: previous, hash: auditHash(previous, content) }
      heads.set(name, { seq: row.entity_seq, hash: row.hash })
      return row
    })
  })
  const asJson = rows.map((row) => ({
    ...row,
    previous_hash: `\\x${row.previous_hash.toString('hex')}`,
    hash: `\\x${row.hash.toString('hex')}`,
  }))
  await sql`
    WITH written AS (
      INSERT INTO audit (entity_type, entity_id, entity_seq, at, actor_type, actor_id, actor_name, action, property,
        old_value, new_value, reason, previous_hash, hash)
      SELECT entity_type, entity_id, entity_seq, at, actor_type, actor_id, actor_name, action, property,
        old_value, new_value, reason, previous_hash, hash
      FROM json_populate_recordset(NULL::audit, ${JSON.stringify(asJson)})
      RETURNING id)
    INSERT INTO audit_unsealed (audit_id) SELECT id FROM written`.execute(trx)
}

/** Returns the last row of each entity's chain, by `chainName`. */
async function chainHeads(trx: Trx, subjects: readonly Subject[]): Promise<Map<string, { seq: number; hash: Buffer }>> {
  const { rows } = await sql<{ entity_type: string; entity_id: string; entity_seq: number; hash: Buffer }>`
    SELECT last.*
    FROM (SELECT DISTINCT * FROM unnest(
      ${subjects.map(({ entityType }) => entityType)}::text[], ${subjects.map(({ entityId }) => entityId)}::text[]
    )) AS s (entity_type, entity_id)
    CROSS JOIN LATERAL (
      SELECT a.entity_type, a.entity_id, a.entity_seq, a.hash FROM audit a
      WHERE a.entity_type = s.entity_type AND a.entity_id = s.entity_id
      ORDER BY a.entity_seq DESC LIMIT 1) AS last`.execute(trx)
  return new Map(
    rows.map((row) => [chainName(row.entity_type, row.entity_id), { seq: row.entity_seq, hash: row.hash }]),
  )
}

function chainName(entityType: string, entityId: string): string {
  return `${entityType} ${entityId}`
}

/** Replaces half a surrogate pair by U+FFFD, as the database would, so that the hash covers the stored text. */
function wellFormed(text: string | null | undefined): string | null {
  return text?.toWellFormed() ?? null
}

function actorColumns(actor: AuditActor): Pick<AuditRowContent, 'actor_type' | 'actor_id' | 'actor_name'> {
  switch (actor.type) {
    case 'user':
    case 'gateway':
    case 'api_token':
      return { actor_type: actor.type, actor_id: String(actor.id), actor_name: actor.name }
    case 'scim':
      return { actor_type: 'scim', actor_id: null, actor_name: 'SCIM' }
    case 'system':
      return { actor_type: 'system', actor_id: null, actor_name: SYSTEM_OWNER_LABEL }
    case 'command':
      return { actor_type: 'command', actor_id: null, actor_name: actor.name }
  }
}

/** Returns the SHA-256 of the previous seal and the hashes of the rows it covers, by id. */
export function sealHash(previous: Buffer, rows: readonly { id: number; hash: Buffer }[]): Buffer {
  const hash = createHash('sha256').update(previous)
  for (const row of rows) hash.update(`${row.id}:`).update(row.hash)
  return hash.digest()
}

/** Rows per seal, limited so that a seal after a large import stays small. */
const ROWS_PER_SEAL = 5000

/**
 * Seals the finished rows that are not sealed yet; returns their number. Only the leader runs it.
 *
 * The rows are passed as arrays instead of by `IN (SELECT …)` and a join: with outdated statistics the planner
 * compared each waiting row with each chosen one, which took 26 s instead of 6 ms for 5,000 of 20,000 rows.
 */
export async function sealAudit(db: Db): Promise<number> {
  return db.transaction().execute(async (trx) => {
    const waiting = await sql<{ id: number }>`
      DELETE FROM audit_unsealed WHERE audit_id = ANY(ARRAY(
        SELECT audit_id FROM audit_unsealed ORDER BY audit_id LIMIT ${ROWS_PER_SEAL}))
      RETURNING audit_id AS id`.execute(trx)
    const rows = await trx
      .selectFrom('audit')
      .where(sql<boolean>`id = ANY(${waiting.rows.map(({ id }) => id)}::bigint[])`)
      .select(['id', 'hash'])
      .orderBy('id')
      .execute()
    if (rows.length === 0) return 0
    const last = await trx
      .selectFrom('audit_seal')
      .select(['seq', 'hash'])
      .orderBy('seq', 'desc')
      .limit(1)
      .executeTakeFirst()
    const previous = last?.hash ?? FIRST_HASH
    await trx
      .insertInto('audit_seal')
      .values({
        seq: (last?.seq ?? 0) + 1,
        at: new Date(),
        audit_ids: rows.map(({ id }) => id),
        previous_hash: previous,
        hash: sealHash(previous, rows),
      })
      .execute()
    return rows.length
  })
}
