import type { Explanation } from '@benchwatch/contract/notifications'
import {
  alertTypeLabels,
  type NotificationGate,
  type NotificationKind,
  notificationCategories,
  severityLabels,
} from '@benchwatch/contract/vocabulary'
import { decide, type PreparedRecipient } from '../profiles/decision.ts'
import type { AnnouncedEvent } from '../profiles/event-facts.queries.ts'
import { checksOf } from '../profiles/matching.ts'
import type { Assignment } from '../profiles/profiles.queries.ts'

/** Explains why a user is notified of an event or not. The same rule decides as for sending. Pure. */

interface Asked {
  kind: NotificationKind
  recipient: PreparedRecipient
  event: AnnouncedEvent
  assignment: Assignment | undefined
  /** True if users ask about themselves; the text then says "you". */
  isSelf: boolean
  /** False in China, where no text messages are sent. */
  hasSms: boolean
}

export function explain(asked: Asked): Omit<Explanation, 'notifications'> {
  const { kind, recipient, event, assignment } = asked
  const decidedBy = decide(recipient, { kind, event, assignment })
  return {
    kind,
    isNotified: decidedBy === null,
    decidedBy,
    sentence: decidedBy === null ? toldBecause(asked) : reasonOf(decidedBy, asked),
    checks: checksOf(recipient.profiles[kind], event.facts),
    ways: waysOf(asked),
  }
}

/** Profile names as in the console. */
const profileNames: Record<NotificationKind, string> = {
  new_event_notification: 'All Events',
  assign_me_notification: 'Assigned to me',
}

const wayNames = { email: 'e-mail', sms: 'SMS' } as const

function waysOf({ recipient, kind }: Asked): (keyof typeof wayNames)[] {
  return [...new Set(recipient.ways[kind].map(({ channel }) => channel))]
}

// Says "now", because the profile may have been different when the event was raised.
function toldBecause(asked: Asked): string {
  const ways = waysOf(asked).map((way) => wayNames[way])
  return `The profile ‘${profileNames[asked.kind]}’ now lets this event through, by ${ways.join(' and ')}.`
}

function reasonOf(gate: NotificationGate, asked: Asked): string {
  const { kind, recipient, isSelf } = asked
  const profile = `profile ‘${profileNames[kind]}’`
  switch (gate) {
    case 'not-assigned':
      return `Nobody has assigned this event to ${isSelf ? 'you' : recipient.name}.`
    case 'own-assignment':
      return `${isSelf ? 'You took this event yourself' : `${recipient.name} took this event without being asked`}.`
    case 'disabled':
      return `The account of ${recipient.name} is disabled.`
    case 'scope':
      return `${isSelf ? 'You' : recipient.name} may not see events of this customer now.`
    case 'switched-off':
      return `Neither e-mail nor SMS is switched on in the ${profile} now.`
    case 'alarm-test':
      return 'This is a test of the alarm chain. It is ended by itself, and nobody is told of it.'
    case 'under-review':
      return 'The support e-mail of this error is still under review, and such events are not told.'
    case 'no-address':
      return `The ${profile} now tells by SMS alone, and ${asked.hasSms ? 'there is no mobile number. An administrator can add it' : 'no text messages are sent in China'}.`
    default:
      return `The ${profile} now ${comparison(gate, asked)}.`
  }
}

/** Formats "asks for Severity HIGH, and the event’s is MED". */
function comparison(
  category: (typeof notificationCategories)[number]['key'],
  { kind, recipient, event }: Asked,
): string {
  const label = notificationCategories.find(({ key }) => key === category)?.label ?? category
  const found = event.facts[category]
  const has = found === null ? 'the event has none' : `the event’s is ${wordOf(category, found)}`
  return `asks for ${label} ${listed(recipient.profiles[kind][category].map((value) => wordOf(category, value)))}, and ${has}`
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
