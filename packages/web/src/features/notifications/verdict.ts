import type { Explanation } from '@benchwatch/contract/notifications'
import { type NotificationGate, notificationCategories } from '@benchwatch/contract/vocabulary'
import { categoryLabel, valueLabel, waysLabel } from './notification-state.tsx'

/** What an explanation comes to: whether somebody was told, and each thing that was looked at. Pure. */

/** `told`: it has left. `coming`: it will. `not-told`: the profile says no. `lost`: decided, but nothing arrived. */
export type Outcome = 'told' | 'coming' | 'not-told' | 'lost'

export interface Verdict {
  outcome: Outcome
  /** 'You were told.' */
  title: string
  /** What differs between what was sent then and what the profile says now; null where they agree. */
  sinceThen: string | null
}

/** `name`: of whom it is asked; null for whoever asks. */
export function verdictOf({ isNotified, notifications }: Explanation, name: string | null): Verdict {
  const were = name === null ? 'You were' : `${name} was`
  const states = new Set(notifications.map(({ state }) => state))
  const isPromised = states.has('waiting') || states.has('held') || states.has('collected')
  const isDecided = states.size > 0
  // What was decided stays decided, whatever the profile says by now.
  const sinceThen =
    isDecided && !isNotified ? 'The profile has changed since: it would not tell of this event any more.' : null
  if (states.has('sent')) return { outcome: 'told', title: `${were} told.`, sinceThen }
  if (isPromised) return { outcome: 'coming', title: `${name ?? 'You'} will be told.`, sinceThen }
  if (isDecided) return { outcome: 'lost', title: `${were} to be told, but nothing was sent.`, sinceThen }
  return {
    outcome: 'not-told',
    title: `${were} not told.`,
    sinceThen: isNotified
      ? 'The profile as it is now would tell of it. It did not at that time, or the message is only being decided on.'
      : null,
  }
}

export interface Check {
  gate: NotificationGate
  label: string
  result: 'passes' | 'stops' | 'not-looked-at'
  /** It decided: the first that stopped it. */
  isDecisive: boolean
  /** What the profile asks for, each value; empty for everything. Null where it is no category. */
  wanted: readonly string[] | null
  /** What the event has, or what was found of the person; null where the event has no such thing. */
  found: string | null
}

type OtherGate = Exclude<NotificationGate, (typeof notificationCategories)[number]['key']>

const otherGates: Record<OtherGate, { label: string; passes: string; stops: string }> = {
  'not-assigned': { label: 'Assignment', passes: 'Assigned', stops: 'Not assigned' },
  'own-assignment': { label: 'Assigned by', passes: 'Somebody else', stops: 'Nobody else' },
  disabled: { label: 'Account', passes: 'Active', stops: 'Disabled' },
  scope: { label: 'Data scope', passes: 'Holds the customer', stops: 'Does not hold the customer' },
  'switched-off': { label: 'Switched on', passes: 'E-mail, SMS or both', stops: 'Neither e-mail nor SMS' },
  'alarm-test': { label: 'Test', passes: 'None', stops: 'A test of the alarm chain, of which nobody is told' },
  'under-review': {
    label: 'Review',
    passes: 'Nothing is held back by a review',
    stops: 'The error’s e-mail template is under review',
  },
  'no-address': { label: 'Address', passes: '', stops: 'There is none to send to' },
}

const assignmentGates: readonly OtherGate[] = ['not-assigned', 'own-assignment']
const gatesOfPerson: readonly OtherGate[] = ['disabled', 'scope', 'switched-off', 'alarm-test', 'under-review']

/** Everything that was looked at, in the order of looking. Behind the one that decided, categories still tell. */
export function checksIn(explanation: Explanation): Check[] {
  const { kind, decidedBy, checks } = explanation
  const before = kind === 'assign_me_notification' ? [...assignmentGates, ...gatesOfPerson] : gatesOfPerson
  const decided = { yet: false }
  const other = (gate: OtherGate): Check => {
    const { label, passes, stops } = otherGates[gate]
    const isDecisive = decidedBy === gate
    if (isDecisive) decided.yet = true
    const result = isDecisive ? 'stops' : decided.yet ? 'not-looked-at' : 'passes'
    const found = {
      passes: gate === 'no-address' ? waysLabel(explanation.ways) : passes,
      stops,
      'not-looked-at': null,
    }
    return { gate, label, result, isDecisive, wanted: null, found: found[result] }
  }
  const rows = before.map(other)
  for (const { category, wanted, found, passes } of checks) {
    if (decidedBy === category) decided.yet = true
    rows.push({
      gate: category,
      label: categoryLabel(category),
      result: passes ? 'passes' : 'stops',
      isDecisive: decidedBy === category,
      wanted: wanted.map((value) => valueLabel(category, value)),
      found: found === null ? null : valueLabel(category, found),
    })
  }
  return [...rows, other('no-address')]
}

/** How what decided is called: 'Severity'; null where nothing stopped it. */
export function deciderLabel({ decidedBy }: Pick<Explanation, 'decidedBy'>): string | null {
  if (decidedBy === null) return null
  const category = notificationCategories.find(({ key }) => key === decidedBy)
  return category?.label ?? otherGates[decidedBy as OtherGate].label
}
