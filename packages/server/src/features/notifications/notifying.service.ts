import { setImmediate } from 'node:timers/promises'
import type { ServiceEvent } from '@benchwatch/contract/events/events'
import type { NotificationKind } from '@benchwatch/contract/vocabulary'
import type { Trx } from '../../db/connect.ts'
import { QueuePosition } from '../../db/queues/queue-position.ts'
import { inTransaction } from '../../db/transaction.ts'
import type { FeatureContext } from '../context.ts'
import { readServiceEvents } from '../events/events.queries.ts'
import { instrumentsInMaintenance } from '../maintenance/maintenance.lookup.ts'
import { hasSms, type OutgoingMessage } from '../outgoing-messages.ts'
import { decide, prepare } from '../profiles/decision.ts'
import { readNotifiedEvents } from '../profiles/event-facts.queries.ts'
import { readNewEventRecipients, readRecipients } from '../profiles/profiles.queries.ts'
import { mailContacts } from '../support-emails/support-emails.service.ts'
import { allowanceOf } from './limit.ts'
import { eventMail } from './notification-mails.ts'
import { eventText, templates } from './notification-texts.ts'
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
  readEventPlaces,
  readNotifiedKeys,
  readPendingNotifications,
  setPendingNotificationAside,
  takeNotifyingTurn,
} from './notifying.store.ts'

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
  const held = await heldEvents(trx, { eventIds, now })
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
 * Returns the events that happened during a maintenance of their instrument, and those whose instrument is in
 * maintenance now.
 */
async function heldEvents(
  trx: Trx,
  { eventIds, now }: { eventIds: readonly number[]; now: Date },
): Promise<Set<number>> {
  const places = await readEventPlaces(trx, eventIds)
  const instrumentIds = unique(places.flatMap(({ instrumentId }) => (instrumentId === null ? [] : [instrumentId])))
  const inMaintenance = await instrumentsInMaintenance(trx, { instrumentIds, now })
  return new Set(
    places.flatMap(({ id, instrumentId, duringMaintenance }) =>
      instrumentId !== null && (duringMaintenance || inMaintenance.has(instrumentId)) ? [id] : [],
    ),
  )
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
