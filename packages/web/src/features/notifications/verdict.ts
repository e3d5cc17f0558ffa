import type { Explanation } from '@benchwatch/contract/messages/notifications'
import { type NotificationGate, notificationCategories } from '@benchwatch/contract/vocabulary'
import type { KnownTypes } from '../../lib/instrument-type.ts'
import { categoryLabel, channelsLabel, valueLabel } from './notification-state.tsx'

/** Turns an explanation into a verdict and a list of checks. */

/**
 * `notified`: sent. `coming`: will be sent. `not-notified`: the profile does not match. `lost`: queued, but not
 * delivered.
 */
export type Outcome = 'notified' | 'coming' | 'not-notified' | 'lost'

export interface Verdict {
  outcome: Outcome
  /** 'You were notified.' */
  title: string
  /** The difference between what was sent and what the current profile says; null if they agree. */
  sinceThen: string | null
}

/** `name` is the user's name; null for the viewer. */
export function verdictOf({ isNotified, notifications }: Explanation, name: string | null): Verdict {
  const were = name === null ? 'You were' : `${name} was`
  const states = new Set(notifications.map(({ state }) => state))
  const isPromised = states.has('waiting') || states.has('held') || states.has('collected')
  const isDecided = states.size > 0
  // Messages that were queued stay queued after the profile changes.
  const sinceThen =
    isDecided && !isNotified ? 'The profile has changed since then: it no longer matches this event.' : null
  if (states.has('sent')) return { outcome: 'notified', title: `${were} notified.`, sinceThen }
  if (isPromised) return { outcome: 'coming', title: `${name ?? 'You'} will be notified.`, sinceThen }
  if (isDecided) return { outcome: 'lost', title: `${were} to be notified, but nothing was sent.`, sinceThen }
  return {
    outcome: 'not-notified',
    title: `${were} not notified.`,
    sinceThen: isNotified
      ? 'The current profile matches this event. It did not at that time, or the notification is still being prepared.'
      : null,
  }
}

export interface Check {
  gate: NotificationGate
  label: string
  result: 'passes' | 'stops' | 'not-checked'
  /** True for the first check that failed. */
  isDecisive: boolean
  /** The values that the profile selects; empty for all. Null if the check is not a category. */
  wanted: readonly string[] | null
  /** The event's value, or what the check found; null if the event has no such property. */
  found: string | null
}

type OtherGate = Exclude<NotificationGate, (typeof notificationCategories)[number]['key']>

const otherGates: Record<OtherGate, { label: string; passes: string; stops: string }> = {
  'not-assigned': { label: 'Assignment', passes: 'Assigned', stops: 'Not assigned' },
  'own-assignment': { label: 'Assigned by', passes: 'Another user', stops: 'The recipient' },
  disabled: { label: 'Account', passes: 'Active', stops: 'Disabled' },
  scope: { label: 'Data scope', passes: 'Includes the customer', stops: 'Does not include the customer' },
  'switched-off': { label: 'Channels', passes: 'E-mail, SMS or both', stops: 'Neither e-mail nor SMS' },
  'alarm-test': {
    label: 'Test',
    passes: 'Not a test',
    stops: 'A test of the alarm chain, which sends no notifications',
  },
  'under-review': {
    label: 'Review',
    passes: 'Not under review',
    stops: 'The error’s e-mail template is under review',
  },
  'no-address': { label: 'Address', passes: '', stops: 'No address' },
}

const assignmentGates: readonly OtherGate[] = ['not-assigned', 'own-assignment']
const gatesOfPerson: readonly OtherGate[] = ['disabled', 'scope', 'switched-off', 'alarm-test', 'under-review']

/** Returns all checks in order. Categories are evaluated even after the deciding check. */
export function checksIn(explanation: Explanation, types: KnownTypes): Check[] {
  const { kind, decidedBy, checks } = explanation
  const before = kind === 'assign_me_notification' ? [...assignmentGates, ...gatesOfPerson] : gatesOfPerson
  let isDecided = false
  const other = (gate: OtherGate): Check => {
    const { label, passes, stops } = otherGates[gate]
    const isDecisive = decidedBy === gate
    if (isDecisive) isDecided = true
    const result = isDecisive ? 'stops' : isDecided ? 'not-checked' : 'passes'
    const found = {
      passes: gate === 'no-address' ? channelsLabel(explanation.ways) : passes,
      stops,
      'not-checked': null,
    }
    return { gate, label, result, isDecisive, wanted: null, found: found[result] }
  }
  const rows = before.map(other)
  for (const { category, wanted, found, passes } of checks) {
    if (decidedBy === category) isDecided = true
    rows.push({
      gate: category,
      label: categoryLabel(category),
      result: passes ? 'passes' : 'stops',
      isDecisive: decidedBy === category,
      wanted: wanted.map((value) => valueLabel(category, value, types)),
      found: found === null ? null : valueLabel(category, found, types),
    })
  }
  return [...rows, other('no-address')]
}

/** The label of the deciding check, e.g. 'Severity'; null if all passed. */
export function deciderLabel({ decidedBy }: Pick<Explanation, 'decidedBy'>): string | null {
  if (decidedBy === null) return null
  const category = notificationCategories.find(({ key }) => key === decidedBy)
  return category?.label ?? otherGates[decidedBy as OtherGate].label
}
