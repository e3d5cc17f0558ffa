import type { WebhookInput } from '@benchwatch/contract/messages/webhooks'
import { type Selectable, sql } from 'kysely'
import type { Db, Trx } from '../../db/connect.ts'
import type { Database } from '../../db/schema/database.ts'
import { seal, unseal } from '../auth/session/sealed-secret.ts'

/** Secrets of the owner and the receiver. */
export interface WebhookSecrets {
  url: string
  /** Key of a PagerDuty integration; null for other formats. */
  routingKey: string | null
  /** `whsec_` and base64, as Standard Webhooks write it. */
  secret: string
  /** The secret before the last rotation, which signs as well until `previous_secret_until`. */
  previousSecret: string | null
}

/** A webhook with its secrets. */
export type StoredWebhook = Awaited<ReturnType<typeof storedWebhook>>

const columns = [
  'id',
  'owner_id',
  'name',
  'format',
  'occasions',
  'filter',
  'is_on',
  'gone_at',
  'failures',
  'previous_secret_until',
  'sealed',
] as const

/** Locks and returns a webhook; undefined if there is none. */
export async function lockWebhook(trx: Trx, id: number): Promise<StoredWebhook | undefined> {
  const row = await trx.selectFrom('webhook').select(columns).where('id', '=', id).forUpdate().executeTakeFirst()
  return row && storedWebhook(trx, row)
}

type Row = Pick<Selectable<Database['webhook']>, (typeof columns)[number]>

async function storedWebhook(db: Db, row: Row) {
  return {
    id: row.id,
    ownerId: row.owner_id,
    name: row.name,
    format: row.format,
    occasions: row.occasions,
    filter: row.filter,
    isOn: row.is_on,
    goneAt: row.gone_at,
    failures: row.failures,
    previousSecretUntil: row.previous_secret_until,
    secrets: await readSecrets(db, row),
  }
}

export async function readSecrets(db: Db, row: Pick<Row, 'sealed' | 'owner_id'>): Promise<WebhookSecrets> {
  return JSON.parse(await unseal(db, { sealed: row.sealed, use: sealUse(row.owner_id) })) as WebhookSecrets
}

const sealUse = (ownerId: number) => `webhook/${ownerId}`

async function sealed(db: Db, { ownerId, secrets }: { ownerId: number; secrets: WebhookSecrets }) {
  return {
    host: new URL(secrets.url).host,
    has_routing_key: secrets.routingKey !== null,
    sealed: await seal(db, { text: JSON.stringify(secrets), use: sealUse(ownerId) }),
  }
}

/** Locks the webhooks of a user against further ones, and returns their number. */
export async function lockWebhooksOf(trx: Trx, ownerId: number): Promise<number> {
  await sql`SELECT 1 FROM app_user WHERE id = ${ownerId} FOR NO KEY UPDATE`.execute(trx)
  const { count } = await trx
    .selectFrom('webhook')
    .select(sql<number>`count(*)::int`.as('count'))
    .where('owner_id', '=', ownerId)
    .executeTakeFirstOrThrow()
  return count
}

/** Number of the last published live message: what happens from now on has a higher one. */
const lastSeq = sql<number>`(SELECT last_seq FROM live_sequence)`

export async function insertWebhook(
  trx: Trx,
  { ownerId, input, secrets, at }: { ownerId: number; input: WebhookInput; secrets: WebhookSecrets; at: Date },
): Promise<number> {
  const { id } = await trx
    .insertInto('webhook')
    .values({
      ...settingsOf(input),
      ...(await sealed(trx, { ownerId, secrets })),
      owner_id: ownerId,
      after_seq: lastSeq,
      created_at: at,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

function settingsOf({ name, format, occasions, filter, isOn }: WebhookInput) {
  return { name, format, occasions: [...occasions], filter: JSON.stringify(filter), is_on: isOn }
}

/** Replaces settings and secrets. `isRestarted`: it was off or gone and is on now; nothing in between is sent. */
export async function replaceWebhook(
  trx: Trx,
  {
    webhook: { id, ownerId },
    input,
    secrets,
    isRestarted,
  }: { webhook: StoredWebhook; input: WebhookInput; secrets: WebhookSecrets; isRestarted: boolean },
): Promise<void> {
  await trx
    .updateTable('webhook')
    .set({
      ...settingsOf(input),
      ...(await sealed(trx, { ownerId, secrets })),
      failures: 0,
      open_until: null,
      ...(isRestarted && { gone_at: null, after_seq: lastSeq }),
    })
    .where('id', '=', id)
    .execute()
}

export async function replaceSecret(
  trx: Trx,
  {
    webhook: { id, ownerId },
    secrets,
    previousUntil,
  }: { webhook: StoredWebhook; secrets: WebhookSecrets; previousUntil: Date },
): Promise<void> {
  await trx
    .updateTable('webhook')
    .set({ ...(await sealed(trx, { ownerId, secrets })), previous_secret_until: previousUntil })
    .where('id', '=', id)
    .execute()
}

export async function deleteWebhook(trx: Trx, id: number): Promise<void> {
  await trx.deleteFrom('webhook').where('id', '=', id).execute()
}

/** A webhook that a process took to send from, until `busyUntil`. */
export type TakenWebhook = StoredWebhook & { busyUntil: Date }

/**
 * Takes a webhook with a due delivery for sending, the one that was tried longest ago; undefined if there is none. Of
 * each, only one process sends at a time, so a slow receiver does not delay the others, and order is kept.
 */
export async function takeWebhook(
  db: Db,
  { at, busyUntil }: { at: Date; busyUntil: Date },
): Promise<TakenWebhook | undefined> {
  const { rows } = await sql<Row>`
    UPDATE webhook SET busy_until = ${busyUntil}, last_tried_at = ${at} WHERE id = (
      SELECT w.id FROM webhook w
      WHERE (w.busy_until IS NULL OR w.busy_until <= ${at})
        AND ${hasDue(at)}
      ORDER BY w.last_tried_at NULLS FIRST, w.id LIMIT 1 FOR UPDATE SKIP LOCKED)
    RETURNING ${sql.join(columns.map((column) => sql.ref(column)))}`.execute(db)
  const [row] = rows
  return row && { ...(await storedWebhook(db, row)), busyUntil }
}

/**
 * Condition: delivery `d` of webhook `w` may be sent. Deliveries about one event or instrument leave in order, and a
 * receiver that keeps failing is left alone for a while. Tests are sent in any case.
 */
export function isDue(at: Date) {
  return sql<boolean>`(d.state = 'waiting' AND d.next_at <= ${at} AND (d.occasion = 'test'
    OR (w.is_on AND w.gone_at IS NULL AND (w.open_until IS NULL OR w.open_until <= ${at})
      AND NOT EXISTS (SELECT 1 FROM webhook_delivery p WHERE p.webhook_id = d.webhook_id AND p.subject = d.subject
        AND p.state = 'waiting' AND p.id < d.id))))`
}

/**
 * Condition: webhook `w` has something to send. With OFFSET, each webhook is asked apart and stops at its first
 * delivery; otherwise the planner joins all that wait, which took 80 ms for each of 10,000.
 */
export function hasDue(at: Date) {
  return sql<boolean>`EXISTS (SELECT 1 FROM webhook_delivery d WHERE d.webhook_id = w.id AND ${isDue(at)} OFFSET 0)`
}

/** State of a webhook's receiver after an attempt. */
export interface ReceiverState {
  failures: number
  openUntil: Date | null
  isGone: boolean
  hasSent: boolean
}

export async function noteReceiver(
  trx: Trx,
  { id, state, at }: { id: number; state: ReceiverState; at: Date },
): Promise<void> {
  await trx
    .updateTable('webhook')
    .set({
      failures: state.failures,
      open_until: state.openUntil,
      ...(state.isGone && { gone_at: at }),
      ...(state.hasSent && { last_sent_at: at }),
    })
    .where('id', '=', id)
    .execute()
}

/** Returns a webhook to other processes, unless its lease has ended and another process took it. */
export async function releaseWebhook(db: Db, { id, busyUntil }: TakenWebhook): Promise<void> {
  await db
    .updateTable('webhook')
    .set({ busy_until: null })
    .where('id', '=', id)
    .where('busy_until', '=', busyUntil)
    .execute()
}
