import { sql } from 'kysely'
import type { Db } from '../../db/connect.ts'

/** What somebody may unsubscribe from: mails to them about one error of one instrument. */
export interface Warning {
  /** As contacts have it (`contact.key`). */
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
      ${warnings.map(({ contactEmail }) => contactEmail)}::text[],
      ${warnings.map(({ instrumentId }) => instrumentId)}::int[],
      ${warnings.map(({ templateId }) => templateId)}::text[]
    ) AS w (contact_email, instrument_id, template_id)
    JOIN support_email_unsubscription u USING (contact_email, instrument_id, template_id)
    WHERE u.until IS NULL OR u.until > ${now}`.execute(db)
  const found = new Set(
    rows.map((row) =>
      nameOf({ contactEmail: row.contact_email, instrumentId: row.instrument_id, templateId: row.template_id }),
    ),
  )
  return (warning) => found.has(nameOf(warning))
}

function nameOf({ contactEmail, instrumentId, templateId }: Warning): string {
  return JSON.stringify([contactEmail, instrumentId, templateId])
}

interface NewLink extends Warning {
  tokenHash: Buffer
  eventId: number
  componentName: string
  createdAt: Date
  expiresAt: Date
}

export async function insertLinks(trx: Db, links: readonly NewLink[]): Promise<void> {
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
