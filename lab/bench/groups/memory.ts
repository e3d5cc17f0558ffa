import { setTimeout as pause } from 'node:timers/promises'
import { residentMb } from '../../measure/machine.ts'
import { closedLoop } from '../../measure/sampling.ts'
import { LiveClient } from '../../product/live-client.ts'
import type { Fixture } from '../fixture.ts'
import { GatewaySender } from '../gateway-sender.ts'
import { goals } from '../goals.ts'
import { askList, type RangeName, rangeOf } from '../searches.ts'

const SETTLE_MS = 10_000
const LOAD_SECONDS = 10
const ranges: readonly RangeName[] = ['7 days', '1 year', 'unbounded']

/**
 * Measures the memory of the server's process: just started, with a console open, and after a load. The database has
 * its own.
 */
export async function measureMemory(fixture: Fixture): Promise<void> {
  const note = (name: string) =>
    fixture.report({
      group: 'memory',
      name: `server memory (RSS) ${name}`,
      unit: 'MB',
      value: residentMb(fixture.product.pid),
      goal: goals.memory,
    })
  await pause(SETTLE_MS)
  note('after the start')
  const screen = await LiveClient.open(fixture.admin)
  for (let visit = 0; visit < 30; visit++) {
    await askList(fixture.clients.all, { range: rangeOf(ranges[visit % ranges.length] ?? '7 days') })
  }
  await pause(SETTLE_MS)
  note('with an open console')
  const senders = fixture.data.gateways
    .slice(0, 4)
    .map((gateway) => new GatewaySender(fixture.product.baseUrl, gateway))
  await Promise.all([
    closedLoop(
      (worker) => askList(fixture.clients.all, { range: rangeOf(ranges[worker % ranges.length] ?? '7 days') }),
      {
        workers: 8,
        seconds: LOAD_SECONDS,
      },
    ),
    closedLoop(
      async (worker) => {
        const sender = senders[worker]
        await sender?.send(sender.alarms(100))
      },
      { workers: senders.length, seconds: LOAD_SECONDS },
    ),
  ])
  for (const sender of senders) sender.close()
  await pause(SETTLE_MS)
  note('after a load, with an open console')
  screen.close()
  await pause(SETTLE_MS)
  note('after a load')
}
