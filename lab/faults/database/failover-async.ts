import { setTimeout as pause } from 'node:timers/promises'
import { withClient } from '../../product/database.ts'
import { LiveViewer } from '../consoles/live-viewer.ts'
import { compare } from '../ledger/comparison.ts'
import { compareSearch, indexReady, openTwoWays, watchList } from '../load/two-ways.ts'
import { PostgresCluster } from '../product/postgres-cluster.ts'
import { runFault } from '../script/fault-script.ts'

const BACK_MS = 30_000
/** Answers to the last commits arrive after the kill, and nobody can take over so soon. */
const LAST_ANSWERS_MS = 1000

/**
 * The primary of an asynchronous cluster goes on alone for some seconds, and then its machine dies: the standby that takes
 * over never got the newest events, and gives their numbers to others. From then on no server shows an event that the
 * database does not have, and consoles load everything again.
 */
await runFault({
  name: 'failover-async',
  parameters: { alone: 10, rate: 500, gateways: 20, events: 210_000 },
  async run({ workplace, verdict, parameters: { alone, ...size } }) {
    const missing = PostgresCluster.missing()
    if (missing.length > 0) return verdict.figure('skipped', `this machine lacks ${missing.join(', ')}`)
    const cluster = await PostgresCluster.start(workplace, { isSynchronous: false })
    const { fixture, ways } = await openTwoWays(workplace, cluster, size)
    const { ledger, token } = fixture
    const viewers = ways.map(({ client }) => new LiveViewer({ client }))
    workplace.atEnd(() => Promise.all(viewers.map((viewer) => viewer.stop())))
    await Promise.all(viewers.map((viewer) => viewer.opened()))
    await pause(3000)

    const primary = await cluster.ready()
    await cluster.isolate(primary)
    await pause(alone * 1000)
    const killedAt = Date.now()
    cluster.kill(primary, { withPatroni: true })
    const watches = ways.map((way) => watchList(way, token))
    const back = await Promise.all(ways.map(({ probe }) => probe.recovered('ingest', killedAt, 60_000)))
    console.log(`accepted again after ${ways.map(({ name }, at) => `${back[at]} ms (${name})`).join(', ')}`)
    await Promise.all(ways.map(indexReady))
    await pause(5000)
    await Promise.all([...ways.map(({ probe }) => probe.stop()), ...watches.map((watch) => watch.stop())])
    const left = (await Promise.all(ways.map(({ load }) => load.drain(60_000)))).reduce((sum, one) => sum + one, 0)
    await Promise.all(ways.map(indexReady))
    // Live messages are sent within a second after the commit.
    await pause(2000)
    await withClient(cluster.proxyUrl, async (database) => {
      const found = await compare(database, ledger)
      verdict.figure('sent', found.sent)
      verdict.figure('acknowledged', found.acknowledged)
      verdict.figure('stored', found.stored)
      verdict.check('lost with the tail', {
        figure: found.lost.length,
        goal: 'more than 0, or nothing was tried',
        passed: found.lost.length > 0,
      })
      verdict.atMost('duplicate', { figure: found.duplicate.length, most: 0 })
      verdict.atMost('lost later', {
        figure: ledger
          .entries()
          .filter(
            ({ gateway, itemId, acknowledgedAt }) =>
              acknowledgedAt !== null &&
              acknowledgedAt > killedAt + LAST_ANSWERS_MS &&
              found.lost.includes(`${gateway} ${itemId}`),
          ).length,
        most: 0,
      })
      const { rows } = await database.query<{ mark: string }>(
        `SELECT id || ' ' || to_char(created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS mark FROM service_event`,
      )
      const stored = new Set(rows.map(({ mark }) => mark))
      const shown = new Set(watches.flatMap((watch) => [...watch.shown]))
      verdict.figure('events shown by lists since', shown.size)
      verdict.atMost('of them not in the database', {
        figure: [...shown].filter((mark) => !stored.has(mark)).length,
        most: 0,
      })
      const differences = await Promise.all(ways.map((way) => compareSearch(way, { database, token })))
      verdict.atMost('differences between the indexes and the database', { figure: differences.flat().length, most: 0 })
      for (const difference of differences.flat()) console.log(`  ${difference}`)
    })
    verdict.atMost('unsent at the end', { figure: left, most: 0 })
    ways.forEach(({ name }, at) =>
      verdict.atMost(`back, with ${name}`, { figure: back[at] ?? null, most: BACK_MS, unit: 'ms' }),
    )
    verdict.check('consoles that loaded everything again', {
      figure: viewers.filter(({ resyncs }) => resyncs > 0).length,
      goal: `all ${viewers.length}`,
      passed: viewers.every(({ resyncs }) => resyncs > 0),
    })
    // Both servers write one log.
    const built = fixture.product.logLines('the event index was built from the database').length
    verdict.figure('times that the two indexes were built', built)
    verdict.memory(Math.max(...ways.map(({ product }) => product.peakRss)))
  },
})
