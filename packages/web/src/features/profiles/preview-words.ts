import {
  type NotificationGate,
  type NotificationKind,
  notificationCategories,
} from '@benchwatch/contract/notification-vocabulary'
import type { previewProfile } from '@benchwatch/contract/profiles'
import type { RouteTypes } from '@benchwatch/contract/route'
import { counted } from '../../lib/counted.ts'

/** What a preview says in sentences. */

type Preview = RouteTypes<typeof previewProfile>['answer']

/** '31 events in the last 7 days, the newest 20:' */
export function sentWords({ sent, days, values }: Pick<Preview, 'sent' | 'days' | 'values'>): string {
  const events = counted(sent, 'event')
  const newest = sent > values.length && values.length > 0 ? `, the newest ${values.length} of them:` : ''
  return `${events} in the last ${days} days${newest}`
}

/** Why nothing would have been sent: what stopped most of the events, and what to do. */
export function nothingWords(
  { days, stopped }: Pick<Preview, 'days' | 'stopped'>,
  { kind, isTelling }: { kind: NotificationKind; isTelling: boolean },
): string {
  if (!isTelling) return 'Neither way is switched on, so nothing would have been sent.'
  const all = stopped.reduce((sum, { events }) => sum + events, 0)
  const most = stopped[0]
  if (most === undefined)
    return kind === 'assign_me_notification'
      ? `Nobody assigned an event to you in the last ${days} days.`
      : `No event that you may see was raised in the last ${days} days.`
  return `${stopWords(most.gate, { events: most.events, all })} ${hintWords(most.gate)}`
}

function stopWords(gate: NotificationGate, { events, all }: { events: number; all: number }): string {
  const share =
    events === all
      ? all === 1
        ? 'The one event was'
        : `All ${counted(all, 'event')} were`
      : `${events.toLocaleString('en')} of ${counted(all, 'event')} were`
  return `${share} stopped by ${gateWords(gate)}.`
}

/** What a gate is called in the middle of a sentence. */
function gateWords(gate: NotificationGate): string {
  const category = notificationCategories.find(({ key }) => key === gate)
  if (category !== undefined) return `the filter ${category.label}`
  return otherGates[gate]?.words ?? 'your access'
}

function hintWords(gate: NotificationGate): string {
  return otherGates[gate]?.hint ?? 'Choose more of its values, or none, to be told of them.'
}

const otherGates: Partial<Record<NotificationGate, { words: string; hint: string }>> = {
  'own-assignment': { words: 'your having taken them yourself', hint: 'You are told of what others assign to you.' },
  'alarm-test': {
    words: 'being tests of the alarm chain',
    hint: 'Tests trouble nobody; one that went missing is told.',
  },
  'under-review': {
    words: 'the review of their error texts',
    hint: 'They are told once the review of these texts is done.',
  },
  'no-address': {
    words: 'a missing address or number',
    hint: 'Select an address above, or have an administrator add your mobile number.',
  },
}
