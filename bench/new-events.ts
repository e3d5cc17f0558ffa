import type { Client } from 'pg'

/** Ids of events that nobody has touched, spread over their ages; throws when there are too few for any measure. */
export async function takeNewEvents(sql: Client, count: number): Promise<number[]> {
  const { rows } = await sql.query<{ id: number }>(
    'SELECT id FROM service_event WHERE alert_status = 1 AND claimed_by IS NULL ORDER BY id % 1009, id LIMIT $1',
    [count],
  )
  if (rows.length < 40) {
    throw new Error('There are too few new events left in these data: make them anew with npm run bench:generate.')
  }
  return rows.map(({ id }) => id)
}
