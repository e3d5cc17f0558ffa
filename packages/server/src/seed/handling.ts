import type { CloseReason, Severity } from '@benchwatch/contract/vocabulary'
import type { SeededRandom } from '@benchwatch/samples/seeded-random'
import type { ServiceEventState } from '../features/events/status.ts'
import type { Colleague } from './demo-people.ts'

/** One action of a user or the product, and the state of the event after it. */
export interface HandlingStep {
  at: Date
  by: Colleague | 'system'
  state: ServiceEventState
}

/** State of an event that no user has touched. */
export const unhandled: ServiceEventState = {
  alertStatus: '1_NEW',
  claimedBy: null,
  reasonClosed: null,
  reasonClosedComment: null,
  serviceMaxCaseNumber: null,
  serviceMaxUrl: null,
}

const HOUR = 3_600_000

/**
 * Reaction times in hours, from the quickest to the slowest ordinary case, and the share of events that are never
 * claimed.
 */
const habits: Record<Severity, { claim: [number, number]; close: [number, number]; ignored: number }> = {
  high: { claim: [0.05, 3], close: [0.3, 22], ignored: 0.004 },
  medium: { claim: [0.2, 12], close: [0.5, 50], ignored: 0.012 },
  low: { claim: [0.5, 40], close: [0.3, 80], ignored: 0.03 },
}
/** Share of claimed events that their owner forgets until the next clean-up. */
const FORGOTTEN = 0.02
/** Share and time of the clean-up of unclaimed or forgotten events; the rest stays open permanently. */
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
 * Returns the actions of users on an event, oldest first, up to `until`: a user claims it, sometimes assigns it to
 * another user, and its owner closes it with a reason. Forgotten events are cleaned up weeks later. Follows the rules
 * for changes of events.
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
    // Customers assign events to their own users; others to any user who can see the event.
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

/** Returns milliseconds between two limits in hours; short times are more likely. */
function hours(random: SeededRandom, [shortest, longest]: [number, number]): number {
  return Math.round(HOUR * shortest * (longest / shortest) ** random.next())
}
