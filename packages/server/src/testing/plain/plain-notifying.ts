import type { NotificationKind } from '@benchwatch/contract/vocabulary'
import type { TestDatabase } from '../test-database.ts'

/**
 * Decides by plainly reading the tables who is notified of an event. Written without the product's own rule, as a
 * reference for it.
 */

export interface PlainEvent {
  id: number
  customerId: number
  createdAt: Date
  isUnderReview: boolean
  /** The value by category; null if the event has none. */
  has: Record<string, string | null>
  /** Assignments of the event, as `from>to`; `from` may be empty. */
  given: string[]
}

export async function readPlainEvents({ pool }: Pick<TestDatabase, 'pool'>): Promise<PlainEvent[]> {
  const { rows } = await pool.query(`
    SELECT e.id, e.customer_id AS "customerId", e.created_at AS "createdAt",
      EXISTS (SELECT 1 FROM support_email_template t WHERE t.under_review AND t.template_id = e.template_id
        AND t.instrument_type = (SELECT type FROM instrument WHERE id = e.instrument_id)) AS "isUnderReview",
      jsonb_build_object(
        'alertType', e.alert_type::text,
        'severity', CASE e.severity WHEN 1 THEN 'low' WHEN 2 THEN 'medium' ELSE 'high' END,
        'customer', (SELECT name FROM customer WHERE id = e.customer_id),
        'region', (SELECT region FROM site WHERE id = e.site_id),
        'country', (SELECT country FROM site WHERE id = e.site_id),
        'siteCity', (SELECT city FROM site WHERE id = e.site_id)
      ) || CASE WHEN e.is_edge_issue THEN '{}' ELSE jsonb_build_object(
        'instrumentType', (SELECT type FROM instrument WHERE id = e.instrument_id),
        'componentName', (SELECT name FROM component WHERE id = e.component_id),
        'instrumentStatus', e.instrument_status_at_event,
        'contractSLA', (SELECT c.sla_term FROM contract c JOIN instrument i ON i.contract_id = c.id
          WHERE i.id = e.instrument_id AND i.customer_id = e.customer_id),
        'qualifiedSystem', (SELECT qualified_system::text FROM instrument WHERE id = e.instrument_id)
      ) END AS has,
      ARRAY(SELECT coalesce(a.actor_id, '') || '>' || a.new_value FROM audit a
        WHERE a.entity_type = 'service_event' AND a.entity_id = e.id::text AND a.property = 'claimedBy') AS given
    FROM service_event e ORDER BY e.id`)
  return rows as PlainEvent[]
}

export interface PlainPerson {
  id: number
  email: string
  msisdn: string | null
  isDisabled: boolean
  seesAll: boolean
  customers: number[]
  ownFlag: boolean | null
  settings: Record<string, Record<string, unknown>>
}

export async function readPlainPeople(
  { pool }: Pick<TestDatabase, 'pool'>,
  ids: readonly number[],
): Promise<PlainPerson[]> {
  const { rows } = await pool.query(
    `SELECT u.id, u.email, u.msisdn, u.disabled_at IS NOT NULL AS "isDisabled", u.all_customers AS "seesAll",
      ARRAY(SELECT customer_id FROM user_customer WHERE user_id = u.id) AS customers,
      (SELECT value FROM feature_flag WHERE user_id = u.id AND key = 'NOTIFY_UNDER_REVIEW') AS "ownFlag",
      (SELECT jsonb_object_agg(profile_type, settings) FROM profile WHERE user_id = u.id) AS settings
    FROM app_user u WHERE u.id = ANY($1)`,
    [ids],
  )
  return rows as PlainPerson[]
}

/**
 * Returns the notified addresses and numbers by user, empty for users who are not notified. Assumes that no flag of
 * the deployment is set.
 */
export function plainlyTold(
  person: PlainPerson,
  { kind, event }: { kind: NotificationKind; event: PlainEvent },
): string[] {
  const profile = person.settings[kind] ?? {}
  const email = person.settings['email'] ?? {}
  const mayKnow = !person.isDisabled && (person.seesAll || person.customers.includes(event.customerId))
  if (!mayKnow || (event.isUnderReview && person.ownFlag !== true)) return []
  if (kind === 'assign_me_notification') {
    const given = event.given.filter((one) => one.endsWith(`>${person.id}`))
    if (!given.some((one) => one !== `${person.id}>${person.id}`)) return []
  }
  for (const [category, wanted] of Object.entries(profile)) {
    if (!Array.isArray(wanted) || wanted.length === 0) continue
    const has = event.has[category]?.toUpperCase()
    if (!wanted.some((value: string) => value.toUpperCase() === has)) return []
  }
  const mails = profile['notifyEmail']
    ? [
        ...(email['useDefaultEmail'] ? [person.email] : []),
        ...(email['useNotificationEmail'] ? [email['notificationEmail'] as string] : []),
      ]
    : []
  const [first, second] = mails
  const isTwice = first?.toLowerCase() === second?.toLowerCase()
  return [
    ...(isTwice ? mails.slice(0, 1) : mails),
    ...(profile['notifySms'] && person.msisdn !== null ? [person.msisdn] : []),
  ]
}
