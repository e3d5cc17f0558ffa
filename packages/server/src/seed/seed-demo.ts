import { chmod, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { aFleet, demoSeed, type Fleet } from '@benchwatch/samples/fleet'
import { seededRandom } from '@benchwatch/samples/seeded-random'
import { type HistoricItem, simulateHistory } from '@benchwatch/samples/simulator/history'
import { lastingSilences } from '@benchwatch/samples/simulator/outages'
import type { Client } from 'pg'
import type { DatabaseHandle, Trx } from '../db/connect.ts'
import { inClientTransaction } from '../db/transaction.ts'
import { hashPassword } from '../features/auth/credentials/password-hash.ts'
import { findOrigins } from '../features/events/events.store.ts'
import { addGatewayKeys } from '../features/ingest/gateway-keys.store.ts'
import { createGatewayKey } from '../features/ingest/gateway-keys.ts'
import type { MailBrand } from '../features/messages/mail-frame.ts'
import { upsertContacts, upsertContracts, upsertCustomers, upsertSites } from '../features/registry/customers.store.ts'
import { upsertEventTemplates } from '../features/registry/event-templates.store.ts'
import { upsertGateways } from '../features/registry/gateways.store.ts'
import { upsertInstruments } from '../features/registry/instruments.store.ts'
import { lockRegistry } from '../features/registry/registry-locks.store.ts'
import type { Log } from '../platform/log.ts'
import { copyMixedRows } from './copy-rows.ts'
import { isEmpty, keepPlans, refreshStatistics } from './demo-fixture.store.ts'
import { writeMaintenance } from './demo-maintenance.store.ts'
import { writeNotifications } from './demo-notifications.store.ts'
import { type Colleague, DEMO_PASSWORD, demoPeople, insertDemoPeople } from './demo-people.ts'
import { writeSupportEmails } from './demo-support-emails.store.ts'
import { edgeIssues, lostConnections } from './edge-issues.ts'
import { writeEvents } from './history-event.store.ts'
import { HistoryEvents } from './history-events.ts'
import { readHistoryFixture, settleFleet, writeConnectionHistory, writeRuns } from './history-fixture.store.ts'
import { HistoryRows, historyColumns } from './history-rows.ts'

/** A quarter: the longest that the console's screens look back by default is a month, and reports look back further. */
const HISTORY_DAYS = 90
/** Days of history between two log lines: about one line every two seconds. */
const DAYS_PER_LINE = 15
const DAY_MS = 86_400_000

interface Demo {
  database: DatabaseHandle
  now: Date
  dataDir: string
  log: Log
  /** Brand in the mails of the history. */
  brand: MailBrand
  /** Smaller fleet and shorter history for tests; the full size by default. */
  fleet?: { customers: number; instruments: number }
  days?: number
}

const actor = { type: 'command', name: 'demo' } as const

/**
 * Fills an empty database with the demo: fleet, users, a quarter of reports and their handling, and the gateway keys
 * in `demo-gateways.json` of the data directory. Does nothing if the database contains anything. Returns true if it
 * created the data.
 *
 * Everything runs in one transaction, so a start that fails halfway leaves an empty database, and the next one starts
 * over. Fleet and history are the same for the same day; only the keys are random.
 */
export async function seedDemo({
  database,
  now,
  dataDir,
  log,
  brand,
  fleet: size,
  days = HISTORY_DAYS,
}: Demo): Promise<boolean> {
  if (!(await isEmpty(database.db))) return false
  const started = performance.now()
  log.info({ notice: true }, 'First start: creating the demo data, which takes half a minute on a slow machine …')
  const fleet = aFleet({ seed: demoSeed, now, ...size })
  const hashes = await hashPasswords()
  const client = await database.dedicatedClient()
  try {
    const seeded = await inClientTransaction(client, async (trx) => {
      await keepPlans(trx)
      await lockRegistry(trx)
      if (!(await isEmpty(trx))) return false
      await registerFleet(trx, fleet, now)
      const colleagues = await insertDemoPeople(trx, { actor, at: now }, { people: demoPeople, hashes })
      await writeHistory({ trx, client }, { fleet, colleagues, from: daysBefore(now, days), now, log })
      const userIds = colleagues.filter(({ isTold }) => isTold).map(({ id }) => id)
      await writeNotifications(trx, { userIds, brand, seed: demoSeed, now })
      await findOrigins(trx)
      await giveKeys(trx, { gateways: fleet.gateways.map(({ key }) => key), dataDir, now })
      return true
    })
    if (seeded) await refreshStatistics(client)
    log.info({ seconds: Math.round((performance.now() - started) / 100) / 10 }, 'demo data are ready')
    return seeded
  } finally {
    await client.end()
  }
}

async function hashPasswords(): Promise<Map<string, string>> {
  const people = demoPeople.filter(({ canSignIn }) => canSignIn)
  const hashes = await Promise.all(people.map(() => hashPassword(DEMO_PASSWORD)))
  return new Map(people.map(({ login }, index) => [login, hashes[index] ?? '']))
}

async function registerFleet(trx: Trx, fleet: Fleet, now: Date): Promise<void> {
  const writing = { actor, at: now }
  await upsertCustomers(trx, writing, fleet.customers)
  await upsertSites(trx, writing, fleet.sites)
  await upsertContracts(trx, writing, fleet.contracts)
  await upsertContacts(trx, writing, fleet.contacts)
  await upsertGateways(trx, writing, fleet.gateways)
  await upsertEventTemplates(trx, writing, fleet.eventTemplates)
  await upsertInstruments(trx, writing, fleet.instruments)
}

/** Writes the reports of a quarter and their handling, by COPY on `client`, whose transaction is `trx`. */
async function writeHistory(
  { trx, client }: { trx: Trx; client: Client },
  {
    fleet,
    colleagues,
    from,
    now,
    log,
  }: { fleet: Fleet; colleagues: readonly Colleague[]; from: Date; now: Date; log: Log },
): Promise<void> {
  const fixture = await readHistoryFixture(trx)
  const events = new HistoryEvents({ ...fixture, colleagues, random: seededRandom(`${demoSeed}/people`), until: now })
  const rows = new HistoryRows({ instruments: fixture.instruments, events, until: now })
  const silences = lastingSilences(fleet, now)
  const items = simulateHistory({ fleet, seed: demoSeed, from, to: now, silences })
  await copyMixedRows(client, historyColumns, rows.follow(withProgress(items, { from, log })))
  events.add(
    edgeIssues(fixture.gateways, {
      seed: demoSeed,
      from,
      until: now,
      silences,
      colleagues,
      random: seededRandom(`${demoSeed}/edge`),
    }),
  )
  events.add(lostConnections(fixture, silences))
  await writeRuns({ trx, client }, rows.runs())
  await writeEvents(trx, client, events.inOrder())
  await settleFleet(trx, { epoch: rows.epoch, statuses: rows.lastStatuses(), silences, from, now })
  await writeConnectionHistory(trx)
  await writeMaintenance(trx, {
    instruments: [...fixture.instruments.values()],
    colleagues,
    seed: demoSeed,
    now,
  })
  await writeSupportEmails(client, { fixture, now })
}

/** Whole minutes, so that the same minute creates the same history. */
function daysBefore(now: Date, days: number): Date {
  return new Date(Math.floor((now.getTime() - days * DAY_MS) / 60_000) * 60_000)
}

function* withProgress(
  items: Iterable<HistoricItem>,
  { from, log }: { from: Date; log: Log },
): Generator<HistoricItem> {
  let day = DAYS_PER_LINE
  for (const historic of items) {
    if (Date.parse(historic.item.time) >= from.getTime() + day * DAY_MS) {
      log.info({ days: day }, 'writing the history of the demo fleet')
      day += DAYS_PER_LINE
    }
    yield historic
  }
}

/**
 * Creates the keys of the demo's gateways, in a file that only this user can read. The file is written before the
 * commit: keys without a commit are replaced at the next start, but a commit without keys could not be repaired.
 */
async function giveKeys(
  trx: Trx,
  { gateways, dataDir, now }: { gateways: readonly string[]; dataDir: string; now: Date },
): Promise<void> {
  const keys = gateways.map((gateway) => ({ gateway, ...createGatewayKey() }))
  await addGatewayKeys(trx, { keys, actor, at: now })
  const file = join(dataDir, 'demo-gateways.json')
  const list = keys.map(({ gateway, key }) => ({ gateway, key }))
  await writeFile(`${file}.new`, `${JSON.stringify(list, null, 2)}\n`, { mode: 0o600 })
  await chmod(`${file}.new`, 0o600)
  await rename(`${file}.new`, file)
}
