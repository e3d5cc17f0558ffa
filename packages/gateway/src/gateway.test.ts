import { pino } from 'pino'
import { expect, it } from 'vitest'
import { startHeartbeat } from './gateway.ts'

it('a heartbeat that the outbox cannot count is told and does not end the gateway', async () => {
  const logged: string[] = []
  const log = pino({}, { write: (line) => logged.push((JSON.parse(line) as { msg: string }).msg) })
  const sent: unknown[] = []
  const heart = startHeartbeat({
    name: 'GW-UPP-01',
    outbox: { epoch: 'epoch', takeSequence: () => Promise.reject(new Error('No space left on device')) },
    send: async (items) => {
      sent.push(items)
      return { kind: 'failed', reason: 'Nobody listens.' }
    },
    onRecovery: () => undefined,
    onKnown: () => undefined,
    dataOf: () => ({}),
    log,
  })
  await heart.stop()
  expect(logged).toEqual([
    'A heartbeat could not be sent, because the outbox is not writable. Check that its disk is not full.',
  ])
  expect(sent).toEqual([])
})
