import type { NotificationSettings, Profile } from '@benchwatch/contract/messages/profiles'
import type { Client } from 'pg'
import { withClient } from '../../product/database.ts'
import type { Fixture } from '../load/fixture.ts'
import { runCommand, signIn } from '../product/fleet.ts'
import { jsonOf } from '../product/http-client.ts'

export const PASSWORD = 'Benchwatch-2026!'

export interface NotifiedPerson {
  login: string
  id: string
  /** An access token, valid for as long as the product is configured. */
  token: string
}

/** Settings for all events, by this channel. */
export function allBy(channel: 'email' | 'sms' | 'nothing'): NotificationSettings {
  return {
    notifyEmail: channel === 'email',
    notifySms: channel === 'sms',
    ...{ alertType: [], severity: [], customer: [], instrumentType: [], region: [], country: [], siteCity: [] },
    ...{ componentName: [], instrumentStatus: [], contractSLA: [], qualifiedSystem: [] },
  }
}

/**
 * Adds users who are notified about all new events, set up as they would do it themselves. Those with an `msisdn` get
 * text messages instead of mails.
 */
export async function addNotifiedPeople(
  { product, client, databaseUrl }: Pick<Fixture, 'product' | 'client' | 'databaseUrl'>,
  people: readonly { login: string; msisdn?: string }[],
): Promise<NotifiedPerson[]> {
  const notified: NotifiedPerson[] = []
  for (const { login, msisdn } of people) {
    await runCommand(product, { name: 'admin-create', args: [login, '--password-stdin'], input: `${PASSWORD}\n` })
    if (msisdn !== undefined) {
      await withClient(databaseUrl(), (database) =>
        database.query('UPDATE app_user SET msisdn = $2 WHERE login = $1', [login, msisdn]),
      )
    }
    const token = await signIn(client, { userId: login, password: PASSWORD })
    const profiles = jsonOf<Profile[]>(await client.send({ method: 'GET', path: '/api/profiles', token }))
    const profile = profiles.find(({ profileType }) => profileType === 'new_event_notification')
    if (!profile) throw new Error(`${login} has no profile for all events.`)
    jsonOf(
      await client.send({
        method: 'PUT',
        path: `/api/profiles/${profile.id}`,
        token,
        body: JSON.stringify(allBy(msisdn === undefined ? 'email' : 'sms')),
      }),
    )
    const { id } = jsonOf<{ id: string }>(await client.send({ method: 'GET', path: '/api/users/me', token }))
    notified.push({ login, id, token })
  }
  return notified
}

/** One in this many alarms is mailed to the contact of its instrument, and one in this many is closed by that mail. */
const MAILED_EVERY = 4
const CLOSED_EVERY = 8

/**
 * Adds templates of support e-mails for the alarms of `GatewayItems`, each of which has its own template id, and
 * switches the feature on.
 */
export async function addSupportEmails(database: Client, alarms: number): Promise<void> {
  await database.query(
    `INSERT INTO support_email_template (instrument_type, template_id, component_name, subject, body, closes_event)
     SELECT DISTINCT ON (i.type, n) i.type, 'FLT-' || n, 'Pump B (P9-B)', '{eventId} on your {instrument}',
       'Dear {contactName}, your {instrument} has reported: {description}', n % $3 = 0
     FROM instrument i, generate_series($2::int, $1::int, $2) AS n`,
    [alarms, MAILED_EVERY, CLOSED_EVERY],
  )
  await database.query("INSERT INTO feature_flag (key, user_id, value) VALUES ('AUTO_EMAIL', NULL, true)")
}
