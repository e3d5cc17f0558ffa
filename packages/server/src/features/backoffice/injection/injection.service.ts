import { type LogForm, type LogWish, readLogForm } from '@benchwatch/contract/administration/backoffice-forms'
import type { IngestItemInput } from '@benchwatch/contract/ingest'
import { ALARM_TEST_TEMPLATE_ID, MISSING_TEST_TEMPLATE_ID, type Severity } from '@benchwatch/contract/vocabulary'
import type { DataScope, UserActor } from '../../../db/actor.ts'
import { recordAudit } from '../../../db/audit.ts'
import type { Db, Trx } from '../../../db/connect.ts'
import type { LeaderTask } from '../../../db/queues/leader.ts'
import { announce } from '../../../db/queues/outbox.ts'
import { inTransaction } from '../../../db/transaction.ts'
import { type ProblemError, problem } from '../../../platform/http/problem.ts'
import type { FeatureContext } from '../../context.ts'
import { readOpenEvents } from '../../events/events.lookup.ts'
import { closeBySystem } from '../../events/events.service.ts'
import { clearServiceEvents } from '../../events/events.store.ts'
import type { LockedInstrument } from '../../ingest/inbox.store.ts'
import { storeBatches } from '../../ingest/ingest.service.ts'
import { readItems } from '../../ingest/read-items.ts'
import { featureIsOnForDeployment } from '../../users/users.lookup.ts'
import { badForm } from '../bad-form.ts'
import { lockNamedInstrument } from '../instrument-state.store.ts'
import {
  type AlarmTest,
  alertIdOf,
  endAbandoned,
  endTest,
  findClientInstrument,
  forgetFeed,
  insertLogLine,
  isCustomerName,
  orderTests,
  planNextTest,
  type RunningTest,
  readNextTest,
  readNextToLapse,
  readRunning,
  readUncleared,
  takeOrdered,
} from './injection.store.ts'
import { brokenStage, resultOf } from './injection-outcome.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
const MONDAY = 1

/** Within the working hours of most support teams, and before those of the staff who repair what is missing. */
const HOUR = 6

/** Spreads tests so that deployments that share a network or mail server do not start in the same second. */
const MOST_JITTER_MS = HOUR_MS / 2

type Needs = Pick<FeatureContext, 'db' | 'intake' | 'clock' | 'log'>

/** An outbox epoch of the server's own, so that tests use none of the gateway's sequence numbers. */
const EPOCH = 'benchwatch-test'
const COMPONENT = 'Alarm chain'
/** Limit per gateway: a user who tests one gateway does not affect the limit of others. */
const TESTS_AN_HOUR = 3
/** A test that is not ended by then cannot be followed any more. */
const ABANDONED_AFTER_MS = HOUR_MS
/** Newest first, so the test event is among the first. */
const OPEN_EVENTS_LOOKED_AT = 20

/**
 * Orders tests of all gateways in scope now, except those being tested and those tested three times within an hour, by
 * any user. Throws too-many-requests if none remains.
 */
export async function orderTestsNow(
  { db, clock }: Pick<Needs, 'db' | 'clock'>,
  scope: DataScope,
): Promise<{ gateways: number }> {
  return inTransaction(db, async (trx) => {
    const now = clock.now()
    const limit = { tests: TESTS_AN_HOUR, since: new Date(now.getTime() - HOUR_MS) }
    const gateways = await orderTests(trx, { scope, now, limit })
    const inTheWay = gateways === 0 ? await readNextToLapse(trx, { scope, limit }) : undefined
    if (inTheWay) {
      throw problem('too-many-requests', 'Each gateway can be tested at most three times an hour. Try again later.', {
        retryAfter: Math.ceil((inTheWay.getTime() + HOUR_MS - now.getTime()) / 1000),
      })
    }
    return { gateways }
  })
}

/**
 * Orders the weekly test of every gateway when it is due, while WEEKLY_ALARM_INJECTION is on for the deployment. The
 * first test runs on the Monday after the flag was switched on. A test missed while no server was running runs once at
 * start.
 */
export async function orderWeeklyTests({ db, clock }: Pick<Needs, 'db' | 'clock'>): Promise<void> {
  await inTransaction(db, async (trx) => {
    const now = clock.now()
    const isOn = await featureIsOnForDeployment(trx, 'WEEKLY_ALARM_INJECTION')
    const planned = await readNextTest(trx)
    if (!isOn) {
      if (planned) await planNextTest(trx, null)
      return
    }
    if (planned && planned > now) return
    if (planned) await orderTests(trx, { scope: 'all', now })
    await planNextTest(trx, nextWeeklyTest(now, Math.random()))
  })
}

/** Raises the ordered tests one after another, each with its recorded time. */
export async function raiseTests(needs: Needs): Promise<void> {
  const { db, clock } = needs
  for (;;) {
    const test = await takeOrdered(db, clock.now())
    if (!test) return
    await raiseTest(needs, test)
  }
}

/**
 * Checks the progress of running tests. A test that cannot be ended is retried later and does not hold up the others.
 */
export async function followTests(needs: Needs): Promise<void> {
  const { db, clock, log } = needs
  for (const test of await readRunning(db)) {
    try {
      await followTest(needs, test)
    } catch (error) {
      log.error({ err: error, gateway: test.gateway }, 'a test of the alarm chain could not be followed')
    }
  }
  const at = clock.now()
  await endAbandoned(db, { before: new Date(at.getTime() - ABANDONED_AFTER_MS), at })
}

async function raiseTest(needs: Needs, test: AlarmTest): Promise<void> {
  const { db, clock, log } = needs
  try {
    await inTransaction(db, async (trx) => {
      // Events of earlier tests, which arrived too late for them.
      const leftOver = { instrumentId: test.instrumentId, templateId: ALARM_TEST_TEMPLATE_ID }
      await endEvents(trx, await readUncleared(trx, leftOver), clock.now())
    })
    const refusal = await inject(needs, test, {
      number: 2 * test.id,
      alertId: alertIdOf(test),
      templateId: ALARM_TEST_TEMPLATE_ID,
      severity: 'low',
      description: 'Weekly test of the alarm chain',
      userMessage: 'The console tests automatically that alarms arrive. No action is required.',
    })
    if (refusal !== undefined) throw new Error(refusal)
  } catch (error) {
    // The test will not arrive, which is the kind of failure it has to detect.
    log.error({ err: error, gateway: test.gateway }, 'a test of the alarm chain could not be raised')
  }
}

async function followTest(needs: Needs, test: RunningTest): Promise<void> {
  const { db, clock, log } = needs
  const { eventId, raisedAt } = test
  const progress = { ...test, isFound: eventId !== null && (await isListed(db, { ...test, eventId })) }
  const now = clock.now()
  const result = resultOf(progress, now.getTime() - raisedAt.getTime())
  if (result === 'waiting') return
  const stage = brokenStage(progress)
  // One transaction: a result is never stored without its alarm, and only one of two leaders stores it.
  const ended = await inTransaction(db, async (trx) => {
    if (!(await endTest(trx, { id: test.id, result, at: now }))) return null
    const refusal = result === 'missing' ? await raiseMissing({ intake: trx, clock }, { test, stage }) : undefined
    await endEvents(trx, eventId === null ? [] : [eventId], now)
    if (result !== 'missing') {
      const missing = { instrumentId: test.instrumentId, templateId: MISSING_TEST_TEMPLATE_ID }
      await announce(trx, await clearServiceEvents(trx, { ids: await readUncleared(trx, missing), at: now }))
    }
    return { refusal }
  })
  if (ended && result === 'missing')
    log.error({ gateway: test.gateway, stage, ...ended }, 'a test of the alarm chain went missing')
}

/**
 * Raises the alarm about a missing test. Returns the reason if it was refused, for example because the instrument was
 * moved.
 */
async function raiseMissing(
  needs: Pick<Needs, 'clock'> & { intake: Db },
  { test, stage }: { test: AlarmTest; stage: string | null },
): Promise<string | undefined> {
  return inject(needs, test, {
    number: 2 * test.id + 1,
    alertId: `${alertIdOf(test)}-MISSING`,
    templateId: MISSING_TEST_TEMPLATE_ID,
    severity: 'high',
    description: `A test of the alarm chain of ${test.gateway} did not arrive. ${stage}.`,
    userMessage: 'Alarms of this gateway may not arrive either. Check the feed status, then test again.',
  })
}

/** True if the event is found through the same query as the event list of a user with this customer. */
async function isListed(db: Db, { eventId, instrumentId, customerId }: RunningTest & { eventId: number }) {
  const open = await readOpenEvents(db, { instrumentId, scope: [customerId], limit: OPEN_EVENTS_LOOKED_AT })
  return open.some(({ id }) => id === String(eventId))
}

/** Ends test events: they return to normal and need no action. */
async function endEvents(trx: Trx, ids: readonly number[], at: Date): Promise<void> {
  if (ids.length === 0) return
  await announce(trx, await clearServiceEvents(trx, { ids, at }))
  await closeBySystem(trx, { ids, reason: 'No action required', at })
}

interface Raised {
  /** Sequence number in the server's own epoch. */
  number: number
  alertId: string
  templateId: string
  severity: Severity
  description: string
  userMessage: string
}

/** Sends an alarm through the same code as a batch of the gateway. Returns the reason if it was refused. */
async function inject(
  { intake, clock }: Pick<Needs, 'clock'> & { intake: Db },
  { gatewayId, gateway, installedProductId }: AlarmTest,
  { number, ...raised }: Raised,
): Promise<string | undefined> {
  const now = clock.now()
  const item: IngestItemInput = {
    specversion: '1.0',
    id: `${EPOCH}-${number}`,
    source: `/gateways/${gateway}`,
    subject: installedProductId,
    type: 'benchwatch.alarm.raised',
    time: now.toISOString(),
    sequence: number,
    data: { ...raised, alertType: 1, componentName: COMPONENT, logGeneratedAt: now.toISOString() },
  }
  const [answer] = await storeBatches(intake, {
    batches: [{ gateway: { type: 'gateway', id: gatewayId, name: gateway }, items: readItems([item]), origin: 'test' }],
    now,
  })
  return answer?.rejected[0]?.reason
}

/** Returns the first Monday 06:00 UTC after `now`, delayed by `jitter` (0 ≤ jitter < 1) of half an hour. */
export function nextWeeklyTest(now: Date, jitter: number): Date {
  const first = new Date(now)
  first.setUTCHours(HOUR, 0, 0, 0)
  first.setUTCDate(first.getUTCDate() + ((MONDAY - first.getUTCDay() + 7) % 7))
  const at = first.getTime() > now.getTime() ? first.getTime() : first.getTime() + 7 * DAY_MS
  return new Date(at + Math.floor(jitter * MOST_JITTER_MS))
}

/** Counts are kept for as long as key figures look back. */
const KEPT_DAYS = 400

/** Returns the periodic tasks that count and test the data feed. One process of the deployment runs them. */
export function feedTasks(context: Pick<FeatureContext, 'db' | 'intake' | 'clock' | 'log'>): LeaderTask[] {
  return [
    { name: 'order the weekly test of the alarm chain', everyMs: 60_000, run: () => orderWeeklyTests(context) },
    { name: 'raise tests of the alarm chain', everyMs: 1000, run: () => raiseTests(context) },
    { name: 'follow tests of the alarm chain', everyMs: 1000, run: () => followTests(context) },
    {
      name: 'forget old counts of the feed',
      everyMs: 6 * 3_600_000,
      run: () => forgetFeed(context.db, new Date(context.clock.now().getTime() - KEPT_DAYS * DAY_MS)),
    },
  ]
}

/**
 * Writes one line into a log of an instrument as its gateway would, and returns the line's ID. A client line that
 * names no instrument goes to the instrument linked to that computer. Throws not-found for an instrument or customer
 * outside the scope, and bad-log with an error per field.
 */
export async function injectLog(
  { db, clock }: Pick<FeatureContext, 'db' | 'clock'>,
  { form, caller }: { form: LogForm; caller: UserActor },
): Promise<string> {
  return inTransaction(db, async (trx) => {
    const { scope } = caller
    const installedProductId = String(form.instrumentInstalledProductId ?? '').trim()
    const named = await lockNamedInstrument(trx, { installedProductId, scope })
    const enterprise = String(form.enterprise ?? '').trim()
    if (enterprise !== '' && !(await isCustomerName(trx, { name: enterprise, scope }))) throw noSuchCustomer()
    const now = clock.now()
    const { value: input, errors } = readLogForm(form, { now })
    if (errors) throw badForm('bad-log', errors)
    const instrument = named ?? (await lockClientInstrument(trx, { input, caller }))
    const id = await insertLogLine(trx, { line: { ...input, instrumentId: instrument.id }, now })
    const { logType, message, timestamp } = input
    await recordAudit(trx, { entityType: 'instrument', entityId: String(instrument.id), actor: caller, at: now }, [
      {
        action: 'log-line-added',
        property: logType,
        reason: 'Back office',
        newValue: JSON.stringify({ id, timestamp: timestamp.toISOString(), message: message.slice(0, RECORDED) }),
      },
    ])
    return id
  })
}

/** Characters of a long message kept in the audit log; the full line is in the instrument's log. */
const RECORDED = 500

async function lockClientInstrument(
  trx: Trx,
  { input, caller }: { input: LogWish; caller: UserActor },
): Promise<LockedInstrument> {
  const { scope } = caller
  const client = { hostname: input.hostname ?? '', customer: input.enterprise ?? '', scope }
  const installedProductId = (await findClientInstrument(trx, client)) ?? ''
  const instrument = await lockNamedInstrument(trx, { installedProductId, scope })
  if (instrument) return instrument
  const message = `Host hostname is not a client PC of an instrument of ${client.customer}. Enter another one, or an installed product ID.`
  throw badForm('bad-log', [{ path: 'hostHostname', message }])
}

function noSuchCustomer(): ProblemError {
  return problem('not-found', 'Enterprise could not be found. Enter the name of a customer you have access to.')
}
