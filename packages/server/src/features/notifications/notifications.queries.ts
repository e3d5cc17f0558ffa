import type {
  Explanation,
  explainNotification as explainNotificationRoute,
  Notification,
} from '@benchwatch/contract/messages/notifications'
import type { RouteTypes } from '@benchwatch/contract/route'
import {
  alertTypeLabels,
  type NotificationChannel,
  type NotificationGate,
  type NotificationKind,
  type NotificationState,
  notificationCategories,
  notificationKindLabels,
  notificationKinds,
  severityLabels,
} from '@benchwatch/contract/vocabulary'
import { type RawBuilder, sql } from 'kysely'
import type { DataScope, UserActor } from '../../db/actor.ts'
import type { Db } from '../../db/connect.ts'
import { serviceEvents } from '../../db/scoped.ts'
import { severityOf } from '../../db/sql/severity.ts'
import { type FollowedMessage, messageState } from '../message-state.ts'
import { decide, type PreparedRecipient, prepare } from '../profiles/decision.ts'
import { type AnnouncedEvent, readNotifiedEvents } from '../profiles/event-facts.queries.ts'
import { checksOf } from '../profiles/matching.ts'
import { type Assignment, readAssignments, readRecipients } from '../profiles/profiles.queries.ts'
import { NO_NAME } from '../users/users.lookup.ts'

/** All fields of the message are null or 0 if there is none: not yet, or deleted long after it was sent. */
export interface Delivery extends FollowedMessage {
  channel: NotificationChannel
  waitsFor: 'maintenance' | 'digest' | null
  withdrawnReason: string | null
}

/** Returns a user's notifications of events in scope, newest first, with their total number. */
export async function listNotifications(
  db: Db,
  { userId, scope, limit, offset }: { userId: number; scope: DataScope; limit: number; offset: number },
): Promise<{ values: Notification[]; total: { notifications: number } }> {
  const ofUser = sql<boolean>`n.user_id = ${userId}`
  const rows = await selectNotifications(db, scope).where(ofUser).limit(limit).offset(offset).execute()
  const { count } = await inScope(db, scope)
    .where(ofUser)
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return { values: rows.map(notificationOf), total: { notifications: Number(count) } }
}

/** Maximum number of notifications shown for one event. */
const OF_AN_EVENT = 200

/**
 * Returns an event's notifications, newest first, for one user or all users. Empty if the scope does not include the
 * event.
 */
export async function readNotificationsOfEvent(
  db: Db,
  { eventId, scope, userId }: { eventId: number; scope: DataScope; userId: number | null },
): Promise<Notification[]> {
  const rows = await selectNotifications(db, scope)
    .where('n.event_id', '=', eventId)
    .$if(userId !== null, (query) => query.where('n.user_id', '=', userId))
    .limit(OF_AN_EVENT)
    .execute()
  return rows.map(notificationOf)
}

/** Selects notifications `n` of events `e` in scope. */
function inScope(db: Db, scope: DataScope) {
  return serviceEvents(db, scope).innerJoin('notification as n', 'n.event_id', 'e.id')
}

function selectNotifications(db: Db, scope: DataScope) {
  const inMessage: RawBuilder<number | null> = sql`CASE WHEN n.message_id IS NOT NULL THEN (
    SELECT count(*)::int FROM notification l WHERE l.message_id = n.message_id) END`
  return inScope(db, scope)
    .innerJoin('app_user as u', 'u.id', 'n.user_id')
    .leftJoin('outbound_message as o', 'o.id', 'n.message_id')
    .leftJoin('instrument as i', 'i.id', 'e.instrument_id')
    .leftJoin('gateway as g', 'g.id', 'e.gateway_id')
    .select([
      'n.id',
      'n.kind',
      'n.channel',
      'n.recipient',
      'n.decided_at',
      'n.waits_for as waitsFor',
      'n.withdrawn_reason as withdrawnReason',
      'n.message_id as messageId',
      'n.event_id',
      'e.severity',
      'e.description',
      sql<string>`coalesce(i.installed_product_id, g.installed_product_id)`.as('installed_product_id'),
      'n.user_id',
      'u.name as user_name',
      'o.sent_at as sentAt',
      'o.failed_at as failedAt',
      'o.attempts',
      'o.last_failure as lastFailure',
      'o.last_error as lastError',
      inMessage.as('events_in_message'),
    ])
    .orderBy('n.decided_at', 'desc')
    .orderBy('n.id', 'desc')
}

function notificationOf(
  row: Awaited<ReturnType<ReturnType<typeof selectNotifications>['execute']>>[number],
): Notification {
  return {
    id: String(row.id),
    kind: row.kind,
    channel: row.channel,
    event: {
      id: String(row.event_id),
      eventId: String(row.event_id),
      severity: severityOf(row.severity),
      description: row.description,
      instrumentInstalledProductId: row.installed_product_id,
    },
    userId: String(row.user_id),
    userName: row.user_name ?? NO_NAME,
    to: row.recipient,
    ...stateOf(row),
    decidedAt: row.decided_at.toISOString(),
    sentAt: row.sentAt?.toISOString() ?? null,
    attempts: row.attempts ?? 0,
    eventsInMessage: row.events_in_message,
  }
}

/** Returns the state, and the reason as text if it was not sent. */
export function stateOf(delivery: Delivery): { state: NotificationState; reason: string | null } {
  const { waitsFor, withdrawnReason, channel } = delivery
  if (withdrawnReason !== null) return { state: 'withdrawn', reason: withdrawnReason }
  if (waitsFor === 'maintenance') {
    return { state: 'held', reason: 'Held until the maintenance of the instrument ends' }
  }
  if (waitsFor === 'digest') {
    return { state: 'collected', reason: 'Above the hourly limit; included in the next digest' }
  }
  return messageState(delivery, channel)
}

type Explained = RouteTypes<typeof explainNotificationRoute>['answer']

/**
 * Explains why a user is notified of an event or not, by their current profiles, and lists the notifications of the
 * event. Returns undefined if the caller's scope does not include the event. Uses the user's own scope, not the
 * caller's, for what they may see.
 */
export async function readExplanation(
  db: Db,
  { eventId, userId, caller, hasSms }: { eventId: number; userId: number; caller: UserActor; hasSms: boolean },
): Promise<Explained | undefined> {
  const [event] = await readNotifiedEvents(db, { scope: caller.scope, ids: [eventId] })
  if (!event) return undefined
  const [stored] = await readRecipients(db, [userId])
  if (!stored) throw new Error(`The user ${userId} is gone.`)
  const recipient = prepare(stored, { hasSms })
  const [assignment] = await readAssignments(db, { userId, eventId })
  const notifications = await readNotificationsOfEvent(db, { eventId, userId, scope: caller.scope })
  const input = { recipient, event, assignment, hasSms, isSelf: userId === caller.id }
  return {
    userId: String(userId),
    userName: recipient.name,
    eventId: String(eventId),
    explanations: notificationKinds.toReversed().map((kind) => ({
      ...explain({ ...input, kind }),
      notifications: notifications.filter((one) => one.kind === kind),
    })),
  }
}

// An explanation says why a user is notified of an event or not. The same rule decides as for sending. Pure.

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
