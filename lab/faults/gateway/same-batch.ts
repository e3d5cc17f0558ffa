import { setTimeout as pause } from 'node:timers/promises'
import { withClient } from '../../product/database.ts'
import { compare } from '../ledger/comparison.ts'
import type { Ledger } from '../ledger/ledger.ts'
import { openFixture } from '../load/fixture.ts'
import { GatewayItems } from '../load/gateway-items.ts'
import { sendBatch, settle } from '../load/gateway-load.ts'
import type { RegisteredGateway } from '../product/fleet.ts'
import { HttpClient } from '../product/http-client.ts'
import { runFault } from '../script/fault-script.ts'

interface Tally {
  items: number
  accepted: number
  duplicates: number
  wrong: string[]
}

/** Every batch arrives three times, interleaved from two connections, as after answers that were lost. */
await runFault({
  name: 'same-batch',
  parameters: { rounds: 50, items: 20, gateways: 8 },
  async run({ workplace, verdict, parameters: { rounds, items, gateways } }) {
    const fixture = await openFixture(workplace, { gateways })
    const { product, fleet, ledger } = fixture
    const began = Date.now()
    const tallies = await Promise.all(
      fleet.gateways.map((gateway) => repeatBatches({ url: product.url, gateway, ledger }, { rounds, items })),
    )
    const sum = (of: (tally: Tally) => number) => tallies.reduce((total, tally) => total + of(tally), 0)
    const made = sum((tally) => tally.items)
    await pause(1000)
    const { found, latched } = await withClient(fixture.databaseUrl(), async (database) => ({
      found: await compare(database, ledger),
      latched: await database.query<{ times: number }>(
        'SELECT coalesce(sum(latched_count), 0)::int AS times FROM service_event',
      ),
    }))
    verdict.compared(found)
    verdict.figure('seconds', (Date.now() - began) / 1000)
    verdict.check('accepted in three answers together', {
      figure: sum(({ accepted }) => accepted),
      goal: `each item once: ${made}`,
      passed: sum(({ accepted }) => accepted) === made,
    })
    verdict.check('reported as duplicates', {
      figure: sum(({ duplicates }) => duplicates),
      goal: `each item twice: ${2 * made}`,
      passed: sum(({ duplicates }) => duplicates) === 2 * made,
    })
    verdict.atMost('batches of which the sum is wrong', { figure: sum(({ wrong }) => wrong.length), most: 0 })
    verdict.atMost('repeats taken for a raise of their own', { figure: latched.rows[0]?.times ?? null, most: 0 })
    verdict.memory(product.peakRss)
    for (const wrong of tallies.flatMap((tally) => tally.wrong).slice(0, 5)) console.log(`  wrong: ${wrong}`)
  },
})

interface Sender {
  url: string
  gateway: RegisteredGateway
  ledger: Ledger
}

async function repeatBatches(
  { url, gateway, ledger }: Sender,
  { rounds, items }: { rounds: number; items: number },
): Promise<Tally> {
  const made = new GatewayItems(gateway, ledger)
  // One connection each, so that two requests can never share one.
  const [left, right] = [new HttpClient(url, { connections: 1 }), new HttpClient(url, { connections: 1 })]
  const tally: Tally = { items: 0, accepted: 0, duplicates: 0, wrong: [] }
  for (let round = 0; round < rounds; round += 1) {
    const batch = Array.from({ length: items }, (_, at) =>
      at % 5 === 3 ? made.status() : at % 5 === 4 ? made.log() : made.alarm(),
    )
    const ids = batch.map(({ id }) => id)
    ledger.noteSending(gateway.name, ids)
    const send = (client: HttpClient) => sendBatch(client, { gateway: gateway.name, key: gateway.key, items: batch })
    // The second one starts at random during the first one or after it; the third follows on the first one's
    // connection.
    const first = send(left)
    const second = pause(Math.random() * 10).then(() => send(right))
    const third = send(left)
    let accepted = 0
    let duplicates = 0
    for (const answer of await Promise.all([first, second, third])) {
      if (answer.status !== 200) throw new Error(`The server answered ${answer.status || answer.failure}.`)
      const settled = settle(ledger, { gateway: gateway.name, ids, answer })
      accepted += settled.accepted
      duplicates += settled.duplicates
    }
    tally.items += batch.length
    tally.accepted += accepted
    tally.duplicates += duplicates
    if (accepted !== batch.length || duplicates !== 2 * batch.length) {
      tally.wrong.push(`${gateway.name} round ${round}: ${accepted} accepted, ${duplicates} duplicates`)
    }
  }
  left.close()
  right.close()
  return tally
}
