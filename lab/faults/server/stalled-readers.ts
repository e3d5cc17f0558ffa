import { setTimeout as pause } from 'node:timers/promises'
import type { Client } from 'pg'
import { percentile } from '../../measure/percentiles.ts'
import { withClient } from '../../product/database.ts'
import { LiveViewer } from '../consoles/live-viewer.ts'
import { askAndNeverRead, openLive, type Reader, untilClosed } from '../consoles/stalled-reader.ts'
import { type Comparison, liveDelays } from '../ledger/comparison.ts'
import { openFixture, settleFixture, startLoad } from '../load/fixture.ts'
import { FaultyLine } from '../proxies/faulty-line.ts'
import { runFault } from '../script/fault-script.ts'

const CLOSED_WITHIN_MS = 60_000
/**
 * The system may buffer everything that a reader does not read. The connection is then idle, and kept for 65 s for the
 * sake of proxies.
 */
const IDLE_CLOSED_WITHIN_MS = 70_000
/** The size of a message about a dozen maintenance windows. */
const MESSAGE_BYTES = 8000
/** Messages in a round, and rounds in a second: 2 MB a second. */
const ROUND_MESSAGES = 12
const ROUND_MS = 50
/** The heap and the messages for healthy consoles, beside the limit for each stalled reader. */
const SLACK_MB = 100

/**
 * There are live connections whose other end vanished, live connections that read nothing while much is sent, and
 * requests whose answers are never read. Each is dropped, its buffers are bounded, and all others are served as usual.
 */
await runFault({
  name: 'stalled-readers',
  parameters: { silent: 200, slow: 100, unread: 20, healthy: 10, seconds: 20, rate: 20, gateways: 5 },
  async run({ workplace, verdict, parameters: { silent, slow, unread, healthy, seconds, rate, gateways } }) {
    const fixture = await openFixture(workplace, { gateways, supervised: true, env: { ACCESS_TOKEN_MINUTES: '60' } })
    const { product, client, token, databaseUrl } = fixture
    const { url } = product
    const line = await FaultyLine.open(workplace, { host: '127.0.0.1', port: Number(new URL(url).port) })
    const viewers = Array.from({ length: healthy }, () => new LiveViewer({ client, token }))
    for (const viewer of viewers) workplace.atEnd(() => viewer.stop())
    await Promise.all(viewers.map((viewer) => viewer.opened()))
    const load = startLoad(workplace, fixture, { perSecond: rate, answers: [] })
    const phases: { name: string; from: number; to: number }[] = []
    const during = async <T>(name: string, work: () => Promise<T>): Promise<T> => {
      const from = Date.now()
      const result = await work()
      phases.push({ name, from, to: Date.now() })
      console.log(`${name}: ${Math.round((Date.now() - from) / 1000)} s`)
      return result
    }
    await pause(2000)
    await during('before', () => pause(8000))

    for (let opened = 0; opened < silent; opened += 1) {
      await openLive(workplace, { client, token, at: `http://127.0.0.1:${line.port}` })
    }
    const silentAt = Date.now()
    line.silence()
    await during('others gone silent', async () => {
      while (line.closedInSilence.length < silent && Date.now() < silentAt + 2 * CLOSED_WITHIN_MS) await pause(200)
    })
    const silentMs = line.closedInSilence.map((at) => at - silentAt)

    const stalled: Reader[] = []
    for (let opened = 0; opened < slow; opened += 1) {
      const { socket, reader } = await openLive(workplace, { client, token })
      socket.pause()
      stalled.push(reader)
    }
    const memoryBefore = product.peakRssBetween(Date.now() - 3000, Date.now())
    const stalledAt = Date.now()
    const stalledMs = await during('others reading nothing', async () => {
      const closed = untilClosed(stalled, { url, since: stalledAt, withinMs: 2 * CLOSED_WITHIN_MS })
      await withClient(databaseUrl(), (database) => tellMuch(database, seconds))
      return await closed
    })
    const memoryAfter = product.peakRssBetween(stalledAt, Date.now())

    const unreadAt = Date.now()
    const unreadMs = await during('answers that nobody reads', async () => {
      const readers = await Promise.all(Array.from({ length: unread }, () => askAndNeverRead(workplace, url)))
      return await untilClosed(readers, { url, since: unreadAt, withinMs: 2 * CLOSED_WITHIN_MS })
    })
    const memoryUnread = product.peakRssBetween(unreadAt, Date.now())

    const found = await settleFixture(fixture, { load, verdict })
    const closings = {
      'gone silent': [silentMs, silent],
      'reading nothing': [stalledMs, slow],
      unread: [unreadMs, unread],
    }
    for (const [name, [took, count]] of Object.entries(closings) as [string, [(number | null)[], number]][]) {
      const known = took.flatMap((ms) => ms ?? [])
      verdict.atMost(`${name}: still open`, { figure: count - known.length, most: 0 })
      verdict.atMost(`${name}: closed after, slowest`, {
        figure: percentile(known, 1) ?? 0,
        most: name === 'unread' ? IDLE_CLOSED_WITHIN_MS : CLOSED_WITHIN_MS,
        unit: 'ms',
      })
    }
    verdict.figure('MB sent to each meanwhile', (MESSAGE_BYTES * messagesIn(seconds)) / 1e6)
    verdict.atMost('memory that grew for each that reads nothing', {
      figure: Math.max(0, (memoryAfter - memoryBefore) / 1e6 - SLACK_MB) / slow,
      most: 1,
      unit: 'MB',
    })
    verdict.figure('memory that grew with answers that nobody reads MB', (memoryUnread - memoryBefore) / 1e6)
    for (const { name, from, to } of phases) {
      const ms = delaysOf(viewers, { fixture, found, from, to })
      verdict.percentiles(`live ${name}`, ms)
      verdict.atMost(`live of the others, ${name}, p95`, { figure: percentile(ms, 0.95), most: 1000, unit: 'ms' })
    }
    verdict.atMost('connections of the others that broke', {
      figure: viewers.reduce((sum, { closings: { length } }) => sum + length, 0),
      most: 0,
    })
    verdict.memory(product.peakRss)
  },
})

function messagesIn(seconds: number): number {
  return ((seconds * 1000) / ROUND_MS) * ROUND_MESSAGES
}

/** Writes long messages to the live outbox, for all users who see every customer. */
async function tellMuch(database: Client, seconds: number): Promise<void> {
  const until = messagesIn(seconds)
  for (let sent = 0; sent < until; sent += ROUND_MESSAGES) {
    await database.query(
      `INSERT INTO live_outbox (customer_id, message)
       SELECT (SELECT min(id) FROM customer), jsonb_build_object('entity', 'alarm', 'action', 'delete', 'property', null,
         'payload', jsonb_build_object('id', $1 || '-' || n, 'eventId', repeat('0', $2)))
       FROM generate_series(1, $3::int) AS n`,
      [`told-${sent}`, MESSAGE_BYTES, ROUND_MESSAGES],
    )
    await pause(ROUND_MS)
  }
}

/** Returns the live delays of all healthy consoles for events sent within a phase. */
function delaysOf(
  viewers: readonly LiveViewer[],
  {
    fixture: { ledger },
    found: { eventIds },
    from,
    to,
  }: { fixture: Parameters<typeof settleFixture>[0]; found: Comparison; from: number; to: number },
): number[] {
  return viewers.flatMap(({ created }) =>
    liveDelays({ ledger, eventIds }, created)
      .delays.filter(({ sentAt }) => sentAt >= from && sentAt < to)
      .map(({ ms }) => ms),
  )
}
