import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { testDatabase } from '../testing/test-database.ts'
import { connectDatabase } from './connect.ts'

it('has the database detect within seconds, over a network, that the machine of a process lost power', async () => {
  const { owner } = await testDatabase()
  const url = new URL(owner.connectionString ?? '')
  url.searchParams.delete('host')
  url.hostname = '127.0.0.1'
  const overNetwork = await connectDatabase({ connection: { connectionString: url.href }, poolSize: 1 })
  const client = await overNetwork.dedicatedClient()
  try {
    // These are the settings that the server reads from the connection itself; they read as 0 where keepalives are not
    // used.
    const query = `SELECT inet_server_port() AS port, current_setting('tcp_keepalives_idle') AS idle,
      current_setting('tcp_keepalives_interval') AS interval`
    const expected = [{ port: Number(url.port), idle: '4', interval: '1' }]
    for (const db of [overNetwork.db, overNetwork.intake, overNetwork.reporting])
      expect((await sql.raw(query).execute(db)).rows).toEqual(expected)
    expect((await client.query(query)).rows).toEqual(expected)
  } finally {
    await client.end()
    await overNetwork.close()
  }
})
