import { randomUUID } from 'node:crypto'
import type { ServiceEvent } from '@benchwatch/contract/events/events'
import type { NotificationCategory } from '@benchwatch/contract/vocabulary'
import { type DataScope, holds } from '../../db/actor.ts'
import type { Db, Trx } from '../../db/connect.ts'
import { enqueueJob } from '../../db/queues/jobs.ts'
import { inTransaction } from '../../db/transaction.ts'
import type { FeatureContext } from '../context.ts'
import { readServiceEvents } from '../events/events.queries.ts'
import type { Recipient } from '../profiles/decision.ts'
import { type AnnouncedEvent, readNotifiedEvents } from '../profiles/event-facts.queries.ts'
import { criteriaOf, stoppedBy } from '../profiles/matching.ts'
import { readRecipients } from '../profiles/profiles.queries.ts'
import {
  type DueDelivery,
  insertDeliveries,
  lockPosition,
  type NewDelivery,
  takePublished,
} from './deliveries.store.ts'
import { bodyOf, type Content, isBodyOf } from './formats.ts'
import { clearedKey, eventsOf, type Occasion, occasionsOf, type PublishedMessage } from './occasions.ts'
import {
  type ActiveWebhook,
  type InstrumentFacts,
  readActiveWebhooks,
  readInstrumentFacts,
  readLostStatus,
  readVersions,
} from './webhooks.queries.ts'

/**
 * Decides what webhooks send. Live messages already announce every change, in the order of the commits and in the
 * transaction of the change, so no change writes anything for webhooks.
 */

export const SEND_WEBHOOKS_JOB = 'send webhooks'
/** A delivery is given up after this time. */
export const DELIVERY_MS = 86_400_000
const MESSAGES_AT_ONCE = 1000
/** Long statement timeout: no user waits for an answer. */
const PATIENCE_MS = 60_000
/** Instruments have none of these, so filters on them concern events only. */
const ofEvents: readonly NotificationCategory[] = ['alertType', 'severity', 'componentName']

type Deciding = Pick<FeatureContext, 'db' | 'clock' | 'config'>

/**
 * Writes the deliveries of everything that was published since the last call, in batches of one transaction each. Only
 * the leader runs it; a second process waits and finds nothing twice.
 */
export async function decideDeliveries(deciding: Deciding): Promise<void> {
  const decide = () =>
    inTransaction(deciding.db, (trx) => decideBatch(trx, deciding), { statementTimeoutMs: PATIENCE_MS })
  while ((await decide()) >= MESSAGES_AT_ONCE);
}

/** Returns the number of live messages. */
async function decideBatch(trx: Trx, { clock, config }: Deciding): Promise<number> {
  if ((await readActiveWebhooks(trx)).length === 0) return 0
  const seq = await lockPosition(trx)
  // Read again below the lock: one that was created meanwhile gets what is published from now on.
  const webhooks = await readActiveWebhooks(trx)
  if (webhooks.length === 0) return 0
  const after = Math.min(...webhooks.map(({ afterSeq }) => afterSeq))
  const messages = await takePublished(trx, { seq, after, limit: MESSAGES_AT_ONCE })
  if (messages.length === 0) return 0
  const at = clock.now()
  const prepared = await contentsOf(trx, messages, { at, publicUrl: config.publicUrl })
  const owners = await readRecipients(trx, [...new Set(webhooks.map(({ ownerId }) => ownerId))])
  const ownerOf = new Map(owners.map((owner) => [owner.userId, owner]))
  const deliveries = webhooks.flatMap((webhook) => {
    const owner = ownerOf.get(webhook.ownerId)
    const wants = owner && wantsOf(webhook, owner)
    return wants ? prepared.filter(wants).map((one) => deliveryOf(webhook, one, at)) : []
  })
  if (deliveries.length === 0) return messages.length
  await insertDeliveries(trx, { deliveries, at })
  await enqueueJob(trx, { name: SEND_WEBHOOKS_JOB, payload: {} })
  return messages.length
}

/** An occasion with the data that decides about it and the content of its message. */
type PreparedOccasion = { occasion: Occasion; content: Content; isInstrument: boolean } & Pick<
  AnnouncedEvent,
  'facts' | 'isUnderReview' | 'isTest'
>

async function contentsOf(
  trx: Trx,
  messages: readonly PublishedMessage[],
  head: { at: Date; publicUrl: string },
): Promise<PreparedOccasion[]> {
  const ids = eventsOf(messages)
  const versions = await readVersions(trx, ids)
  const occasions = occasionsOf(messages, new Map([...versions].map(([id, { closedVersion }]) => [id, closedVersion])))
  const events = new Map(
    (await readServiceEvents(trx, { ids, scope: 'all' })).map((event) => [Number(event.id), event]),
  )
  const facts = new Map((await readNotifiedEvents(trx, { ids, scope: 'all' })).map((event) => [event.id, event]))
  const instrumentIds = occasions.flatMap((one) => ('instrumentId' in one ? [one.instrumentId] : []))
  const instruments = await readInstrumentFacts(trx, [...new Set(instrumentIds)])
  return occasions.flatMap((occasion): PreparedOccasion[] => {
    if ('instrumentId' in occasion) return prepareInstrument(occasion, instruments.get(occasion.instrumentId), head)
    const event = events.get(occasion.eventId)
    const announced = facts.get(occasion.eventId)
    // The event was deleted in the meantime.
    if (!event || !announced) return []
    const version = versions.get(occasion.eventId)?.version ?? 1
    const prepared = {
      ...announced,
      occasion,
      isInstrument: false,
      content: { ...head, occasion: occasion.occasion, event, version },
    }
    return [prepared, ...clearedAtOnce(prepared, event)]
  })
}

/**
 * An alarm that was raised and returned to normal before it was stored has no live message about the latter. If the
 * event was cleared later, before its creation was considered, the message about it is a repeat.
 */
function clearedAtOnce(prepared: PreparedOccasion, event: ServiceEvent): PreparedOccasion[] {
  const { occasion, content } = prepared
  if (occasion.occasion !== 'event.raised' || event.clearedAt === null || !('event' in content)) return []
  const cleared = { ...occasion, occasion: 'event.cleared' as const, key: clearedKey(occasion.eventId) }
  return [{ ...prepared, occasion: cleared, content: { ...content, occasion: 'event.cleared' } }]
}

/** Empty if the instrument was deleted or belongs to another customer by now. */
function prepareInstrument(
  occasion: Extract<Occasion, { instrumentId: number }>,
  found: InstrumentFacts | undefined,
  head: { at: Date; publicUrl: string },
): PreparedOccasion[] {
  if (found?.customerId !== occasion.customerId) return []
  const instrument = { ...found.content, orcStatus: occasion.orcStatus }
  const content = { ...head, occasion: occasion.occasion, instrument }
  return [{ occasion, content, facts: found.facts, isInstrument: true, isUnderReview: false, isTest: false }]
}

/** Returns the rule of one webhook: does it send this, on behalf of its owner? */
function wantsOf(webhook: ActiveWebhook, owner: Recipient): (prepared: PreparedOccasion) => boolean {
  const criteria = criteriaOf({ ...webhook.filter, notifyEmail: false, notifySms: false })
  const ofInstruments = criteria.filter(({ category }) => !ofEvents.includes(category))
  return ({ occasion, facts, isInstrument, isUnderReview, isTest }) =>
    !owner.isDisabled &&
    occasion.seq > webhook.afterSeq &&
    webhook.occasions.includes(occasion.occasion) &&
    holds(owner.scope, occasion.customerId) &&
    !isTest &&
    (!isUnderReview || owner.notifiesUnderReview) &&
    stoppedBy(isInstrument ? ofInstruments : criteria, facts) === null
}

function deliveryOf(webhook: ActiveWebhook, { occasion, content }: PreparedOccasion, at: Date): NewDelivery {
  const eventId = 'eventId' in occasion ? occasion.eventId : null
  return {
    webhookId: webhook.id,
    messageId: newMessageId(),
    occasion: occasion.occasion,
    key: occasion.key,
    subject: 'eventId' in occasion ? `event/${occasion.eventId}` : `instrument/${occasion.instrumentId}`,
    eventId,
    customerId: occasion.customerId,
    body: bodyOf(webhook.format, content),
    giveUpAt: new Date(at.getTime() + DELIVERY_MS),
  }
}

/**
 * Returns the body of a delivery. If the format of the webhook has changed since it was written, it is made again from
 * what there is now; null if that is gone or outside the owner's scope.
 */
export async function bodyToSend(
  db: Db,
  {
    webhook,
    delivery,
    ...head
  }: {
    webhook: Pick<ActiveWebhook, 'format'> & { name: string }
    delivery: DueDelivery
    scope: DataScope
    publicUrl: string
  },
): Promise<string | null> {
  if (isBodyOf(webhook.format, delivery.body)) return delivery.body
  const content = await contentOf(db, { name: webhook.name, delivery, ...head })
  return content && bodyOf(webhook.format, content)
}

async function contentOf(
  db: Db,
  {
    name,
    delivery: { occasion, eventId, customerId, subject, createdAt },
    scope,
    publicUrl,
  }: { name: string; delivery: DueDelivery; scope: DataScope; publicUrl: string },
): Promise<Content | null> {
  const head = { at: createdAt, publicUrl }
  if (occasion === 'test') return { ...head, occasion, name }
  if (occasion === 'instrument.lost' || occasion === 'instrument.back') {
    const instrumentId = Number(subject.replace('instrument/', ''))
    const found = (await readInstrumentFacts(db, [instrumentId])).get(instrumentId)
    if (found?.customerId !== customerId) return null
    const orcStatus =
      occasion === 'instrument.back'
        ? 'Connected'
        : ((await readLostStatus(db, { instrumentId, at: createdAt })) ?? 'Disconnected')
    return { ...head, occasion, instrument: { ...found.content, orcStatus } }
  }
  const ids = eventId === null ? [] : [eventId]
  const [event] = await readServiceEvents(db, { ids, scope })
  const [versions] = (await readVersions(db, ids)).values()
  return event && versions ? { ...head, occasion, event, version: versions.version } : null
}

export function newMessageId(): string {
  return `msg_${randomUUID()}`
}
