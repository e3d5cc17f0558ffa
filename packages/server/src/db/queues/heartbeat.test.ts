import { expect, it } from 'vitest'
import { testDatabase } from '../../testing/test-database.ts'
import { keepAlive } from './heartbeat.ts'

it('a connection whose server no longer answers is broken, and one that answers is kept', async () => {
  const { dedicatedClient } = await testDatabase()
  const [silent, well] = [await dedicatedClient(), await dedicatedClient()]
  const { rows } = await silent.query<{ pid: number }>('SELECT pg_backend_pid() AS pid')
  const stopping = new AbortController()
  const kept = keepAlive(well, stopping.signal, { everyMs: 5 })
  process.kill(rows[0]?.pid ?? 0, 'SIGSTOP')
  try {
    await keepAlive(silent, stopping.signal, { everyMs: 5, patienceMs: 100 })
    await expect(silent.query('SELECT 1')).rejects.toThrow()
  } finally {
    process.kill(rows[0]?.pid ?? 0, 'SIGCONT')
  }
  expect((await well.query('SELECT 1 AS one')).rows).toEqual([{ one: 1 }])
  stopping.abort()
  await kept
  await well.end()
})
