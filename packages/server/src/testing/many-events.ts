import type { DatabaseHandle } from '../db/connect.ts'
import type { NewServiceEvent } from '../features/events/change-record.ts'
import { insertServiceEvents } from '../features/events/events.store.ts'
import { TEST_NOW } from './test-app.ts'

/** As many as one statement can insert well within its timeout. */
const ROWS_AT_ONCE = 2000

let alerts = 0

/** Stores this many New events of one instrument that differ only in their text; returns their ids in order. */
export async function addEvents(
  { db }: Pick<DatabaseHandle, 'db'>,
  { count, instrumentId, ...over }: { count: number; instrumentId: number } & Partial<NewServiceEvent>,
): Promise<string[]> {
  const place = await db
    .selectFrom('instrument')
    .where('id', '=', instrumentId)
    .select(['site_id', 'customer_id'])
    .executeTakeFirstOrThrow()
  const { id: gatewayId } = await db
    .selectFrom('gateway')
    .where('site_id', '=', place.site_id)
    .select('id')
    .executeTakeFirstOrThrow()
  const template = await db.selectFrom('event_template').select('template_id').executeTakeFirstOrThrow()
  const ids: string[] = []
  while (ids.length < count) {
    const events = Array.from({ length: Math.min(ROWS_AT_ONCE, count - ids.length) }, (): NewServiceEvent => {
      alerts += 1
      return {
        createdAt: TEST_NOW,
        logGeneratedAt: TEST_NOW,
        // Cleared, so that each raise creates a new event.
        clearedAt: TEST_NOW,
        alertId: `alert-${alerts}`,
        templateId: template.template_id,
        severity: 'high',
        alertType: 1,
        alertSource: 'INSTRUMENT',
        description: 'Pressure limit exceeded',
        userMessage: null,
        instrumentId,
        componentId: null,
        gatewayId,
        siteId: place.site_id,
        customerId: place.customer_id,
        instrumentStatusAtEvent: 'ready',
        fullSupport: false,
        ...over,
      }
    })
    ids.push(...[...(await insertServiceEvents(db, events)).values()].map(String))
  }
  return ids
}
