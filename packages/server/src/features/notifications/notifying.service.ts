import { setImmediate } from 'node:timers/promises'
import type { ServiceEvent } from '@benchwatch/contract/events'
import type { NotificationKind } from '@benchwatch/contract/vocabulary'
import type { Trx } from '../../db/connect.ts'
import { QueuePosition } from '../../db/queues/queue-position.ts'
import { inTransaction } from '../../db/transaction.ts'
import type { FeatureContext } from '../context.ts'
import { readServiceEvents } from '../events/events.queries.ts'
import { instrumentsInMaintenance } from '../maintenance/maintenance.lookup.ts'
import type { OutgoingMessage } from '../outgoing-messages.ts'
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

/** Occasions of one transaction. */
const OCCASIONS_AT_ONCE = 500
/** A transaction takes no further event once it has so many notifications, so that its time and memory are bounded. */
const NOTIFICATIONS_AT_ONCE = 20_000
const HOUR_MS = 3_600_000
/** Nobody waits for an answer: a busy database only delays what is told. */
export const PATIENCE_MS = 60_000
/** What can't be told is looked at again then: its cause may have gone. */
const ASIDE_MS = 600_000

/**
 * Tells of everything that waits, in batches of one transaction each: whom, what they get, and that it is done. A batch that
 * fails is halved until the one occasion is found that can't be told; that one is set aside, and the others go on.
 * `position` only spares a look what was told.
 */
export async function processPendingNotifications(notifying: Notifying, position = new QueuePosition()): Promise<void> {
  for (;;) {
    const { ids } = await position.scan((from) =>
      readDuePendingNotifications(notifying.db, { limit: OCCASIONS_AT_ONCE, now: notifying.clock.now(), from }),
    )
    if (ids.length === 0) return
    await tellAll(notifying, ids)
  }
}

/** No text message leaves in China (document 2 section 2). */
export function sendsText(config: Notifying['config']): boolean {
  return config.deployment !== 'china'
}

async function tellAll(notifying: Notifying, ids: readonly number[]): Promise<void> {
  try {
    await inTransaction(notifying.db, (trx) => tellBatch(trx, { ids, notifying }), { statementTimeoutMs: PATIENCE_MS })
  } catch (error) {
    const [id] = ids
    if (ids.length > 1) {
      const half = Math.ceil(ids.length / 2)
      await tellAll(notifying, ids.slice(0, half))
      await tellAll(notifying, ids.slice(half))
    } else if (id !== undefined) {
      // Where the database itself is the cause this fails too, and all of it is done again later.
      const retryAt = new Date(notifying.clock.now().getTime() + ASIDE_MS)
      await setPendingNotificationAside(notifying.db, { id, error: String(error), retryAt })
      notifying.log.error(
        { err: error, pendingNotification: id, retryAt },
        'nobody could be told of what happened: set aside',
      )
    }
  }
}

interface Batch {
  ids: readonly number[]
  notifying: Notifying
}

async function tellBatch(trx: Trx, { ids, notifying }: Batch): Promise<void> {
  const { clock, config, messages } = notifying
  await takeNotifyingTurn(trx)
  const now = clock.now()
  const { told, notifications, assigners } = await decideBatch(trx, { ids, notifying, now })
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
    told.map(({ id }) => id),
  )
  // Last: it takes the rows of events, which people change meanwhile.
  const eventIds = unique(told.flatMap(({ kind, eventId }) => (kind === 'new_event_notification' ? [eventId] : [])))
  if (eventIds.length > 0) await mailContacts(trx, { eventIds, now }, { messages, config })
}

/** A notification with who gave the event to its recipient. */
type Decided = NewNotification & { at: Date }

/**
 * Whom to tell of what waits, without what was told before. Takes the occasions in their order, and leaves the last ones for
 * the next transaction where there is much to write.
 */
async function decideBatch(
  trx: Trx,
  { ids, notifying, now }: Batch & { now: Date },
): Promise<{ told: PendingNotification[]; notifications: Decided[]; assigners: ReadonlyMap<string, Assigner> }> {
  const pendingNotifications = await readPendingNotifications(trx, ids)
  const assignments = pendingNotifications.filter(({ kind }) => kind === 'assign_me_notification')
  const hasSms = sendsText(notifying.config)
  const all =
    pendingNotifications.length > assignments.length
      ? (await readNewEventRecipients(trx)).map((recipient) => prepare(recipient, { hasSms }))
      : []
  // Nobody wants to know: the usual case of an installation that was never told otherwise costs no read of events.
  if (all.length === 0 && assignments.length === 0)
    return { told: pendingNotifications, notifications: [], assigners: new Map() }
  const given = new Map(
    (await readRecipients(trx, unique(assignments.flatMap(({ userId }) => (userId === null ? [] : [userId]))))).map(
      (recipient) => [recipient.userId, prepare(recipient, { hasSms })],
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
  const told: PendingNotification[] = []
  const notifications: Decided[] = []
  for (const pendingNotification of pendingNotifications) {
    if (notifications.length >= NOTIFICATIONS_AT_ONCE) break
    // A thousand recipients are asked about each event: whoever waits for an answer of this process gets it in between.
    await setImmediate()
    told.push(pendingNotification)
    const { kind, userId, version, at } = pendingNotification
    // Deleted meanwhile.
    const event = events.get(pendingNotification.eventId)
    if (!event) continue
    const isNew = kind === 'new_event_notification'
    const recipient = userId === null ? undefined : given.get(userId)
    const assignment =
      userId === null
        ? undefined
        : { userId, byId: assigners.get(pendingNotificationKey(pendingNotification))?.id ?? null }
    for (const somebody of isNew ? all : recipient ? [recipient] : []) {
      if (decide(somebody, { kind, event, assignment }) !== null) continue
      for (const { channel, to } of somebody.ways[kind]) {
        const one = { eventId: event.id, userId: somebody.userId, kind, version, channel, recipient: to }
        const key = notificationKey(one)
        if (notifiedBefore.has(key)) continue
        notifiedBefore.add(key)
        // Somebody who gives an event to a person wants them to know now.
        const waitsFor = isNew && held.has(event.id) ? ('maintenance' as const) : null
        notifications.push({ ...one, waitsFor, messageId: null, at })
      }
    }
  }
  return { told, notifications, assigners }
}

/** Those of these events that happened in a maintenance of their instrument, or whose instrument is in one now. */
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
 * Those of these that get a message of their own now; the others of them are noted to wait for the digest. What goes to two
 * addresses of one person goes to both or waits for both.
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

/** Writes messages; a text that many get is made once. */
function writer({ events, assigners, config }: Writing): (one: Decided) => OutgoingMessage {
  const mails = new Map<string, ReturnType<typeof eventMail>>()
  return (one) => {
    const event = events.get(String(one.eventId))
    if (!event) throw new Error(`There is no event ${one.eventId} to tell of.`)
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

/** Mail programs show what refers to the same message together: all that is told of one event. */
function threadHeaders(eventId: number, { publicUrl }: Notifying['config']): Record<string, string> {
  return { References: `<event.${eventId}@${new URL(publicUrl).hostname}>` }
}

function pendingNotificationKey({ eventId, at }: { eventId: number; at: Date }): string {
  return `${eventId} ${at.getTime()}`
}

function unique(ids: readonly number[]): number[] {
  return [...new Set(ids)]
}
