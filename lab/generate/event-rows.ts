import { closeReasons, type InstrumentStatus, instrumentStatuses } from '@benchwatch/contract/vocabulary'
import type { InstrumentType } from '@benchwatch/samples/equipment/instrument-type'
import { type SeededRandom, seededRandom } from '@benchwatch/samples/seeded-random'
import { eventTexts } from './event-texts.ts'
import { zipf } from './fleet.ts'

/** The registered fleet with its database ids, as events refer to it. */
export interface RegisteredFleet {
  instruments: readonly {
    id: number
    installedProductId: string
    type: InstrumentType
    gatewayId: number
    siteId: number
    customerId: number
    /** True under a 24-hour contract for the whole time. */
    fullSupport: boolean
  }[]
  /** Ids of users who own events; they see all customers. */
  owners: readonly number[]
  /** The database id of each component name. */
  components: ReadonlyMap<string, number>
}

/** A row of service_event; times are milliseconds. */
export interface EventRow {
  id: number
  createdAt: number
  logGeneratedAt: number
  clearedAt: number | null
  alertId: string
  templateId: string
  severity: number
  alertType: number
  alertStatus: number
  isEdgeIssue: boolean
  description: string
  userMessage: string | null
  folded: string
  instrumentId: number | null
  componentId: number | null
  gatewayId: number
  siteId: number
  customerId: number
  statusAtEvent: InstrumentStatus | null
  fullSupport: boolean
  latched: number
  claimedBy: number | null
  claimedAt: number | null
  closedAt: number | null
  reasonClosed: number | null
  comment: string | null
  caseNumber: string | null
  caseUrl: string | null
  email: string | null
  emailedAt: number | null
  lastActionAt: number
  version: number
}

const DAY_MS = 86_400_000
const MINUTE_MS = 60_000
export const YEARS_MS = 3 * 365 * DAY_MS
export const FIRST_ID = 100_001

/** Shares of new and in-progress events by age: recent ones are open, old ones are closed with few exceptions. */
const openShares: readonly { youngerThan: number; fresh: number; inProgress: number }[] = [
  { youngerThan: 2 * DAY_MS, fresh: 0.55, inProgress: 0.2 },
  { youngerThan: 14 * DAY_MS, fresh: 0.06, inProgress: 0.09 },
  { youngerThan: Number.POSITIVE_INFINITY, fresh: 0.003, inProgress: 0.005 },
]
const severityCodes = { low: 1, medium: 2, high: 3 } as const
/** Reasons of events that the product closes: by an automatic e-mail, or because the recipient unsubscribed. */
const EMAIL_REASON = closeReasons.indexOf('Closed by automatic email') + 1
const CASE_REASON = closeReasons.indexOf('Service Case Created') + 1
const SYSTEM_USER = 0
const comments = [
  null,
  null,
  'Checked with the site, tubing replaced.',
  'Returned to normal by itself within a minute.',
  'Operator reseated the column and the run went on.',
]

export interface EventsInput {
  count: number
  now: number
  seed: string
  fleet: RegisteredFleet
}

/**
 * Generates three years of events up to `now`, oldest first: a little more each year, with a few noisy instruments and
 * a few frequent templates. It holds one row at a time, and the open alarms, which are below 2 %.
 */
export function* eventRows({ count, now, seed, fleet }: EventsInput): Generator<EventRow> {
  const random = seededRandom(`${seed}/events`)
  const textOf = eventTexts()
  const noisyFirst = shuffled(fleet.instruments, random)
  const openAlarms = new Set<string>()
  for (let index = 0; index < count; index++) {
    const share = ((index + random.next()) / count) ** 0.8
    const createdAt = Math.floor(now - YEARS_MS + YEARS_MS * share)
    const instrument = noisyFirst[zipf(random, noisyFirst.length, 1.8)]
    if (!instrument) throw new Error('There is no instrument to raise events on.')
    const isEdgeIssue = random.chance(0.003)
    const text = textOf(instrument, random)
    const componentId = isEdgeIssue ? null : (fleet.components.get(text.component) ?? null)
    const outcome = outcomeOf(createdAt, { now, random, owners: fleet.owners })
    let clearedAt = random.chance(outcome.alertStatus === 3 ? 0.85 : 0.5)
      ? createdAt + Math.floor(MINUTE_MS * 600 ** random.next())
      : null
    if (clearedAt !== null && clearedAt > now) clearedAt = null
    if (outcome.alertStatus !== 3 && clearedAt === null && !isEdgeIssue) {
      // The product would latch a second open alarm onto the first event.
      const alarm = `${instrument.id} ${text.templateId} ${componentId}`
      if (openAlarms.has(alarm)) clearedAt = createdAt
      else openAlarms.add(alarm)
    }
    yield {
      id: FIRST_ID + index,
      createdAt,
      logGeneratedAt: createdAt - random.integer(300, 9000),
      clearedAt,
      alertId: `${text.templateId}-${index.toString(36)}`,
      templateId: text.templateId,
      severity: severityCodes[text.severity],
      alertType: text.alertType,
      isEdgeIssue,
      description: text.description,
      userMessage: text.userMessage,
      folded: text.folded,
      instrumentId: isEdgeIssue ? null : instrument.id,
      componentId,
      gatewayId: instrument.gatewayId,
      siteId: instrument.siteId,
      customerId: instrument.customerId,
      statusAtEvent: isEdgeIssue ? null : random.pick(instrumentStatuses),
      fullSupport: instrument.fullSupport,
      latched: random.chance(0.1) ? random.integer(1, 20) : 0,
      ...outcome,
    }
  }
}

type Outcome = Pick<
  EventRow,
  | 'alertStatus'
  | 'claimedBy'
  | 'claimedAt'
  | 'closedAt'
  | 'reasonClosed'
  | 'comment'
  | 'caseNumber'
  | 'caseUrl'
  | 'email'
  | 'emailedAt'
  | 'lastActionAt'
  | 'version'
>

/** Draws what users and the product have done about an event by now. */
function outcomeOf(
  createdAt: number,
  { now, random, owners }: { now: number; random: SeededRandom; owners: readonly number[] },
): Outcome {
  const age = now - createdAt
  const { fresh, inProgress } = openShares.find(({ youngerThan }) => age < youngerThan) ?? { fresh: 0, inProgress: 0 }
  const draw = random.next()
  const untouched: Outcome = {
    alertStatus: 1,
    claimedBy: null,
    claimedAt: null,
    closedAt: null,
    reasonClosed: null,
    comment: null,
    caseNumber: null,
    caseUrl: null,
    email: null,
    emailedAt: null,
    lastActionAt: createdAt,
    version: 1,
  }
  if (draw < fresh) return untouched
  const claimedAt = Math.min(now, createdAt + Math.floor(3 * MINUTE_MS * 800 ** random.next()))
  const owner = random.pick(owners)
  if (draw < fresh + inProgress) {
    return { ...untouched, alertStatus: 2, claimedBy: owner, claimedAt, lastActionAt: claimedAt, version: 2 }
  }
  if (random.chance(0.4)) {
    const isEmail = random.chance(0.4)
    const reasonClosed = isEmail ? EMAIL_REASON : EMAIL_REASON + 1
    const email = isEmail ? automaticEmail(random) : null
    const emailedAt = isEmail ? createdAt + 2000 : null
    const closing = { alertStatus: 3, claimedBy: SYSTEM_USER, claimedAt: createdAt, closedAt: createdAt, reasonClosed }
    return { ...untouched, ...closing, email, emailedAt, version: 2 }
  }
  const closedAt = Math.min(now, claimedAt + Math.floor(5 * MINUTE_MS * 600 ** random.next()))
  const reasonClosed = random.integer(1, 4)
  const caseNumber = reasonClosed === CASE_REASON ? String(random.integer(10_200_000, 10_299_999)) : null
  return {
    ...untouched,
    alertStatus: 3,
    claimedBy: owner,
    claimedAt,
    closedAt,
    reasonClosed,
    comment: random.pick(comments),
    caseNumber,
    caseUrl: caseNumber && `https://cases.benchwatch.example/cases/${caseNumber}`,
    lastActionAt: closedAt,
    version: 3,
  }
}

function automaticEmail(random: SeededRandom): string {
  const body = `An event on your instrument returned to normal (${random.integer(1, 99)} min). Nothing needs to be done.`
  return JSON.stringify({ contactName: 'Maria Öberg', email: 'contact@bench.example', subject: 'Event closed', body })
}

function shuffled<T>(list: readonly T[], random: SeededRandom): T[] {
  const order = [...list]
  for (let last = order.length - 1; last > 0; last--) {
    const other = random.integer(0, last)
    const one = order[last] as T
    order[last] = order[other] as T
    order[other] = one
  }
  return order
}
