import type { Severity } from '@benchwatch/contract/vocabulary'
import { holds } from '../../db/actor.ts'
import type { Trx } from '../../db/connect.ts'
import { inTransaction } from '../../db/transaction.ts'
import { readServiceEvents } from '../events/events.queries.ts'
import { hasSms, IS_DISABLED, MAY_NOT_SEE } from '../outgoing-messages.ts'
import { type PreparedRecipient, prepare } from '../profiles/decision.ts'
import { readRecipients } from '../profiles/profiles.queries.ts'
import { type EventList, eventListMail, type ListReason } from './notification-mails.ts'
import { eventListText, templates } from './notification-texts.ts'
import { type Notifying, PATIENCE_MS } from './notifying.service.ts'
import { takeNotifyingTurn } from './notifying.store.ts'
import {
  ADDRESS_IS_GONE,
  lockWaiting,
  noteListed,
  type Receiver,
  readDueDigests,
  readReleased,
  type Waiting,
  withdraw,
} from './waiting.store.ts'

/** Sends collected notifications as one list: those held by a maintenance, and those above the hourly limit. */

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
