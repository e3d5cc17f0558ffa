import { sql } from 'kysely'
import { recordAudits } from '../../db/audit.ts'
import type { Trx } from '../../db/connect.ts'
import { announce } from '../../db/outbox.ts'
import { lockServiceEvents } from '../service-events/service-events.store.ts'

/**
 * Notes on these events what was mailed to whom and when, with record and live message. An event that shows it already is
 * left alone.
 */
export async function noteAutomaticEmails(
  trx: Trx,
  { eventIds, at }: { eventIds: readonly number[]; at: Date },
): Promise<void> {
  const locked = await lockServiceEvents(trx, { ids: eventIds, scope: 'all' })
  const { rows } = await sql<{ id: number; version: number }>`
    UPDATE service_event e SET
      automatic_email = jsonb_build_object(
        'contactName', s.contact_name, 'email', s.contact_email, 'subject', s.subject, 'body', s.body),
      automatic_email_sent_at = ${at}, version = e.version + 1
    FROM support_email s
    WHERE s.event_id = e.id AND e.id = ANY(${[...eventIds]}::bigint[]) AND e.automatic_email_sent_at IS NULL
    RETURNING e.id, e.version`.execute(trx)
  const versions = new Map(rows.map(({ id, version }) => [id, version]))
  const noted = locked.flatMap(({ id, customerId, installedProductId }) => {
    const version = versions.get(id)
    return version === undefined ? [] : [{ id, customerId, installedProductId, version }]
  })
  const sentAt = at.toISOString()
  await recordAudits(
    trx,
    noted.map(({ id }) => ({
      subject: { entityType: 'service_event', entityId: String(id), actor: { type: 'system' }, at },
      entries: [{ action: 'update', property: 'automaticEmailSentAt', oldValue: null, newValue: sentAt }],
    })),
  )
  await announce(
    trx,
    noted.map(({ id, customerId, installedProductId, version }) => ({
      audience: { customerId },
      message: {
        entity: 'alarm',
        action: 'update',
        property: 'automaticEmailSentAt',
        payload: {
          id: String(id),
          eventId: String(id),
          version,
          instrumentInstalledProductId: installedProductId,
          automaticEmailSentAt: sentAt,
        },
      },
    })),
  )
}
