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

/** What a claim asks for: the event for this user, in progress. */
export async function claimFor(sql: Client, login: string): Promise<{ claimedBy: string; alertStatus: 'IN_PROGRESS' }> {
  const { rows } = await sql.query<{ id: number }>('SELECT id FROM app_user WHERE login = $1', [login])
  return { claimedBy: String(rows[0]?.id), alertStatus: 'IN_PROGRESS' }
}
