import type { Explanation } from '@benchwatch/contract/messages/notifications'
import {
  alertTypeLabels,
  type NotificationGate,
  type NotificationKind,
  notificationCategories,
  notificationKindLabels,
  severityLabels,
} from '@benchwatch/contract/vocabulary'
import { decide, type PreparedRecipient } from '../profiles/decision.ts'
import type { AnnouncedEvent } from '../profiles/event-facts.queries.ts'
import { checksOf } from '../profiles/matching.ts'
import type { Assignment } from '../profiles/profiles.queries.ts'

/** Explains why a user is notified of an event or not. The same rule decides as for sending. Pure. */

interface ExplanationInput {
  kind: NotificationKind
  recipient: PreparedRecipient
  event: AnnouncedEvent
  assignment: Assignment | undefined
  /** True if users ask about themselves; the text then says "you". */
  isSelf: boolean
  /** False in China, where no text messages are sent. */
  hasSms: boolean
}

export function explain(input: ExplanationInput): Omit<Explanation, 'notifications'> {
  const { kind, recipient, event, assignment } = input
  const decidedBy = decide(recipient, { kind, event, assignment })
  return {
    kind,
    isNotified: decidedBy === null,
    decidedBy,
    sentence: decidedBy === null ? acceptedBecause(input) : reasonOf(decidedBy, input),
    checks: checksOf(recipient.profiles[kind], event.facts),
    ways: waysOf(input),
  }
}

const wayNames = { email: 'e-mail', sms: 'SMS' } as const

function waysOf({ recipient, kind }: ExplanationInput): (keyof typeof wayNames)[] {
  return [...new Set(recipient.ways[kind].map(({ channel }) => channel))]
}

// Says "now", because the profile may have been different when the event was raised.
function acceptedBecause(input: ExplanationInput): string {
  const ways = waysOf(input).map((way) => wayNames[way])
  return `The profile ‘${notificationKindLabels[input.kind]}’ now accepts this event, by ${ways.join(' and ')}.`
}

function reasonOf(gate: NotificationGate, input: ExplanationInput): string {
  const { kind, recipient, isSelf } = input
  const profile = `profile ‘${notificationKindLabels[kind]}’`
  switch (gate) {
    case 'not-assigned':
      return `This event was not assigned to ${isSelf ? 'you' : recipient.name}.`
    case 'own-assignment':
      return `${isSelf ? 'You assigned this event to yourself' : `${recipient.name} assigned this event to themselves`}.`
    case 'disabled':
      return `The account of ${recipient.name} is disabled.`
    case 'scope':
      return `${isSelf ? 'You' : recipient.name} may not see events of this customer now.`
    case 'switched-off':
      return `Neither e-mail nor SMS is switched on in the ${profile} now.`
    case 'alarm-test':
      return 'This is a test of the alarm chain. It ends automatically and sends no notifications.'
    case 'under-review':
      return 'The support e-mail template of this error is under review; such events send no notifications.'
    case 'no-address':
      return `The ${profile} now uses only SMS, and ${input.hasSms ? 'there is no mobile number. An administrator can add it' : 'no text messages are sent in China'}.`
    default:
      return `The ${profile} now ${comparison(gate, input)}.`
  }
}

/** Formats "requires Severity HIGH, but the event has MED". */
function comparison(
  category: (typeof notificationCategories)[number]['key'],
  { kind, recipient, event }: ExplanationInput,
): string {
  const label = notificationCategories.find(({ key }) => key === category)?.label ?? category
  const found = event.facts[category]
  const value = found === null ? 'none' : wordOf(category, found)
  return `requires ${label} ${listed(recipient.profiles[kind][category].map((value) => wordOf(category, value)))}, but the event has ${value}`
}

/** A sentence lists up to this many values and only counts larger numbers. */
const NAMED = 5

function listed(values: readonly string[]): string {
  if (values.length > NAMED) return `${values.slice(0, NAMED).join(', ')} or ${values.length - NAMED} more`
  return [values.slice(0, -1).join(', '), ...values.slice(-1)].filter(Boolean).join(' or ')
}

/** Returns the label of a value. */
function wordOf(category: string, value: string): string {
  const words: Record<string, Record<string, string>> = {
    severity: severityLabels,
    alertType: alertTypeLabels,
    qualifiedSystem: { true: 'yes', false: 'no' },
  }
  return words[category]?.[value] ?? value
}
