import { expect, it } from 'vitest'
import type { GatewaySource } from './run-source.ts'
import { removedSources } from './run-source.ts'
import { MemoryOutbox } from './testing/memory-outbox.ts'

it('a removed source whose link was lost leaves no instrument disconnected', async () => {
  const outbox = new MemoryOutbox()
  const tell = (subject: string, instrumentStatus: 'ready' | 'disconnected') =>
    outbox
      .context()
      .report({ type: 'benchwatch.status.changed', subject, time: new Date(), data: { instrumentStatus } })
  await tell('IP-1', 'disconnected')
  await tell('IP-2', 'ready')
  await tell('IP-3', 'disconnected')
  outbox.notes.set('skids/link', JSON.stringify({ instruments: ['IP-1', 'IP-2'], isLost: true }))
  outbox.notes.set('plant/link', JSON.stringify({ instruments: ['IP-3'], isLost: true }))
  const plant = { name: 'plant' } as GatewaySource
  for (let start = 0; start < 2; start++)
    for (const source of removedSources(outbox.notes.keys(), [plant]))
      await (await source.start(outbox.context())).stop()
  expect(outbox.statuses().map(({ subject, data }) => `${subject} ${data.instrumentStatus}`)).toEqual([
    'IP-1 disconnected',
    'IP-2 ready',
    'IP-3 disconnected',
    'IP-1 Unknown',
  ])
})
