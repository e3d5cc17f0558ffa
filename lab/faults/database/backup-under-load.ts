import { statSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { percentile } from '../../measure/percentiles.ts'
import { embeddedPlace, socketUrl, withClient } from '../../product/database.ts'
import { LiveViewer } from '../consoles/live-viewer.ts'
import { compare } from '../ledger/comparison.ts'
import { checkSoundness } from '../ledger/corruption.ts'
import { Ledger } from '../ledger/ledger.ts'
import { openFixture, settleFixture, startLoad } from '../load/fixture.ts'
import { GatewayItems } from '../load/gateway-items.ts'
import { sendBatch, settle } from '../load/gateway-load.ts'
import { outcomes } from '../load/probe.ts'
import { runCommand } from '../product/fleet.ts'
import { type Answer, HttpClient, jsonOf } from '../product/http-client.ts'
import { Product } from '../product/product.ts'
import { runFault } from '../script/fault-script.ts'

/** The time from the command until users can work again; service contracts name this figure. */
const BACK_WITHIN_MS = 15 * 60_000
/** One in this many events is claimed, so that the audit log grows as well. */
const CLAIMED_EVERY = 5

/**
 * A backup is made while instruments report and users claim, and is restored into another directory. Everything that
 * was acknowledged before it began is there, nothing is half stored, the audit log is intact, and a server continues
 * from it.
 */
await runFault({
  name: 'backup-under-load',
  parameters: { seconds: 30, rate: 300, gateways: 10 },
  async run({ workplace, verdict, parameters: { seconds, rate, gateways } }) {
    const fixture = await openFixture(workplace, { gateways, supervised: true })
    const { product, client, fleet, ledger, token } = fixture
    const me = jsonOf<{ id: string }>(await client.send({ method: 'GET', path: '/api/users/me', token })).id
    const answers: Answer[] = []
    const claims: Promise<Answer>[] = []
    const viewer = new LiveViewer({
      client,
      token,
      onMessage({ message }) {
        if (message.entity !== 'alarm' || message.action !== 'create') return
        if (Number(message.payload.id) % CLAIMED_EVERY !== 0) return
        const path = `/api/alarms/${message.payload.id}`
        claims.push(client.send({ method: 'PUT', path, token, body: JSON.stringify({ claimedBy: me }) }))
      },
    })
    workplace.atEnd(() => viewer.stop())
    await viewer.opened()
    const load = startLoad(workplace, fixture, { perSecond: rate, answers })
    await pause(seconds * 1000)

    const file = join(workplace.folder, 'under-load.backup')
    const beganAt = Date.now()
    const backedUp = await runCommand(product, { name: 'backup', args: [file] })
    const backupMs = Date.now() - beganAt
    console.log(backedUp.trim())
    await pause(5000)
    await viewer.stop()
    await settleFixture(fixture, { load, verdict })
    const meanwhile = answers.filter(({ startedAt }) => startedAt >= beganAt && startedAt < beganAt + backupMs)

    const restored = {
      root: product.root,
      environment: { ...product.environment, DATA_DIR: join(workplace.folder, 'restored') },
    }
    const restoreAt = Date.now()
    console.log((await runCommand(restored, { name: 'restore', args: [file] })).trim())
    const restoreMs = Date.now() - restoreAt
    const next = await Product.start(workplace, { dataDir: restored.environment.DATA_DIR })
    const backMs = Date.now() - restoreAt
    const nextUrl = socketUrl(embeddedPlace(next.dataDir).socketDir)

    // Counts all items; those that were acknowledged when the backup began must be in it.
    const owed = new Ledger()
    const entries = ledger.entries()
    for (const entry of entries) {
      owed.add(entry)
      if (entry.acknowledgedAt !== null && entry.acknowledgedAt < beganAt) {
        owed.noteAcknowledged(entry.gateway, [entry.itemId])
      }
    }
    const found = await withClient(nextUrl, (database) => compare(database, owed))
    const sound = await withClient(nextUrl, checkSoundness)
    const record = await runCommand(restored, { name: 'audit-verify' }).catch((error: Error) => error.message)
    const nextClient = new HttpClient(next.url)
    workplace.atEnd(() => nextClient.close())
    const [gateway] = fleet.gateways
    if (!gateway) throw new Error('At least one gateway is needed.')
    const item = new GatewayItems(gateway, owed).alarm()
    const after = await sendBatch(nextClient, { gateway: gateway.name, key: gateway.key, items: [item] })
    if (after.status === 200) settle(owed, { gateway: gateway.name, ids: [item.id], answer: after })

    verdict.figure('backup', /^Backed up .* in [^:]+/m.exec(backedUp)?.[0] ?? backedUp)
    verdict.figure('backup ms', backupMs)
    verdict.figure('file MB', statSync(file).size / 1e6)
    verdict.figure('restore ms', restoreMs)
    verdict.figure('acknowledged before the backup', owed.acknowledged)
    verdict.figure('acknowledged after it began, and not in it', ledger.acknowledged - found.stored)
    verdict.atMost('acknowledged before the backup and not in it, or by half', { figure: found.lost.length, most: 0 })
    for (const name of found.lost.slice(0, 5)) console.log(`  lost: ${name}`)
    verdict.atMost('twice in the backup', { figure: found.duplicate.length, most: 0 })
    verdict.atMost('back, with a ready server', { figure: backMs, most: BACK_WITHIN_MS, unit: 'ms' })
    verdict.check('record', {
      figure: record.split('\n', 1)[0] ?? '',
      goal: 'intact',
      passed: /is intact/.test(record),
    })
    verdict.atMost('complaints of amcheck', { figure: sound.complaints.length, most: 0 })
    verdict.check('the restored server takes an alarm', {
      figure: after.status,
      goal: '200',
      passed: after.status === 200,
    })
    verdict.figure('answers to gateways while it was made', outcomes(meanwhile))
    verdict.atMost('answers of the server while it was made that are not 200', {
      figure: meanwhile.filter(({ status }) => status !== 200).length,
      most: 0,
    })
    verdict.figure(
      'gateways, p95 ms while it was made',
      percentile(
        meanwhile.map(({ tookMs }) => tookMs),
        0.95,
      ),
    )
    const claimed = await Promise.all(claims)
    verdict.figure('claims', outcomes(claimed))
    verdict.memory(product.peakRss)
  },
})
