import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as pause } from 'node:timers/promises'
import { residentMb } from '../../measure/machine.ts'
import { closedLoop } from '../../measure/sampling.ts'
import { LiveClient } from '../../product/live-client.ts'
import type { Fixture } from '../fixture.ts'
import { GatewaySender } from '../gateway-sender.ts'
import { memoryGoal } from '../goals.ts'
import { askList, type RangeName, rangeOf } from '../searches.ts'

const SETTLE_MS = 30_000
const LOAD_SECONDS = 10
const ranges: readonly RangeName[] = ['7 days', '1 year', 'unbounded']

/**
 * Measures the memory of the server's process at rest: half a minute after the start, after a console was opened, and
 * after a load. The database has its own. The floor is a Node that does nothing.
 */
export async function measureMemory(fixture: Fixture): Promise<void> {
  const goal = memoryGoal(fixture)
  const floor = { value: await bareNodeMb(), how: 'a Node process that does nothing' }
  const note = (name: string) =>
    fixture.report({
      group: 'memory',
      name: `server memory (RSS) ${name}`,
      unit: 'MB',
      value: residentMb(fixture.product.pid),
      floor,
      ...(goal && { goal }),
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

async function bareNodeMb(): Promise<number> {
  const node = spawn(process.execPath, ['-e', "console.log('ready'); process.stdin.resume()"])
  await once(node.stdout, 'data')
  const megabytes = residentMb(node.pid ?? 0)
  node.stdin.end()
  await once(node, 'close')
  return megabytes
}
