import { setTimeout as pause } from 'node:timers/promises'
import { openFixture, settleFixture, startLoad } from '../load/fixture.ts'
import { GatewayItems } from '../load/gateway-items.ts'
import { sendBatch, settle } from '../load/gateway-load.ts'
import { gatewayPoisons, livePoisons, type Poison, type PoisonOutcome, personPoisons } from '../load/poisons.ts'
import { HttpClient } from '../product/http-client.ts'
import { runFault } from '../script/fault-script.ts'

/**
 * A body that unpacks to 8 MB may take 15 times as much once it is parsed, and the server accepts four of them at once.
 */
const MEMORY_MB = 700
/** A request that never becomes complete is dropped after 30 s, and the server looks for such requests every 5 s. */
const UNFINISHED_MS = 40_000
/** Poisons that take long by design. */
const unfinished = /more announced|one byte|headers without/

/**
 * Everything that a server should not accept is sent to the entry points of gateways, users and live connections while
 * instruments report. Each poison is refused or kept aside, and the same gateway's next message is stored as if nothing
 * had happened.
 */
await runFault({
  name: 'poison',
  parameters: { rate: 50, gateways: 5, rounds: 2 },
  async run({ workplace, verdict, parameters: { rate, gateways, rounds } }) {
    const fixture = await openFixture(workplace, { gateways, supervised: true })
    const { product, fleet, ledger, token } = fixture
    const [gateway] = fleet.gateways
    if (!gateway) throw new Error('At least two gateways are needed.')
    const load = startLoad(workplace, fixture, { perSecond: rate, spare: 1, answers: [] })
    const client = new HttpClient(product.url, { patienceMs: 30_000 })
    workplace.atEnd(() => client.close())
    const kitchen = { client, gateway, token }
    const items = new GatewayItems(gateway, ledger)
    const next = async () => {
      const item = items.alarm()
      ledger.noteSending(gateway.name, [item.id])
      const answer = await sendBatch(client, { gateway: gateway.name, key: gateway.key, items: [item] })
      if (answer.status === 200) settle(ledger, { gateway: gateway.name, ids: [item.id], answer })
      return answer.status === 200 ? answer.tookMs : Number.POSITIVE_INFINITY
    }
    await pause(2000)
    for (let message = 0; message < 10; message += 1) await next()
    const memoryBefore = product.peakRss

    const wrong: string[] = []
    const parked: string[] = []
    const closed: string[] = []
    const nextMs: number[] = []
    const slow: Promise<void>[] = []
    const all = [...gatewayPoisons(kitchen), ...personPoisons(kitchen), ...livePoisons(kitchen)]
    const swallow = async (poison: Poison, mayBeDeferred = false) => {
      const outcome = await poison.send()
      // With many at once, some may be asked to retry.
      if (!isHarmless(poison, outcome) && !(mayBeDeferred && outcome.status === 503))
        wrong.push(`${poison.name}: ${outcome.status} after ${Math.round(outcome.tookMs)} ms`)
      if (outcome.parked > 0) parked.push(poison.name)
      if (outcome.status === 0) closed.push(poison.name)
    }
    for (let round = 0; round < rounds; round += 1) {
      for (const poison of all) {
        if (unfinished.test(poison.name)) slow.push(swallow(poison))
        else await swallow(poison)
        const ms = await next()
        if (ms > 1000) console.log(`  the message after "${poison.name}" took ${Math.round(ms)} ms`)
        nextMs.push(ms)
      }
    }
    // Send all of them at once, which may delay the next message, but not for long.
    await Promise.all(all.filter(({ name }) => !unfinished.test(name)).map((poison) => swallow(poison, true)))
    nextMs.push(await next())
    await Promise.all(slow)
    nextMs.push(await next())

    await settleFixture(fixture, { load, verdict })
    verdict.figure('kinds of poison', all.length)
    verdict.figure('parked', [...new Set(parked)].join('; ') || 'none')
    verdict.figure('closed without an answer', [...new Set(closed)].join('; ') || 'none')
    verdict.atMost('neither refused nor parked', { figure: wrong.length, most: 0 })
    for (const one of wrong) console.log(`  ${one}`)
    verdict.percentiles('next message', nextMs)
    verdict.atMost('next message, slowest', { figure: Math.max(...nextMs), most: 1000, unit: 'ms' })
    verdict.atMost('memory that grew', { figure: (product.peakRss - memoryBefore) / 1e6, most: MEMORY_MB, unit: 'MB' })
    verdict.check('the server was never restarted', {
      figure: product.lives.length,
      goal: 'one life',
      passed: product.lives.length === 1 && product.life.endedAt === null,
    })
    verdict.atMost('errors in its log', { figure: product.logLines('"level":50').length, most: 0 })
    for (const line of product.logLines('"level":50').slice(0, 3)) console.log(`  ${line.slice(0, 600)}`)
    verdict.memory(product.peakRss)
  },
})

/**
 * Tells whether a poison was handled: refused with 4xx, kept aside, stored with invalid characters replaced, or, where
 * nothing was sent in HTTP, closed.
 */
function isHarmless({ name }: Poison, { status, parked, closed, tookMs }: PoisonOutcome): boolean {
  if (tookMs > UNFINISHED_MS) return false
  if (status >= 400 && status < 500) return true
  // An idle connection ends before the time limit of the request, and a caller that still sends after a refusal may
  // find the connection broken before it reads the answer.
  if (status === 0 && closed && (unfinished.test(name) || name.startsWith('10 MB'))) return true
  if (name.startsWith('live: ')) return status === 101 && closed
  // It is stored with U+FFFD for the character that PostgreSQL cannot keep.
  return status === 200 && (parked > 0 || name.startsWith('log lines') || name.startsWith('half a surrogate'))
}
