import { type RawBuilder, sql } from 'kysely'
import type { DataScope } from '../../db/actor.ts'
import type { Db, Trx } from '../../db/connect.ts'
import { instruments } from '../../db/scoped.ts'

/** A time without mails: until this instant, or for good where it is null. */
export interface Rest {
  until: Date | null
}

const DAY_MS = 86_400_000

/** What somebody may unsubscribe from: mails to them about one error of one instrument. */
export interface Warning {
  /** In any case: two spellings of an address are one mailbox, so unsubscriptions are kept in small letters. */
  contactEmail: string
  instrumentId: number
  templateId: string
}

/** Tells which of these warnings their contact has unsubscribed from at `now`. */
export async function readUnsubscribed(
  db: Db,
  { warnings, now }: { warnings: readonly Warning[]; now: Date },
): Promise<(warning: Warning) => boolean> {
  if (warnings.length === 0) return () => false
  const { rows } = await sql<{ contact_email: string; instrument_id: number; template_id: string }>`
    SELECT u.contact_email, u.instrument_id, u.template_id
    FROM unnest(
      ${warnings.map(({ contactEmail }) => contactEmail.toLowerCase())}::text[],
      ${warnings.map(({ instrumentId }) => instrumentId)}::int[],
      ${warnings.map(({ templateId }) => templateId)}::text[]
    ) AS w (contact_email, instrument_id, template_id)
    JOIN support_email_unsubscription u USING (contact_email, instrument_id, template_id)
    WHERE ${holdsAt(now)}`.execute(db)
  const found = new Set(
    rows.map((row) =>
      nameOf({ contactEmail: row.contact_email, instrumentId: row.instrument_id, templateId: row.template_id }),
    ),
  )
  return (warning) => found.has(nameOf(warning))
}

/** Whether an unsubscription `u` holds; once it does not, mails go out again. */
export function holdsAt(now: Date): RawBuilder<boolean> {
  return sql<boolean>`(u.until IS NULL OR u.until > ${now})`
}

function nameOf({ contactEmail, instrumentId, templateId }: Warning): string {
  return JSON.stringify([contactEmail.toLowerCase(), instrumentId, templateId])
}

interface NewLink extends Warning {
  tokenHash: Buffer
  eventId: number
  componentName: string
  createdAt: Date
  expiresAt: Date
}

export async function insertLinks(trx: Trx, links: readonly NewLink[]): Promise<void> {
  if (links.length === 0) return
  await trx
    .insertInto('unsubscribe_link')
    .values(
      links.map((link) => ({
        token_hash: link.tokenHash,
        event_id: link.eventId,
        contact_email: link.contactEmail,
        instrument_id: link.instrumentId,
        template_id: link.templateId,
        component_name: link.componentName,
        created_at: link.createdAt,
        expires_at: link.expiresAt,
      })),
    )
    .execute()
}

export interface LockedLink extends Warning {
  eventId: number
  expiresAt: Date
  isUsed: boolean
}

/** The link with this hash, locked: two who use it at once do so one after the other. */
export async function lockLink(trx: Trx, tokenHash: Buffer): Promise<LockedLink | undefined> {
  const row = await trx
    .selectFrom('unsubscribe_link')
    .where('token_hash', '=', tokenHash)
    .selectAll()
    .forUpdate()
    .executeTakeFirst()
  return (
    row && {
      contactEmail: row.contact_email,
      instrumentId: row.instrument_id,
      templateId: row.template_id,
      eventId: row.event_id,
      expiresAt: row.expires_at,
      isUsed: row.used_at !== null,
    }
  )
}

/** The first use is what is kept. */
export async function markUsed(trx: Trx, { tokenHash, at }: { tokenHash: Buffer; at: Date }): Promise<void> {
  await trx
    .updateTable('unsubscribe_link')
    .set({ used_at: at })
    .where('token_hash', '=', tokenHash)
    .where('used_at', 'is', null)
    .execute()
}

/**
 * The unsubscription from a warning, locked, whether or not there was one: a new one ends at `at`, so it holds for no time
 * until `updateUnsubscription` says for how long. `rest` is what holds.
 */
export async function lockUnsubscription(
  trx: Trx,
  { warning, at }: { warning: Warning; at: Date },
): Promise<{ id: number; rest: Rest | undefined }> {
  const { id, until } = await trx
    .insertInto('support_email_unsubscription')
    .values({
      contact_email: warning.contactEmail.toLowerCase(),
      instrument_id: warning.instrumentId,
      template_id: warning.templateId,
      created_at: at,
      until: at,
    })
    .onConflict((conflict) =>
      conflict
        .columns(['instrument_id', 'contact_email', 'template_id'])
        // Changes nothing: the row is locked and told.
        .doUpdateSet({ template_id: warning.templateId }),
    )
    .returning(['id', 'until'])
    .executeTakeFirstOrThrow()
  return { id, rest: until === null || until > at ? { until } : undefined }
}

/** `createdAt` where it begins anew. */
export async function updateUnsubscription(
  trx: Trx,
  { id, until, createdAt }: { id: number; until: Date | null; createdAt?: Date | undefined },
): Promise<void> {
  await trx
    .updateTable('support_email_unsubscription')
    .set({ until, ...(createdAt && { created_at: createdAt }) })
    .where('id', '=', id)
    .execute()
}

interface DeletedUnsubscription extends Rest {
  contactEmail: string
}

/** Undefined where the scope holds no instrument with this unsubscription. */
export async function deleteUnsubscription(
  trx: Trx,
  { id, scope }: { id: number; scope: DataScope },
): Promise<DeletedUnsubscription | undefined> {
  const row = await trx
    .deleteFrom('support_email_unsubscription')
    .where('id', '=', id)
    .where('instrument_id', 'in', instruments(trx, scope).select('i.id'))
    .returning(['contact_email', 'until'])
    .executeTakeFirst()
  return row && { contactEmail: row.contact_email, until: row.until }
}

/** Links that expired before this instant. */
export async function deleteLinksExpiredBefore(db: Db, instant: Date): Promise<void> {
  await db.deleteFrom('unsubscribe_link').where('expires_at', '<', instant).execute()
}

/**
 * Until when mails stay away after somebody asked for it at `at`, for so many days or for good: the longer one wins. The same
 * link asked once more for a number of days moves nothing, so that a repeated request is safe.
 */
export function untilAfter(
  held: Rest | undefined,
  { days, isRepeat, at }: { days: number | null; isRepeat: boolean; at: Date },
): Date | null {
  if (days === null || held?.until === null) return null
  if (held && isRepeat) return held.until
  const wanted = new Date(at.getTime() + days * DAY_MS)
  return held && held.until > wanted ? held.until : wanted
}
