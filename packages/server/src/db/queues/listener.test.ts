import { describe, expect, it } from 'vitest'
import { eventually } from '../../testing/eventually.ts'
import { testDatabase } from '../../testing/test-database.ts'
import { connectClient } from '../connect.ts'
import { startListener } from './listener.ts'

describe('a listener', () => {
  it('receives its channel, reconnects after a broken connection and reports a possible gap', async () => {
    const database = await testDatabase()
    const received: string[] = []
    const listener = await database.listen('test_channel', (payload) => received.push(payload))
    const other = await connectClient(database.owner)
    await other.query("SELECT pg_notify('another_channel', 'no'), pg_notify('test_channel', 'first')")
    await eventually(() => expect(received).toEqual(['first']))

    await other.query(
      "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND query LIKE 'LISTEN%'",
    )
    await eventually(() => expect(received).toEqual(['first', '']))
    await other.query("SELECT pg_notify('test_channel', 'second')")
    await eventually(() => expect(received).toEqual(['first', '', 'second']))

    await listener.close()
    const { rows } = await other.query(
      "SELECT FROM pg_stat_activity WHERE datname = current_database() AND query LIKE 'LISTEN%'",
    )
    expect(rows).toHaveLength(0)
    await other.end()
  })

  it('can be closed while it reconnects', async () => {
    const database = await testDatabase()
    let connections = 0
    const listener = await startListener(
      async () => {
        connections += 1
        if (connections > 1) throw new Error('The server is gone.')
        return database.dedicatedClient()
      },
      { channel: 'test_channel', onNotify: () => undefined },
    )
    const other = await connectClient(database.owner)
    await other.query(
      "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND query LIKE 'LISTEN%'",
    )
    await other.end()
    await eventually(() => expect(connections).toBeGreaterThan(1))
    await listener.close()
    const afterClose = connections
    await new Promise(setImmediate)
    expect(connections).toBe(afterClose)
  })
})
