import { setImmediate } from 'node:timers/promises'
import type { ServiceEvent } from '@benchwatch/contract/events/events'
import type { NotificationKind, Severity } from '@benchwatch/contract/vocabulary'
import { holds } from '../../db/actor.ts'
import type { Trx } from '../../db/connect.ts'
import type { LeaderTask } from '../../db/queues/leader.ts'
import { QueuePosition } from '../../db/queues/queue-position.ts'
import { inTransaction } from '../../db/transaction.ts'
import type { Signal } from '../../platform/concurrency.ts'
import type { FeatureContext } from '../context.ts'
import { readServiceEvents } from '../events/events.queries.ts'
import { hasSms, IS_DISABLED, MAY_NOT_SEE, type OutgoingMessage } from '../outgoing-messages.ts'
import { decide, type PreparedRecipient, prepare } from '../profiles/decision.ts'
import { readNotifiedEvents } from '../profiles/event-facts.queries.ts'
import { readNewEventRecipients, readRecipients } from '../profiles/profiles.queries.ts'
import { mailContacts } from '../support-emails/support-emails.service.ts'
import { allowanceOf } from './limit.ts'
import { type EventList, eventListMail, eventMail, type ListReason } from './notification-mails.ts'
import { eventListText, eventText, templates } from './notification-texts.ts'
import {
  type Assigner,
  countMessages,
  deletePendingNotifications,
  insertNotifications,
  type NewNotification,
  notificationKey,
  type PendingNotification,
  readAssigners,
  readDuePendingNotifications,
  readNotifiedKeys,
  readPendingNotifications,
  setPendingNotificationAside,
  takeNotifyingTurn,
} from './notifying.store.ts'
import {
  ADDRESS_IS_GONE,
  lockWaiting,
  noteListed,
  type Receiver,
  readDueDigests,
  readHeldEvents,
  readReleased,
  type Waiting,
  withdraw,
} from './waiting.store.ts'

export type Notifying = Pick<FeatureContext, 'db' | 'clock' | 'config' | 'log' | 'messages'>

/** Pending notifications per transaction. */
const PENDING_AT_ONCE = 500
/** A transaction starts no further event once it has this many notifications, which limits its time and memory. */
const NOTIFICATIONS_AT_ONCE = 20_000
const HOUR_MS = 3_600_000
/** Long statement timeout: no user waits for an answer, and a busy database only delays notifications. */
export const PATIENCE_MS = 60_000
/** Delay before a failed pending notification is tried again, because its cause may have gone. */
const ASIDE_MS = 600_000

/**
 * Processes all pending notifications in batches of one transaction each: recipients, messages and removal from the
 * queue. A batch that fails is halved until the pending notification that causes the error is found; that one is set
 * aside and the others continue. `position` only avoids reading rows that were already processed.
 */
export async function processPendingNotifications(notifying: Notifying, position = new QueuePosition()): Promise<void> {
  for (;;) {
    const { ids } = await position.scan((from) =>
      readDuePendingNotifications(notifying.db, { limit: PENDING_AT_ONCE, now: notifying.clock.now(), from }),
    )
    if (ids.length === 0) return
    await notifyAll(notifying, ids)
  }
}

async function notifyAll(notifying: Notifying, ids: readonly number[]): Promise<void> {
  try {
    await inTransaction(notifying.db, (trx) => notifyBatch(trx, { ids, notifying }), {
      statementTimeoutMs: PATIENCE_MS,
    })
  } catch (error) {
    const [id] = ids
    if (ids.length > 1) {
      const half = Math.ceil(ids.length / 2)
      await notifyAll(notifying, ids.slice(0, half))
      await notifyAll(notifying, ids.slice(half))
    } else if (id !== undefined) {
      // If the database itself is the cause, this fails too, and everything is repeated later.
      const retryAt = new Date(notifying.clock.now().getTime() + ASIDE_MS)
      await setPendingNotificationAside(notifying.db, { id, error: String(error), retryAt })
      notifying.log.error(
        { err: error, pendingNotification: id, retryAt },
        'notifications could not be created: set aside for a retry',
      )
    }
  }
}

interface Batch {
  ids: readonly number[]
  notifying: Notifying
}

async function notifyBatch(trx: Trx, { ids, notifying }: Batch): Promise<void> {
  const { clock, config, messages } = notifying
  await takeNotifyingTurn(trx)
  const now = clock.now()
  const { processed, notifications, assigners } = await decideBatch(trx, { ids, notifying, now })
  const outgoing = await allot(trx, { notifications, config, now })
  const events = new Map(
    (await readServiceEvents(trx, { ids: unique(outgoing.map(({ eventId }) => eventId)), scope: 'all' })).map(
      (event) => [event.id, event],
    ),
  )
  const write = writer({ events, assigners, config })
  const messageIds = await messages.queue(trx, outgoing.map(write), now)
  for (const [index, notification] of outgoing.entries()) notification.messageId = messageIds[index] ?? null
  await insertNotifications(trx, { notifications, at: now })
  await deletePendingNotifications(
    trx,
    processed.map(({ id }) => id),
  )
  // Last, because it locks event rows, which users change in the meantime.
  const eventIds = unique(
    processed.flatMap(({ kind, eventId }) => (kind === 'new_event_notification' ? [eventId] : [])),
  )
  if (eventIds.length > 0) await mailContacts(trx, { eventIds, now }, { messages, config })
}

/** A notification with the time of its assignment, which identifies the assigner. */
type Decided = NewNotification & { at: Date }

/**
 * Decides which users get which of the pending notifications, without those sent before. Works in order and leaves the
 * last ones for the next transaction if there are many notifications to write.
 */
async function decideBatch(
  trx: Trx,
  { ids, notifying, now }: Batch & { now: Date },
): Promise<{ processed: PendingNotification[]; notifications: Decided[]; assigners: ReadonlyMap<string, Assigner> }> {
  const pendingNotifications = await readPendingNotifications(trx, ids)
  const assignments = pendingNotifications.filter(({ kind }) => kind === 'assign_me_notification')
  const sending = { hasSms: hasSms(notifying.config) }
  const all =
    pendingNotifications.length > assignments.length
      ? (await readNewEventRecipients(trx)).map((recipient) => prepare(recipient, sending))
      : []
  // No recipients: the usual case of a new installation, in which no events have to be read.
  if (all.length === 0 && assignments.length === 0)
    return { processed: pendingNotifications, notifications: [], assigners: new Map() }
  const assignees = new Map(
    (await readRecipients(trx, unique(assignments.flatMap(({ userId }) => (userId === null ? [] : [userId]))))).map(
      (recipient) => [recipient.userId, prepare(recipient, sending)],
    ),
  )
  const assigners = new Map(
    (await readAssigners(trx, assignments)).map((assigner) => [pendingNotificationKey(assigner), assigner] as const),
  )
  const eventIds = unique(pendingNotifications.map(({ eventId }) => eventId))
  const events = new Map(
    (await readNotifiedEvents(trx, { scope: 'all', ids: eventIds })).map((event) => [event.id, event]),
  )
  const held = await readHeldEvents(trx, { eventIds, now })
  const notifiedBefore = await readNotifiedKeys(trx, eventIds)
  const processed: PendingNotification[] = []
  const notifications: Decided[] = []
  for (const pendingNotification of pendingNotifications) {
    if (notifications.length >= NOTIFICATIONS_AT_ONCE) break
    // Each event is checked for up to a thousand recipients, so other requests of this process get a turn in between.
    await setImmediate()
    processed.push(pendingNotification)
    const { kind, userId, version, at } = pendingNotification
    // The event was deleted in the meantime.
    const event = events.get(pendingNotification.eventId)
    if (!event) continue
    const isNew = kind === 'new_event_notification'
    const recipient = userId === null ? undefined : assignees.get(userId)
    const assignment =
      userId === null
        ? undefined
        : { userId, byId: assigners.get(pendingNotificationKey(pendingNotification))?.id ?? null }
    for (const candidate of isNew ? all : recipient ? [recipient] : []) {
      if (decide(candidate, { kind, event, assignment }) !== null) continue
      for (const { channel, to } of candidate.ways[kind]) {
        const one = { eventId: event.id, userId: candidate.userId, kind, version, channel, recipient: to }
        const key = notificationKey(one)
        if (notifiedBefore.has(key)) continue
        notifiedBefore.add(key)
        // Assignments are not held: the assigner wants the user to know now.
        const waitsFor = isNew && held.has(event.id) ? ('maintenance' as const) : null
        notifications.push({ ...one, waitsFor, messageId: null, at })
      }
    }
  }
  return { processed, notifications, assigners }
}

/**
 * Returns the notifications that get a message of their own now; the others are marked for the digest. Notifications
 * to two addresses of one user are sent or collected together.
 */
async function allot(
  trx: Trx,
  { notifications, config, now }: { notifications: readonly Decided[]; config: Notifying['config']; now: Date },
): Promise<Decided[]> {
  const free = notifications.filter(({ waitsFor }) => waitsFor === null)
  if (free.length === 0) return []
  const { notificationMailsPerHour: email, notificationSmsPerHour: sms } = config.limits
  const used = await countMessages(trx, {
    userIds: unique(free.map(({ userId }) => userId)),
    templates: [templates.newEvent, templates.assigned],
    since: new Date(now.getTime() - HOUR_MS),
  })
  const allowance = allowanceOf({ email, sms }, used)
  const together = Map.groupBy(free, (one) => notificationKey({ ...one, recipient: '' }))
  for (const some of together.values()) {
    const [{ userId, channel }] = some as [Decided]
    if (allowance.take({ userId, channel, messages: some.length })) continue
    for (const one of some) one.waitsFor = 'digest'
  }
  return free.filter(({ waitsFor }) => waitsFor === null)
}

interface Writing {
  events: ReadonlyMap<string, ServiceEvent>
  assigners: ReadonlyMap<string, Assigner>
  config: Notifying['config']
}

/** Returns a function that creates messages; several recipients share one text. */
function writer({ events, assigners, config }: Writing): (one: Decided) => OutgoingMessage {
  const mails = new Map<string, ReturnType<typeof eventMail>>()
  return (one) => {
    const event = events.get(String(one.eventId))
    if (!event) throw new Error(`The event ${one.eventId} of a notification is missing.`)
    const isNew = one.kind === 'new_event_notification'
    const assignedBy = isNew ? null : (assigners.get(pendingNotificationKey(one))?.name ?? null)
    const what = { kind: one.kind, event, assignedBy }
    const of = { to: one.recipient, userId: one.userId, template: templateOf(one.kind) }
    if (one.channel === 'sms') return { ...of, channel: 'sms', text: eventText(what, config) }
    const key = `${one.eventId} ${one.kind} ${assignedBy}`
    const mail = mails.get(key) ?? eventMail(what, config)
    mails.set(key, mail)
    return { ...of, ...mail, channel: 'email', headers: threadHeaders(one.eventId, config) }
  }
}

function templateOf(kind: NotificationKind): string {
  return kind === 'new_event_notification' ? templates.newEvent : templates.assigned
}

/** Headers that make mail clients group all e-mails about one event. */
function threadHeaders(eventId: number, { publicUrl }: Notifying['config']): Record<string, string> {
  return { References: `<event.${eventId}@${new URL(publicUrl).hostname}>` }
}

function pendingNotificationKey({ eventId, at }: { eventId: number; at: Date }): string {
  return `${eventId} ${at.getTime()}`
}

function unique(ids: readonly number[]): number[] {
  return [...new Set(ids)]
}

// Collected notifications are sent as one list: those held by a maintenance, and those above the hourly limit.

/** Maximum number of events that an e-mail lists; it states the number of the rest. 100 events take about 60 kB. */
const LISTED = 100
/** Notifications per list, which limits its transaction; the rest follows in the next list. */
const NOTIFICATIONS_OF_A_LIST = 20_000
const MINUTE_MS = 60_000

/** Sends each user the notifications of instruments that are no longer in maintenance, in one message per channel. */
export async function releaseHeld(notifying: Notifying): Promise<void> {
  const now = notifying.clock.now()
  const receivers = await inTransaction(notifying.db, (trx) => readReleased(trx, now), {
    statementTimeoutMs: PATIENCE_MS,
  })
  for (const receiver of receivers) await sendList(notifying, { receiver, reason: 'held' })
}

/** Sends the digests whose first event was collected NOTIFICATION_DIGEST_MINUTES ago. */
export async function sendDigests(notifying: Notifying): Promise<void> {
  const { db, clock, config } = notifying
  const before = new Date(clock.now().getTime() - config.notificationDigestMinutes * MINUTE_MS)
  const receivers = await inTransaction(db, (trx) => readDueDigests(trx, before), { statementTimeoutMs: PATIENCE_MS })
  for (const receiver of receivers) await sendList(notifying, { receiver, reason: 'digest' })
}

interface Sending {
  receiver: Receiver
  reason: ListReason
}

/** A failure concerns only this list, which is tried again in the next run. */
async function sendList(notifying: Notifying, { receiver, reason }: Sending): Promise<void> {
  try {
    await inTransaction(notifying.db, (trx) => sendWaiting(trx, { receiver, reason, notifying }), {
      statementTimeoutMs: PATIENCE_MS,
    })
  } catch (error) {
    notifying.log.error(
      { err: error, userId: receiver.userId, reason },
      'a list of events could not be written; it is retried',
    )
  }
}

async function sendWaiting(
  trx: Trx,
  { receiver, reason, notifying }: Sending & { notifying: Notifying },
): Promise<void> {
  const { clock, config, messages } = notifying
  await takeNotifyingTurn(trx)
  const now = clock.now()
  const waitsFor = reason === 'held' ? 'maintenance' : 'digest'
  const waiting = await lockWaiting(trx, { receiver, waitsFor, now, limit: NOTIFICATIONS_OF_A_LIST })
  const [found] = await readRecipients(trx, [receiver.userId])
  const recipient = found && prepare(found, { hasSms: hasSms(config) })
  const byReason = Map.groupBy(waiting, (one) => reasonToWithdraw(recipient, { receiver, one }))
  for (const [against, some] of byReason)
    if (against !== null) await withdraw(trx, { ids: idsOf(some), reason: against })
  const listed = byReason.get(null) ?? []
  if (listed.length === 0) return
  // An event may be listed twice, as a new event and as an assignment.
  const eventIds = [...new Set(listed.map(({ eventId }) => eventId))]
  const worst = (['high', 'medium', 'low'] as const).find((severity) => listed.some((one) => one.severity === severity))
  const list: EventList = {
    reason,
    events: await readServiceEvents(trx, { ids: eventIds.slice(0, LISTED), scope: 'all' }),
    count: eventIds.length,
    worst: worst as Severity,
  }
  const of = { to: receiver.recipient, userId: receiver.userId, template: templates[reason] }
  const [messageId = null] = await messages.queue(
    trx,
    [
      receiver.channel === 'sms'
        ? { ...of, channel: 'sms', text: eventListText(list, config) }
        : { ...of, channel: 'email', ...eventListMail(list, config) },
    ],
    now,
  )
  await noteListed(trx, { ids: idsOf(listed), messageId })
}

/**
 * Returns the reason why a waiting notification must not be sent any more, given the recipient's current account
 * and settings; null if it may be sent.
 */
function reasonToWithdraw(
  recipient: PreparedRecipient | undefined,
  { receiver, one }: { receiver: Receiver; one: Waiting },
): string | null {
  if (!recipient || recipient.isDisabled) return IS_DISABLED
  if (!holds(recipient.scope, one.customerId)) return MAY_NOT_SEE
  const { notifyEmail, notifySms } = recipient.profiles[one.kind]
  if (!(receiver.channel === 'email' ? notifyEmail : notifySms))
    return 'The recipient has switched these notifications off.'
  const isStillUsed = recipient.ways[one.kind].some(
    ({ channel, to }) => channel === receiver.channel && to === receiver.recipient,
  )
  return isStillUsed ? null : ADDRESS_IS_GONE
}

function idsOf(some: readonly Waiting[]): number[] {
  return some.map(({ id }) => id)
}

/** Scheduled tasks of the leader that send notifications. `published` rings when live messages were published. */
export function notificationTasks(notifying: Notifying, published: Signal): LeaderTask[] {
  const position = new QueuePosition()
  return [
    {
      // Every change also announces itself to the screens, and its announcement starts this task; the interval finds
      // pending notifications that were set aside.
      name: 'process pending notifications',
      everyMs: 1000,
      restMs: 50,
      wake: published,
      run: () => processPendingNotifications(notifying, position),
    },
    { name: 'release held notifications', everyMs: 10_000, run: () => releaseHeld(notifying) },
    { name: 'send digests', everyMs: 15_000, run: () => sendDigests(notifying) },
  ]
}
