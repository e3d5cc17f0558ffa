import { type RawBuilder, sql } from 'kysely'
import type { DataScope } from '../../db/actor.ts'
import type { Db, Trx } from '../../db/connect.ts'
import { instruments, reportedSince } from '../../db/scoped.ts'

/** A time without e-mails: until this instant, or permanently if null. */
export interface Rest {
  until: Date | null
}

const DAY_MS = 86_400_000

/** The subject of an unsubscription: e-mails to one contact about one error of one instrument. */
export interface Warning {
  /** Lower case, because addresses that differ only in case are one mailbox. */
  contactEmail: string
  instrumentId: number
  templateId: string
}

/** Returns which of these warnings their contact has unsubscribed from at `now`. */
export async function readUnsubscribed(
  db: Db,
  { warnings, now }: { warnings: readonly Warning[]; now: Date },
): Promise<(warning: Warning) => boolean> {
  if (warnings.length === 0) return () => false
  const { rows } = await sql<Warning>`
    SELECT contact_email AS "contactEmail", instrument_id AS "instrumentId", template_id AS "templateId"
    FROM unnest(
      ${warnings.map(({ contactEmail }) => contactEmail.toLowerCase())}::text[],
      ${warnings.map(({ instrumentId }) => instrumentId)}::int[],
      ${warnings.map(({ templateId }) => templateId)}::text[]
    ) AS w (contact_email, instrument_id, template_id)
    JOIN support_email_unsubscription u USING (contact_email, instrument_id, template_id)
    WHERE ${holdsAt(now)}`.execute(db)
  const found = new Set(rows.map(nameOf))
  return (warning) => found.has(nameOf(warning))
}

/** Condition that an unsubscription `u` is in effect; afterwards e-mails resume. */
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

/** Locks and returns the link with this hash, so that simultaneous uses happen one after the other. */
export async function lockLink(trx: Trx, tokenHash: Buffer) {
  return trx
    .selectFrom('unsubscribe_link')
    .where('token_hash', '=', tokenHash)
    .select(['contact_email as contactEmail', 'instrument_id as instrumentId', 'template_id as templateId'])
    .select(['event_id as eventId', 'expires_at as expiresAt', sql<boolean>`used_at IS NOT NULL`.as('isUsed')])
    .forUpdate()
    .executeTakeFirst()
}

/** Only the first use is stored. */
export async function markUsed(trx: Trx, { tokenHash, at }: { tokenHash: Buffer; at: Date }): Promise<void> {
  await trx
    .updateTable('unsubscribe_link')
    .set({ used_at: at })
    .where('token_hash', '=', tokenHash)
    .where('used_at', 'is', null)
    .execute()
}

/**
 * Locks the unsubscription from a warning and adds it if missing. A new one ends at `at`, so it has no effect until
 * `updateUnsubscription` sets its end. `rest` is the one in effect.
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
        // Changes nothing, but makes the statement lock and return the row.
        .doUpdateSet({ template_id: warning.templateId }),
    )
    .returning(['id', 'until'])
    .executeTakeFirstOrThrow()
  return { id, rest: until === null || until > at ? { until } : undefined }
}

/** `createdAt` if a new period starts. */
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

/**
 * Condition: unsubscription `u` belongs to the present customer of instrument `i`; always true for a scope of all. The
 * links of a former customer's contacts work for some days after the move.
 */
export function isOfPresentCustomer(scope: DataScope): RawBuilder<boolean> {
  if (scope === 'all') return sql<boolean>`true`
  return sql<boolean>`(${reportedSince(scope, sql.ref('u.created_at'))} AND NOT EXISTS (
    SELECT 1 FROM contact c WHERE lower(c.key) = u.contact_email AND c.customer_id <> i.customer_id))`
}

/** Returns undefined if the scope holds no instrument with this unsubscription. */
export async function deleteUnsubscription(
  trx: Trx,
  { id, scope }: { id: number; scope: DataScope },
): Promise<(Rest & { contactEmail: string }) | undefined> {
  return trx
    .deleteFrom('support_email_unsubscription as u')
    .where('u.id', '=', id)
    .where('u.instrument_id', 'in', instruments(trx, scope).where(isOfPresentCustomer(scope)).select('i.id'))
    .returning(['contact_email as contactEmail', 'until'])
    .executeTakeFirst()
}

/** Deletes links that expired before this instant. */
export async function deleteLinksExpiredBefore(db: Db, instant: Date): Promise<void> {
  await db.deleteFrom('unsubscribe_link').where('expires_at', '<', instant).execute()
}

/**
 * Returns the end of an unsubscription after a request at `at` for a number of days or permanently: the later end
 * wins. A repeated request through the same link for a number of days changes nothing, so repeats are safe.
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
