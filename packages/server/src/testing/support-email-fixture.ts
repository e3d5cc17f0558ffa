import type { LeaderTask } from '../db/queues/leader.ts'
import { processPendingNotifications } from '../features/notifications/notifying.service.ts'
import type { DeliveryHooks } from '../features/outgoing-messages.ts'
import { supportEmailHooks, supportEmailTasks } from '../features/support-emails/support-emails.jobs.ts'
import { addEvents } from './many-events.ts'
import { notifyingOn } from './notifying-fixture.ts'
import { registerSampleFleet, type SampleFleet } from './sample-fleet.ts'
import { TEST_NOW } from './test-app.ts'
import { type TestDatabase, testDatabase } from './test-database.ts'

/** Contact of the first instrument. */
export const CONTACT = 'maria.oberg@helixbio.example'
/** In the sample fleet; the template of the mails. */
const TEMPLATE_ID = 'P9B-1042'

export interface SupportEmailFixture {
  database: TestDatabase
  fleet: SampleFleet
  notifying: ReturnType<typeof notifyingOn>
}

/** Creates the sample fleet with everything for mails to its contact: a template that closes events, and AUTO_EMAIL. */
export async function supportEmailFixture(): Promise<SupportEmailFixture> {
  const database = await testDatabase()
  return { database, fleet: await registerSampleFleet(database, TEST_NOW), notifying: notifyingOn(database) }
}

/** Resets the state before each test. */
export async function resetSupportEmails(fixture: SupportEmailFixture): Promise<void> {
  const { database, fleet } = fixture
  const tables = ['support_email', 'unsubscribe_link', 'support_email_unsubscription', 'support_email_template']
  const others = ['feature_flag', 'pending_notification', 'outbound_message', 'maintenance_window', 'maintenance']
  for (const table of [...tables, ...others]) await database.pool.query(`DELETE FROM ${table}`)
  await database.pool.query("UPDATE contact SET key = $1, name = 'Maria Öberg', customer_id = $2", [
    CONTACT,
    fleet.customers.helix,
  ])
  await database.pool.query('UPDATE instrument SET contact_id = (SELECT id FROM contact) WHERE id = ANY($1)', [
    [fleet.instruments.first, fleet.instruments.second],
  ])
  fixture.notifying = notifyingOn(database)
  await setTemplate(fixture, {})
  await setFlag(fixture, 'AUTO_EMAIL')
}

export async function setTemplate(
  { database }: SupportEmailFixture,
  over: { closes_event?: boolean; under_review?: boolean; body?: string; subject?: string },
): Promise<void> {
  const columns = {
    component_name: 'Pump B (P9-B)',
    subject: '{instrument}: {description}',
    body: 'Dear {contactName}, {description}',
    troubleshooting: null,
    closes_event: true,
    ...over,
  }
  await database.db
    .insertInto('support_email_template')
    .values({ instrument_type: 'AKTAPilot600', template_id: TEMPLATE_ID, ...columns })
    .onConflict((conflict) => conflict.columns(['instrument_type', 'template_id']).doUpdateSet(columns))
    .execute()
}

export async function setFlag(
  { database }: SupportEmailFixture,
  key: 'AUTO_EMAIL' | 'NOTIFY_UNDER_REVIEW',
): Promise<void> {
  await database.db.insertInto('feature_flag').values({ key, user_id: null, value: true }).execute()
}

/** Raises new events, by default of the first instrument. */
export async function raiseEvents(
  { database, fleet }: SupportEmailFixture,
  over: Partial<Parameters<typeof addEvents>[1]> = {},
): Promise<number[]> {
  const ids = await addEvents(database, { count: 1, instrumentId: fleet.instruments.first, ...over })
  return ids.map(Number)
}

/** Processes the pending notifications; contacts are mailed in the same transaction. */
export async function tell({ notifying }: SupportEmailFixture): Promise<void> {
  await processPendingNotifications(notifying)
}

export function courseOf({ notifying }: SupportEmailFixture): DeliveryHooks {
  return supportEmailHooks(notifying)
}

/** Runs the leader's periodic tasks. */
export async function runTasks({ notifying }: SupportEmailFixture): Promise<void> {
  for (const task of supportEmailTasks(notifying) as LeaderTask[]) await task.run()
}

export async function mailsOf({ database }: SupportEmailFixture) {
  return database.db.selectFrom('outbound_message').selectAll().orderBy('id').execute()
}

export async function supportEmailsOf({ database }: SupportEmailFixture) {
  return database.db.selectFrom('support_email').selectAll().orderBy('event_id').execute()
}

export async function eventOf({ database }: SupportEmailFixture, id: number) {
  return database.db.selectFrom('service_event').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
}

/** Sends all mails that are due, as the sender does. */
export async function leave(fixture: SupportEmailFixture): Promise<void> {
  const { database, notifying } = fixture
  for (const { id } of await mailsOf(fixture)) {
    const at = notifying.clock.now()
    const sent = await database.pool.query(
      'UPDATE outbound_message SET sent_at = $2 WHERE id = $1 AND sent_at IS NULL AND failed_at IS NULL',
      [id, at],
    )
    if (sent.rowCount === 1) await courseOf(fixture).sent(database.db, id, at)
  }
}

/** Unsubscribes the contact, permanently or until the given time. */
export async function unsubscribe(
  { database, fleet }: SupportEmailFixture,
  { until = null, instrumentId = fleet.instruments.first }: { until?: Date | null; instrumentId?: number } = {},
): Promise<void> {
  await database.db
    .insertInto('support_email_unsubscription')
    .values({
      contact_email: CONTACT,
      instrument_id: instrumentId,
      template_id: TEMPLATE_ID,
      created_at: TEST_NOW,
      until,
    })
    .execute()
}

/** Adds a maintenance, by default of the first instrument. */
export async function maintain(
  { database, fleet }: SupportEmailFixture,
  { start, end, instrumentId = fleet.instruments.first }: { start: Date; end: Date | null; instrumentId?: number },
): Promise<void> {
  const window = { instrument_id: instrumentId, start_at: start, end_at: end }
  const { id } = await database.db
    .insertInto('maintenance')
    .values({ ...window, created_at: TEST_NOW })
    .returning('id')
    .executeTakeFirstOrThrow()
  await database.db
    .insertInto('maintenance_window')
    .values({ maintenance_id: id, ...window })
    .execute()
}
