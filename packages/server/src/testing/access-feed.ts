import { sql } from 'kysely'
import type { Scene } from './access-callers.ts'

/** Good requests about the state of the feed (`access-requests.ts`). */
export const feedRequests = {
  listGatewayFeeds: () => ({}),
  injectTestAlarms: () => ({}),
  listParkedItems: () => ({ query: {} }),
  retryParkedItem: async (scene: Scene) => ({ params: { id: await parkedOfA(scene) }, body: {} }),
} as const

/** An item of customer A's gateway that could not be taken. */
async function parkedOfA({ app, world }: Scene): Promise<string> {
  const { rows } = await sql<{ id: number }>`
    INSERT INTO parked_item (gateway_id, item_id, code, reason, item, received_at)
    SELECT id, NULL, 'bad-item', ${`${world.a.mark} is not valid`}, ${JSON.stringify({ id: world.a.mark })}::jsonb,
      ${app.clock.now()}
    FROM gateway WHERE name = ${world.a.gateway.name} RETURNING id`.execute(app.database.db)
  return String(rows[0]?.id)
}
