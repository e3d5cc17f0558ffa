import { createHash, randomBytes } from 'node:crypto'
import { noFilter } from '../../features/profiles/profile-settings.ts'
import { addMissingProfiles } from '../../features/profiles/profiles.store.ts'
import type { TestApp } from '../test-app.ts'
import type { CallContext } from './access-callers.ts'

/** Valid values for requests about profiles, support e-mails and unsubscribing. */

export const template = { '*': 'AKTAPilot600/P9B-1042' }

export const supportEmail = {
  componentName: 'Pump B (P9-B)',
  subject: '{instrument}: pressure above limit',
  body: 'Dear {contactName}, your {instrument} has reported: {description}',
  troubleshooting: null,
  closesEvent: false,
  underReview: false,
}
export const profileSettings = { ...noFilter, notifyEmail: true, notifySms: false, severity: ['high'] }

/** Returns the id of the caller's profile 'All Events', or that of another user if the caller has none. */
export async function profileOf({ app, fixture, caller }: CallContext): Promise<string> {
  const userId = caller.userId ?? fixture.a.user.id
  await addMissingProfiles(app.database.db, { userId, at: app.clock.now() })
  const { rows } = await app.database.pool.query<{ id: number }>(
    "SELECT id FROM profile WHERE user_id = $1 AND profile_type = 'new_event_notification'",
    [userId],
  )
  return String(rows[0]?.id)
}

export async function supportEmailTemplate(app: TestApp): Promise<{ '*': string }> {
  await app.database.pool.query(
    `INSERT INTO support_email_template (instrument_type, template_id, component_name, subject, body)
      VALUES ('AKTAPilot600', 'P9B-1042', 'Pump B (P9-B)', 'Pressure', 'Pressure') ON CONFLICT DO NOTHING`,
  )
  return template
}

/** Returns an unused link token of a mail about A's instrument. */
export async function unsubscribeTokenOfA({ app, fixture }: CallContext): Promise<string> {
  const token = randomBytes(32).toString('base64url')
  const at = app.clock.now()
  await supportEmailTemplate(app)
  await app.database.pool.query(
    `INSERT INTO unsubscribe_link (token_hash, event_id, contact_email, instrument_id, template_id, component_name, created_at,
        expires_at)
      SELECT $1, 1, 'somebody@lab.example', id, 'P9B-1042', 'Pump B (P9-B)', $2, $3 FROM instrument
      WHERE installed_product_id = $4`,
    [
      createHash('sha256').update(token).digest(),
      at,
      new Date(at.getTime() + 7 * 86_400_000),
      fixture.a.registered.instrument.key,
    ],
  )
  return token
}

/** Unsubscribes a contact from mails about one error of A's instrument; returns the id. */
export async function unsubscriptionOfA({ app, fixture }: CallContext): Promise<string> {
  const { rows } = await app.database.pool.query<{ id: number }>(
    `INSERT INTO support_email_unsubscription (contact_email, instrument_id, template_id, created_at)
      SELECT $1, id, 'P9B-1042', $2 FROM instrument WHERE installed_product_id = $3 RETURNING id`,
    [`${randomBytes(6).toString('hex')}@lab.example`, app.clock.now(), fixture.a.registered.instrument.key],
  )
  return String(rows[0]?.id)
}
