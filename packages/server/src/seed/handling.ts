import type { CloseReason, Severity } from '@benchwatch/contract/vocabulary'
import type { SeededRandom } from '@benchwatch/samples/seeded-random'
import type { ServiceEventState } from '../features/events/status.ts'
import type { Colleague } from './demo-people.store.ts'

/** One thing that somebody, or the product by itself, did, and how the event stood after it. */
export interface HandlingStep {
  at: Date
  by: Colleague | 'system'
  state: ServiceEventState
}

/** An event that nobody has touched. */
export const unhandled: ServiceEventState = {
  alertStatus: '1_NEW',
  claimedBy: null,
  reasonClosed: null,
  reasonClosedComment: null,
  serviceMaxCaseNumber: null,
  serviceMaxUrl: null,
}

const HOUR = 3_600_000

/** How long people take, in hours: the quickest and the slowest ordinary case, and the share that nobody ever takes. */
const habits: Record<Severity, { claim: [number, number]; close: [number, number]; ignored: number }> = {
  high: { claim: [0.05, 3], close: [0.3, 22], ignored: 0.004 },
  medium: { claim: [0.2, 12], close: [0.5, 50], ignored: 0.012 },
  low: { claim: [0.5, 40], close: [0.3, 80], ignored: 0.03 },
}
/** Share of claimed events that stay in somebody's hands until somebody tidies up. */
const FORGOTTEN = 0.02
/** When and how often what nobody took or closed is tidied up; the rest stays open for good. */
const TIDIED = { share: 0.85, after: [9 * 24, 24 * 24] as [number, number] }

const reasons: { reason: CloseReason; weight: number; comments: readonly (string | null)[] }[] = [
  { reason: 'Service Case Created', weight: 22, comments: [null] },
  {
    reason: 'Customer resolved on own',
    weight: 27,
    comments: [
      null,
      'Operator reseated the tubing and the run went on.',
      'Customer replaced the inline filter, pressure is normal again.',
      'Air removed with a pump wash; verified by phone.',
      'Restarted by the operator, no further errors.',
      'Customer calibrated the sensor.',
    ],
  },
  {
    reason: 'No action required',
    weight: 38,
    comments: [
      null,
      null,
      'Single spike during wash, below the limit since.',
      'Expected while the column was being changed.',
      'Test run, agreed with the site.',
      'Buffer tank was empty, refilled by the operator.',
      'Returned to normal by itself within a minute.',
    ],
  },
  {
    reason: 'Duplicate event',
    weight: 9,
    comments: [null, 'Same cause as the event before.', 'See the open case for this pump.'],
  },
]

/**
 * What people do about an event, oldest first, up to `until`: somebody takes it, now and then gives it to somebody else,
 * and its owner closes it with a reason; what was left lying is tidied up weeks later. Follows the rules that hold for changes of events.
 */
export function handle(
  event: { createdAt: Date; severity: Severity; customerId: number },
  { random, colleagues, until }: { random: SeededRandom; colleagues: readonly Colleague[]; until: Date },
): HandlingStep[] {
  const habit = habits[event.severity]
  const able = colleagues.filter(({ customerIds }) => customerIds === null || customerIds.includes(event.customerId))
  const taker = random.weighted(able, ({ role }) => ({ support: 5, service: 4, customer: 3, admin: 0.2 })[role])
  const steps: HandlingStep[] = []
  const ignored = random.chance(habit.ignored)
  if (ignored && !random.chance(TIDIED.share)) return []
  let at = event.createdAt.getTime() + hours(random, ignored ? TIDIED.after : habit.claim)
  let owner = taker
  steps.push({ at: new Date(at), by: taker, state: inProgress(owner) })
  if (random.chance(0.1)) {
    at += hours(random, [0.1, 6])
    // A customer's people give events to their own; the others to anybody who sees the event.
    const others = able.filter(({ id, role }) => id !== taker.id && (taker.role !== 'customer' || role === 'customer'))
    if (others.length > 0) owner = random.pick(others)
    if (owner !== taker) {
      steps.push({ at: new Date(at), by: taker, state: inProgress(owner) })
    }
  }
  const forgotten = random.chance(FORGOTTEN)
  if (!forgotten || random.chance(TIDIED.share)) {
    at += hours(random, forgotten ? TIDIED.after : habit.close)
    steps.push({ at: new Date(at), by: owner, state: closed(owner, random) })
  }
  return steps.filter((step) => step.at < until)
}

function inProgress(owner: Colleague): ServiceEventState {
  return { ...unhandled, alertStatus: '2_IN_PROGRESS', claimedBy: owner.id }
}

function closed(owner: Colleague, random: SeededRandom): ServiceEventState {
  const { reason, comments } = random.weighted(reasons, ({ weight }) => weight)
  const caseNumber = reason === 'Service Case Created' ? String(random.integer(10_200_000, 10_299_999)) : null
  return {
    alertStatus: '3_CLOSED',
    claimedBy: owner.id,
    reasonClosed: reason,
    reasonClosedComment: random.pick(comments),
    serviceMaxCaseNumber: caseNumber,
    serviceMaxUrl: caseNumber && random.chance(0.8) ? `https://cases.benchwatch.example/cases/${caseNumber}` : null,
  }
}

/** Milliseconds between two limits in hours; short times are more likely, as in life. */
function hours(random: SeededRandom, [shortest, longest]: [number, number]): number {
  return Math.round(HOUR * shortest * (longest / shortest) ** random.next())
}
