import { setTimeout as pause } from 'node:timers/promises'
import { withClient } from '../../product/database.ts'
import { compare } from '../ledger/comparison.ts'
import { asksForPatience, outcomes } from '../load/probe.ts'
import { compareSearch, indexReady, openTwoWays, PROBE_MS } from '../load/two-ways.ts'
import { PostgresCluster } from '../product/postgres-cluster.ts'
import { runFault } from '../script/fault-script.ts'

const BACK_MS = 30_000
/** A caller waits 4 s for a connection, and then for the 2 s that PgBouncer lets a statement wait. */
const PATIENCE_MS = 6500

/** The time-out of a check in deploy/haproxy/haproxy.cfg: until then, readiness may wait for the new primary. */
const CHECK_MS = 3000
/** The age of an answer of readiness, and the time between two probes: a check may begin so late. */
const CHECKED_AFTER_MS = 1000 + PROBE_MS

/**
 * The primary of a synchronous cluster is killed again and again under load, every second time with the Patroni of its
 * machine. A standby takes over, nothing acknowledged is lost, and the indexes of both servers are right afterwards.
 */
await runFault({
  name: 'failover',
  parameters: { kills: 5, rate: 500, gateways: 20, events: 210_000 },
  async run({ workplace, verdict, parameters: { kills, ...size } }) {
    const missing = PostgresCluster.missing()
    if (missing.length > 0) return verdict.figure('skipped', `this machine lacks ${missing.join(', ')}`)
    const began = Date.now()
    const cluster = await PostgresCluster.start(workplace, { isSynchronous: true })
    const { fixture, ways, answers } = await openTwoWays(workplace, cluster, size)
    const { ledger, token } = fixture
    console.log(`ready after ${Math.round((Date.now() - began) / 1000)} s`)
    await pause(3000)

    const back: { name: string; withPatroni: boolean; ms: number }[] = []
    let unsaid = 0
    for (let kill = 1; kill <= kills; kill += 1) {
      const withPatroni = kill % 2 === 0
      const primary = await cluster.ready()
      const killedAt = Date.now()
      cluster.kill(primary, { withPatroni })
      const times = await Promise.all(ways.map(({ probe }) => probe.recovered('ingest', killedAt, 60_000)))
      times.forEach((ms, at) => back.push({ name: ways[at]?.name ?? '', withPatroni, ms }))
      for (const [at, { probe }] of ways.entries()) {
        const ready = probe.between(killedAt).filter(({ of }) => of === 'ready')
        const isSaid = ready.some(({ status, tookMs }) => status === 503 || tookMs > CHECK_MS)
        if ((times[at] ?? 0) > CHECKED_AFTER_MS + CHECK_MS && !isSaid) unsaid += 1
      }
      console.log(
        `kill ${kill}${withPatroni ? ' with Patroni' : ''}: accepted again after ${ways.map(({ name }, at) => `${times[at]} ms (${name})`).join(', ')}`,
      )
      for (const { name, product } of ways)
        if (product.life.endedAt !== null) throw new Error(`The server with ${name} ended:\n${product.lastLogLines()}`)
      if (withPatroni) cluster.launch(primary)
    }
    await Promise.all(ways.map(({ probe }) => probe.stop()))
    const left = (await Promise.all(ways.map(({ load }) => load.drain(120_000)))).reduce((sum, one) => sum + one, 0)
    await Promise.all(ways.map(indexReady))
    // The changes of the last second are laid over the index, and then taken into it.
    const differences = await withClient(cluster.proxyUrl, async (database) => {
      verdict.compared(await compare(database, ledger))
      const found = await Promise.all(ways.map((way) => compareSearch(way, { database, token })))
      return found.flat()
    })
    verdict.atMost('unsent at the end', { figure: left, most: 0 })
    verdict.atMost('rejected', { figure: ledger.rejected, most: 0 })
    for (const { name } of ways)
      for (const withPatroni of [false, true])
        verdict.atMost(`back, with ${name}, ${withPatroni ? 'machine' : 'PostgreSQL'} killed, slowest`, {
          figure: Math.max(
            0,
            ...back.filter((one) => one.name === name && one.withPatroni === withPatroni).map(({ ms }) => ms),
          ),
          most: BACK_MS,
          unit: 'ms',
        })
    verdict.atMost(`failovers of more than ${(CHECKED_AFTER_MS + CHECK_MS) / 1000} s of which readiness said nothing`, {
      figure: unsaid,
      most: 0,
    })
    const probed = ways.flatMap(({ probe }) => probe.answers)
    const refused = probed.filter(({ of, status }) => of !== 'health' && status !== 200)
    verdict.figure('refusals', outcomes(refused))
    verdict.atMost('refusals that are not 503 with Retry-After', {
      figure: refused.filter((answer) => !asksForPatience(answer)).length,
      most: 0,
    })
    verdict.atMost('slowest answer', {
      figure: Math.max(...probed.map(({ tookMs }) => tookMs)),
      most: PATIENCE_MS,
      unit: 'ms',
    })
    verdict.atMost('differences between the indexes and the database', { figure: differences.length, most: 0 })
    for (const difference of differences) console.log(`  ${difference}`)
    verdict.figure('answers to the load', outcomes(answers))
    verdict.check('the servers were never restarted', {
      figure: ways.map(({ product }) => product.life.endedAt === null).join(', '),
      goal: 'true, true',
      passed: ways.every(({ product }) => product.life.endedAt === null),
    })
    verdict.memory(Math.max(...ways.map(({ product }) => product.peakRss)))
  },
})
