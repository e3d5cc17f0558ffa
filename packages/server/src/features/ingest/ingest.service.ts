import type { IngestAnswer, IngestItem } from '@benchwatch/contract/ingest'
import type { Db, Trx } from '../../db/connect.ts'
import type { LeaderTask } from '../../db/queues/leader.ts'
import { type Announcement, announce } from '../../db/queues/outbox.ts'
import { NO_RUN } from '../../db/runs.ts'
import { inTransaction } from '../../db/transaction.ts'
import type { Log } from '../../platform/log.ts'
import type { FeatureContext } from '../context.ts'
import { updateMessage } from '../events/change-record.ts'
import { instrumentUpdates } from '../instrument-updates.ts'
import { featureIsOnForAnybody } from '../users/users.lookup.ts'
import type { ItemOrder } from './alarms/alarm-outcome.ts'
import { type AlarmItem, storeAlarms } from './alarms/alarms.service.ts'
import { type Acceptable, answerOf, type Batch, isSent, nameOf, type Refused, recordBatches } from './batches.ts'
import { countFeed } from './feed-counts.store.ts'
import { countEpochs, countGateways, newestTimes, numbersOf } from './feed-counts.ts'
import {
  type Epoch,
  epochName,
  foldInbox,
  isOfFormer,
  type LockedInstrument,
  lockGateways,
  lockInstruments,
  numberEpochs,
  park,
  takeIn,
} from './inbox.store.ts'
import { storeLinks } from './links.store.ts'
import { type GoodItem, KnownIds, keptJson } from './read-items.ts'
import {
  appendLogLines,
  type NewLogLine,
  type RuntimeReport,
  type SoftwareReport,
  storeRuntimes,
  storeSoftware,
  storeUsage,
  type UsageSample,
} from './readings.store.ts'
import { followRuns, type RunName, runIds, runKey } from './runs.store.ts'
import { noteFirstContact, type StatusReport, storeStatuses } from './statuses.store.ts'

/** Ids that a process remembers from one group of batches to the next. */
export interface Known {
  components: KnownIds
  epochs: KnownIds
}

export function noneKnown(): Known {
  return { components: new KnownIds(), epochs: new KnownIds() }
}

/**
 * Stores batches in one transaction, in the sequence of each gateway, and answers each. An answer means committed.
 * Locks are taken in this order, each kind by id: gateways, instruments, events.
 */
export async function storeBatches(
  db: Db,
  { batches, now, known = noneKnown() }: { batches: readonly Batch[]; now: Date; known?: Known },
): Promise<IngestAnswer[]> {
  return inTransaction(db, async (trx) => {
    const gatewayIds = [...new Set(batches.map(({ gateway }) => gateway.id))]
    const sent = batches.filter(isSent)
    await lockGateways(trx, { ids: gatewayIds, seenIds: new Set(sent.map(({ gateway }) => gateway.id)), now })
    const { acceptable, refused } = await sortOut(trx, batches, known)
    const { fresh, wereParked } = await firstTimers(trx, acceptable, now)
    const toPark = refused.filter(({ batch }) => isSent(batch))
    const parked = await park(trx, {
      items: toPark.map(({ batch, id, code, reason, raw }) => ({
        gatewayId: batch.gateway.id,
        itemId: id,
        code,
        reason,
        json: keptJson(raw),
      })),
      now,
    })
    await announce(trx, await apply(trx, fresh, { now, known }))
    await storeLinks(trx, fresh)
    const answers = batches.map((batch) => answerOf(batch, { fresh, refused }))
    await recordBatches(trx, { batches, fresh, answers, now })
    await countFeed(trx, {
      gateways: countGateways(batches, { answers, newest: newestTimes(fresh), now }),
      epochs: countEpochs(numbersOf({ fresh, wereParked, refused, parked })),
      now,
    })
    return answers
  })
}

/** Classes of PostgreSQL's errors about values: one that a column does not hold, or that is too large, or is not allowed. */
const valueError = /^(?:22|54|23514)/

/** Returns why the database refuses a valid item, or null for an error that may pass. */
export function refusalOf(error: unknown): string | null {
  const { code, message } = error as { code?: unknown; message?: string }
  return valueError.test(String(code)) ? `The database refused it: ${message}`.slice(0, 500) : null
}

/**
 * Stores a batch like `storeBatches`, and parks the items that the database refuses though they are valid: a gateway
 * would send them again for ever, and nothing behind them would arrive.
 */
export async function storeWhatFits(
  db: Db,
  { batch, log, ...given }: { batch: Batch; now: Date; known?: Known; log: Log },
): Promise<IngestAnswer> {
  try {
    const [answer] = await storeBatches(db, { batches: [batch], ...given })
    if (!answer) throw new Error('A batch was stored without an answer.')
    return answer
  } catch (error) {
    const reason = refusalOf(error)
    if (reason === null) throw error
    const store = (items: Batch['items']) => storeWhatFits(db, { batch: { ...batch, items }, log, ...given })
    const [item, ...others] = batch.items
    if (others.length === 0) {
      if (!item?.good) throw error
      log.error(
        { err: error, gateway: batch.gateway.name, item: item.item.id },
        'an item cannot be stored; it is parked',
      )
      const { id, sequence } = item.item
      return store([{ good: false, id, sequence, code: 'bad-item', reason, raw: item.raw }])
    }
    const half = Math.ceil(batch.items.length / 2)
    const [first, second] = [await store(batch.items.slice(0, half)), await store(batch.items.slice(half))]
    return {
      ...first,
      ...second,
      accepted: first.accepted + second.accepted,
      duplicates: first.duplicates + second.duplicates,
      rejected: [...first.rejected, ...second.rejected],
      ackSequence: answerOf(batch, { fresh: [], refused: [] }).ackSequence,
    }
  }
}

/** Separates acceptable items from refused ones, and sorts the former by their sequence. */
async function sortOut(
  trx: Trx,
  batches: readonly Batch[],
  known: Known,
): Promise<{ acceptable: Acceptable[]; refused: Refused[] }> {
  const good: (GoodItem & { batch: Batch })[] = []
  const refused: Refused[] = []
  for (const batch of batches)
    for (const read of batch.items)
      if (read.good) good.push({ ...read, batch })
      else refused.push({ ...read, batch })
  const epochs = new Map<string, Epoch>()
  for (const { batch, epoch } of good) {
    const named = { gatewayId: batch.gateway.id, epoch }
    epochs.set(epochName(named), named)
  }
  const ordinals =
    epochs.size > 0 ? await numberEpochs(trx, [...epochs.values()], known.epochs) : new Map<string, number>()
  const subjects = good.filter(({ item }) => item.type !== 'benchwatch.heartbeat').map(({ item }) => item.subject)
  const instruments = await lockInstruments(trx, [...new Set(subjects)])

  const acceptable: Acceptable[] = []
  for (const { batch, item, epoch, raw } of good) {
    const gatewayId = batch.gateway.id
    const order = { gatewayId, epoch: ordinals.get(epochName({ gatewayId, epoch })) ?? 0, sequence: item.sequence }
    const read = { batch, id: item.id, sequence: item.sequence, raw }
    const misaddressed = misaddress(item, batch.gateway.name)
    if (misaddressed) {
      refused.push({ ...read, code: 'bad-item', reason: misaddressed })
      continue
    }
    if (item.type === 'benchwatch.heartbeat') {
      acceptable.push({ batch, item, order, epoch, instrument: null })
      continue
    }
    const instrument = instruments.get(item.subject)
    if (instrument?.gatewayId === gatewayId) acceptable.push({ batch, item, order, epoch, instrument })
    else refused.push({ ...read, ...refusal(item.subject, instrument) })
  }
  acceptable.sort(
    ({ order: a }, { order: b }) => a.gatewayId - b.gatewayId || a.epoch - b.epoch || a.sequence - b.sequence,
  )
  return { acceptable, refused }
}

/** Returns what is wrong with the source or subject of an item; undefined if it is this gateway's. */
function misaddress({ type, source, subject }: IngestItem, gateway: string): string | undefined {
  if (source !== `/gateways/${gateway}`) return `source: must be "/gateways/${gateway}", the gateway of this key.`
  if (type === 'benchwatch.heartbeat' && subject !== gateway)
    return `subject: must be "${gateway}", the gateway that sends the heartbeat.`
  return undefined
}

function refusal(subject: string, instrument: LockedInstrument | undefined): Pick<Refused, 'code' | 'reason'> {
  if (!instrument) {
    return {
      code: 'unknown-instrument',
      reason: `No instrument "${subject}" is registered. Register it, then try the item again in the back office.`,
    }
  }
  return {
    code: 'other-gateway-instrument',
    reason: `The instrument "${subject}" is not registered behind this gateway.`,
  }
}

/**
 * Returns the items that were never accepted before (the first of several with one id), and the names of those that
 * had been parked.
 */
async function firstTimers(
  trx: Trx,
  acceptable: readonly Acceptable[],
  now: Date,
): Promise<{ fresh: Acceptable[]; wereParked: ReadonlySet<string> }> {
  const byName = new Map<string, Acceptable>()
  for (const one of acceptable) {
    const name = nameOf(one)
    if (!byName.has(name)) byName.set(name, one)
  }
  const items = [...byName.values()].map(({ order, item }) => ({ gatewayId: order.gatewayId, itemId: item.id }))
  const { fresh, wereParked } = await takeIn(trx, { items, now })
  return { fresh: [...byName].filter(([name]) => fresh.has(name)).map(([, one]) => one), wereParked }
}

/** Stores statuses before alarms, because an event keeps the status of its instrument at that moment. */
async function apply(
  trx: Trx,
  fresh: readonly Acceptable[],
  { now, known }: { now: Date; known: Known },
): Promise<Announcement[]> {
  const statuses: ReportedStatus[] = []
  const lines: NewLogLine[] = []
  const alarms: AlarmItem[] = []
  const samples: UsageSample[] = []
  const runtimes: RuntimeReport[] = []
  const software: SoftwareReport[] = []
  const instruments = new Map<number, LockedInstrument>()
  for (const { batch, item, order, instrument } of fresh) {
    if (!instrument) continue
    const isTest = batch.origin === 'test'
    // A test does not prove that the instrument has ever reported.
    if (!isTest) instruments.set(instrument.id, instrument)
    switch (item.type) {
      case 'benchwatch.status.changed':
        statuses.push({ item, order, instrument })
        break
      case 'benchwatch.log.appended':
        for (const line of item.data.lines) {
          lines.push({ ...line, instrumentId: instrument.id, logType: item.data.logType })
        }
        break
      case 'benchwatch.alarm.raised':
      case 'benchwatch.alarm.cleared':
        alarms.push({ item, order, instrument, alertSource: isTest ? 'TEST' : 'INSTRUMENT' })
        break
      case 'benchwatch.usage.sampled':
        samples.push({ ...counted(order, instrument), at: item.time, components: item.data.components })
        break
      case 'benchwatch.runtime.measured':
        runtimes.push({ ...counted(order, instrument), ...item.data })
        break
      case 'benchwatch.clients.changed':
        software.push({ ...counted(order, instrument), at: item.time, software: item.data })
        break
      case 'benchwatch.heartbeat':
        break
    }
  }
  const newcomers = [...instruments.values()].filter(({ isConnected }) => !isConnected).map(({ id }) => id)
  const contacts = await noteFirstContact(trx, { instrumentIds: newcomers, now })
  const reports = await withRuns(trx, statuses)
  const changed = await storeStatuses(trx, { reports, now })
  const runs = await followRuns(
    trx,
    reports.filter(({ runId, instrumentId }) => runId !== null || instruments.get(instrumentId)?.hasRuns),
  )
  await appendLogLines(trx, { lines, now })
  await keepUsage(trx, samples)
  await storeRuntimes(trx, runtimes)
  await storeSoftware(trx, software)
  const alarmMessages = await storeAlarms(trx, { alarms, now, components: known.components, mayHoldBack: true })
  const updatesOf = (instrumentId: number, changed: Parameters<typeof instrumentUpdates>[1]) => {
    const instrument = instruments.get(instrumentId)
    return instrument ? instrumentUpdates(instrument, changed) : []
  }
  return [
    ...contacts
      .filter(({ instrumentId, orcStatus }) => instruments.get(instrumentId)?.orcStatus !== orcStatus)
      .flatMap(({ instrumentId, orcStatus }) => updatesOf(instrumentId, { orcStatus })),
    ...changed.flatMap(({ instrumentId, status, ...rest }) =>
      updatesOf(instrumentId, { instrumentStatus: status, ...rest }),
    ),
    ...runs.current.flatMap(({ instrumentId, run, runSince }) =>
      updatesOf(instrumentId, { run: { name: run, since: runSince } }),
    ),
    ...runs.events.map(({ instrumentId, run, ...event }) => {
      const installedProductId = instruments.get(instrumentId)?.installedProductId ?? ''
      return updateMessage({ ...event, installedProductId }, 'run', { run })
    }),
    ...alarmMessages,
  ]
}

interface ReportedStatus {
  item: Extract<IngestItem, { type: 'benchwatch.status.changed' }>
  order: ItemOrder
  instrument: LockedInstrument
}

/** Gives each status the id of its run. */
async function withRuns(trx: Trx, statuses: readonly ReportedStatus[]): Promise<StatusReport[]> {
  const runs = statuses.map(runOf)
  const ids = await runIds(
    trx,
    runs.filter((run) => run !== null),
  )
  return statuses.map(({ item, order, instrument }, index) => ({
    instrumentId: instrument.id,
    status: item.data.instrumentStatus,
    reason: isOfFormer({ item, instrument }) ? null : item.data.reason || null,
    runId: item.data.run === '' ? NO_RUN : ((runs[index] && ids.get(runKey(runs[index]))) ?? null),
    at: (isOfFormer({ item, instrument }) ? null : item.data.at) ?? item.time,
    reportedAt: item.time,
    epoch: order.epoch,
    sequence: order.sequence,
  }))
}

/** A status of a former customer that arrives after the move names no run, because the present one would see it. */
function runOf(reported: ReportedStatus): RunName | null {
  const { run } = reported.item.data
  return run && !isOfFormer(reported) ? { customerId: reported.instrument.customerId, name: run } : null
}

/** Identifies the instrument an item reports on, and its epoch and sequence number. */
function counted({ epoch, sequence }: ItemOrder, { id }: LockedInstrument) {
  return { instrumentId: id, epoch, sequence }
}

/**
 * Stores samples of component usage if any user could see them: the flag ASSET_USAGE is on for the deployment or for
 * any user (3-decisions 5). Otherwise they are accepted and discarded.
 */
async function keepUsage(trx: Trx, samples: readonly UsageSample[]): Promise<void> {
  if (samples.length === 0 || !(await featureIsOnForAnybody(trx, 'ASSET_USAGE'))) return
  await storeUsage(trx, samples)
}

/** A batch takes about 0.1 s. */
const BATCH = 10_000
/** Limit of one run, which a stop of the server waits for. */
const MOST_BATCHES = 10

/** Returns the task that makes ranges of the items that earlier releases took. It has nothing to do once they are gone. */
export function ingestTasks({ db }: Pick<FeatureContext, 'db'>): LeaderTask[] {
  return [
    {
      name: 'make ranges of items taken by earlier releases',
      everyMs: 10_000,
      async run() {
        for (let batch = 0; batch < MOST_BATCHES; batch += 1) if ((await foldInbox(db, BATCH)) < BATCH) break
      },
    },
  ]
}
