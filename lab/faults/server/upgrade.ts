import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { withClient } from '../../product/database.ts'
import { LiveViewer } from '../consoles/live-viewer.ts'
import { compare, liveDelays } from '../ledger/comparison.ts'
import { Ledger } from '../ledger/ledger.ts'
import { settleFixture, startLoad } from '../load/fixture.ts'
import { asksForPatience, outcomes, Probe } from '../load/probe.ts'
import { ExternalPostgres } from '../product/external-postgres.ts'
import { registerFleet, runCommand, signIn } from '../product/fleet.ts'
import { type Answer, HttpClient } from '../product/http-client.ts'
import { layOutOlderRelease } from '../product/older-release.ts'
import { Product } from '../product/product.ts'
import { FaultyLine } from '../proxies/faulty-line.ts'
import { runFault } from '../script/fault-script.ts'

const REFUSAL = 'The database was made by a newer version'

/**
 * An older release serves while the newer one starts beside it on the same database, is killed in the middle of a
 * migration and started again. Then callers are moved over and the older one is stopped. The older one refuses the
 * newer database, and continues from its own backup: that is the way back.
 */
await runFault({
  name: 'upgrade',
  parameters: { kills: 3, migrations: 3, rate: 100, gateways: 10 },
  async run({ workplace, verdict, parameters: { kills, migrations, rate, gateways } }) {
    const older = layOutOlderRelease(workplace, { fewer: migrations })
    if (!older) {
      console.log(`skipped: the history has no commit with ${migrations} migrations fewer`)
      verdict.figure('skipped', 'no older release in the history')
      return
    }
    verdict.figure('from commit', older.commit)
    verdict.figure('new migrations', older.newMigrations.join(', '))
    const postgres = await ExternalPostgres.start(workplace)
    const databaseUrl = postgres.url
    const env = { ACCESS_TOKEN_MINUTES: '60', GATEWAY_SILENCE_SECONDS: '0' }
    const before = await Product.start(workplace, { databaseUrl, env, root: older.root })
    // Callers use one address, like that of a load balancer.
    const line = await FaultyLine.open(workplace, placeOf(before))
    const url = `http://127.0.0.1:${line.port}`
    const client = new HttpClient(url)
    const probing = new HttpClient(url)
    workplace.atEnd(() => [client, probing].map((one) => one.close()))
    const fleet = await registerFleet(before, { client, databaseUrl, gateways })
    const fixture = {
      product: before,
      client,
      fleet,
      ledger: new Ledger(),
      token: await signIn(client),
      databaseUrl: () => databaseUrl,
    }
    const { ledger, token } = fixture
    const viewer = new LiveViewer({ client, token })
    workplace.atEnd(() => viewer.stop())
    await viewer.opened()
    const answers: Answer[] = []
    const load = startLoad(workplace, fixture, { perSecond: rate, spare: 1, answers })
    const [spare] = fleet.gateways
    if (!spare) throw new Error('At least two gateways are needed.')
    const probe = new Probe({ client: probing, token, gateway: spare, ledger, everyMs: 50 })
    workplace.atEnd(() => probe.stop())
    await pause(5000)
    const file = join(workplace.folder, 'before.backup')
    const backupAt = Date.now()
    await runCommand(before, { name: 'backup', args: [file] })
    const schemaBefore = await schemaOf(databaseUrl)

    const after = await Product.prepare(workplace, { databaseUrl, env, dataDir: join(workplace.folder, 'newer') })
    let halfMigrated = 0
    for (let kill = 0; kill < kills; kill += 1) {
      await killWhileMigrating(after, databaseUrl)
      if ((await schemaOf(databaseUrl)) !== schemaBefore) halfMigrated += 1
      await pause(1000)
    }
    const migrateAt = Date.now()
    after.launch()
    const readyAt = await after.ready({ since: migrateAt })
    console.log(`the newer one was ready after ${readyAt - migrateAt} ms, beside the older one`)
    await pause(5000)
    line.target = placeOf(after)
    const stopAt = Date.now()
    const { code } = await before.terminate()
    const stoppedAt = Date.now()
    await pause(5000)

    const back = await Product.prepare(workplace, {
      databaseUrl,
      env,
      root: older.root,
      dataDir: join(workplace.folder, 'back'),
    })
    back.launch()
    await back.ended()
    const refused = back.logLines(REFUSAL)
    console.log(`the older one on the newer database: ${refused[0] ?? 'no word'}`)
    await pause(2000)
    await probe.stop()
    const found = await settleFixture(fixture, { load, verdict })
    const record = await runCommand(after, { name: 'audit-verify' }).catch((error: Error) => error.message)

    const restored = await goBack()
    // Readiness is for load balancers, not for callers.
    const all = [...answers, ...probe.answers.filter(({ of }) => of === 'list' || of === 'ingest')]
    const isDraining = ({ startedAt, tookMs }: Answer) => startedAt + tookMs >= stopAt && startedAt <= stoppedAt
    const failed = all.filter(({ status }) => status !== 200)
    const beyond = failed.filter((answer) => !isDraining(answer))
    const draining = failed.filter(isDraining)
    verdict.figure('answers', outcomes(all))
    const readiness = probe.between(migrateAt, stopAt).filter(({ of }) => of === 'ready')
    verdict.figure('readiness of the older one beside the newer', outcomes(readiness))
    verdict.figure('answers while the older one was drained', outcomes(all.filter(isDraining)))
    verdict.atMost('not answered 200 beyond draining', { figure: beyond.length, most: 0 })
    if (beyond.length > 0) verdict.figure('how, beyond draining', outcomes(beyond))
    verdict.atMost('refused while draining without Retry-After', {
      figure: draining.filter((answer) => answer.status !== 0 && !asksForPatience(answer)).length,
      most: 0,
    })
    verdict.figure(
      'slowest answer while migrating ms',
      Math.max(...probe.between(migrateAt, readyAt).map(({ tookMs }) => tookMs)),
    )
    verdict.atMost('kills while migrating that left half of it', { figure: halfMigrated, most: 0 })
    verdict.check('exit code of the older one', { figure: code, goal: '0', passed: code === 0 })
    verdict.figure('migrated and ready ms', readyAt - migrateAt)
    const { unannounced } = liveDelays({ ledger, eventIds: found.eventIds }, viewer.created)
    if (viewer.resyncs === 0) verdict.atMost('creations never announced', { figure: unannounced.length, most: 0 })
    verdict.atMost('creations announced twice or out of order', {
      figure: viewer.repeated.length + viewer.disordered,
      most: 0,
    })
    verdict.figure('resyncs', viewer.resyncs)
    verdict.check('record', {
      figure: record.split('\n', 1)[0] ?? '',
      goal: 'intact',
      passed: /is intact/.test(record),
    })
    verdict.check('the older release on the newer database', {
      figure: refused.length > 0 ? `refuses: ${REFUSAL} …` : 'starts',
      goal: 'refuses with a sentence',
      passed: refused.length > 0 && back.life.code === 1,
    })
    verdict.atMost('the way back: acknowledged before the backup and lost', { figure: restored, most: 0 })
    verdict.memory(Math.max(before.peakRss, after.peakRss))

    /**
     * Starts the older release on a new database with its own backup. Returns how many of the acknowledged items are
     * lost.
     */
    async function goBack(): Promise<number> {
      const url = databaseUrl.replace('/benchwatch?', '/back?')
      await withClient(databaseUrl, (database) => database.query('CREATE DATABASE back'))
      const environment = { ...before.environment, DATABASE_URL: url }
      await runCommand({ root: before.root, environment }, { name: 'restore', args: [file] })
      const again = await Product.start(workplace, {
        databaseUrl: url,
        env,
        root: before.root,
        dataDir: join(workplace.folder, 'again'),
      })
      const owed = new Ledger()
      for (const entry of ledger.entries()) {
        owed.add(entry)
        if (entry.acknowledgedAt !== null && entry.acknowledgedAt < backupAt) {
          owed.noteAcknowledged(entry.gateway, [entry.itemId])
        }
      }
      const { lost, duplicate } = await withClient(url, (database) => compare(database, owed))
      await again.stop()
      return lost.length + duplicate.length
    }
  },
})

function placeOf({ url }: Product): { host: string; port: number } {
  return { host: '127.0.0.1', port: Number(new URL(url).port) }
}

/**
 * Starts it while the list of applied migrations is locked, so that it waits at the end of a migration with everything
 * done and nothing committed, and kills it there.
 */
async function killWhileMigrating(product: Product, databaseUrl: string): Promise<void> {
  await withClient(databaseUrl, async (database) => {
    await database.query('BEGIN')
    await database.query('LOCK TABLE schema_migration IN SHARE MODE')
    const startedAt = Date.now()
    product.launch()
    for (;;) {
      const { rows } = await database.query<{ waiting: number }>(
        "SELECT count(*)::int AS waiting FROM pg_locks WHERE relation = 'schema_migration'::regclass AND NOT granted",
      )
      if (rows[0]?.waiting) break
      if (Date.now() > startedAt + 60_000) throw new Error(`It did not begin to migrate:\n${product.lastLogLines()}`)
      await pause(5)
    }
    product.kill()
    await product.ended()
    await database.query('ROLLBACK')
  })
}

/** Returns all tables, columns and applied migrations as one text. */
async function schemaOf(databaseUrl: string): Promise<string> {
  return await withClient(databaseUrl, async (database) => {
    const { rows } = await database.query<{ schema: string }>(
      `SELECT (SELECT string_agg(table_name || '.' || column_name || ' ' || data_type, ',' ORDER BY table_name, column_name)
         FROM information_schema.columns WHERE table_schema = 'public')
         || (SELECT string_agg(name, ',' ORDER BY name) FROM schema_migration) AS schema`,
    )
    return rows[0]?.schema ?? ''
  })
}
