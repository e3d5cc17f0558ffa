import type { Db } from '../../db/connect.ts'
import type { LeaderTask } from '../../db/queues/leader.ts'
import { inTransaction } from '../../db/transaction.ts'
import type { FeatureContext } from '../context.ts'
import { closeBySystem } from '../events/events.service.ts'
import type { DeliveryHooks } from '../outgoing-messages.ts'
import { decideSubjects, readAllowance } from './mail-decision.ts'
import {
  holdAgain,
  lockCarried,
  lockHeld,
  noteAutomaticEmails,
  readHeld,
  readUnnoted,
  SUPPORT_EMAIL_MESSAGE,
  settleGivenUp,
  settleSupportEmails,
} from './support-email.store.ts'
import { mailHeld, readFree } from './support-emails.service.ts'

type Mailing = Pick<FeatureContext, 'db' | 'clock' | 'config' | 'messages'>

const EVERY_MS = 10_000
/** Maximum number of events in one e-mail, because mail clients cut off longer ones. The others follow in the next. */
const EVENTS_PER_MAIL = 30
/** Messages that one run notes on their events. */
const MESSAGES_PER_RUN = 200

/** Returns the hooks that run when support e-mails are sent or refused. */
export function supportEmailHooks(mailing: Omit<Mailing, 'db'>): DeliveryHooks {
  return {
    template: SUPPORT_EMAIL_MESSAGE,
    refusal: (db, messageId) => refuse({ ...mailing, db }, messageId),
    sent: (db, messageId, at) => noteSent(db, { messageId, at }),
  }
}

/** Returns the scheduled tasks of the leader process. */
export function supportEmailTasks(mailing: Mailing): LeaderTask[] {
  const { db, clock } = mailing
  return [
    { name: 'send held support e-mails', everyMs: EVERY_MS, run: () => releaseHeld(mailing) },
    {
      name: 'note sent support e-mails',
      everyMs: EVERY_MS,
      async run() {
        for (const { messageId, sentAt } of await readUnnoted(db, MESSAGES_PER_RUN)) {
          await noteSent(db, { messageId, at: sentAt })
        }
        await settleGivenUp(db, clock.now())
      },
    },
  ]
}

/**
 * Sends e-mails that no maintenance and no limit holds any longer, one per contact. Each contact has its own
 * transaction, so that an error affects no other contact.
 */
async function releaseHeld(mailing: Mailing): Promise<void> {
  const { db, clock, config } = mailing
  const now = clock.now()
  const free = Map.groupBy(await readFree(db, { held: await readHeld(db), now }), ({ contactEmail }) => contactEmail)
  if (free.size === 0) return
  const allowance = await readAllowance(db, { contactEmails: [...free.keys()], config, now })
  const failures: unknown[] = []
  for (const [contactEmail, held] of free) {
    if (allowance(contactEmail) === 0) continue
    const instrumentIds = held.map(({ instrumentId }) => instrumentId)
    await inTransaction(db, async (trx) => {
      const eventIds = await lockHeld(trx, { contactEmail, instrumentIds, limit: EVENTS_PER_MAIL })
      await mailHeld(trx, { eventIds, now }, mailing)
    }).catch((error: unknown) => failures.push(error))
  }
  if (failures.length > 0) throw new AggregateError(failures, 'support e-mails stay held')
}

/**
 * Checks again right before an e-mail is sent, which may be long after it was written. If the contact has unsubscribed
 * or changed, or anything else forbids it now, the e-mail is not sent, and its events are decided again.
 */
async function refuse({ db, clock, ...needs }: Mailing, messageId: number): Promise<string | null> {
  return inTransaction(db, async (trx) => {
    const carried = await lockCarried(trx, messageId)
    if (carried.length === 0) return 'Its events were deleted or are in another e-mail.'
    const now = clock.now()
    const eventIds = carried.map(({ eventId }) => eventId)
    const contacts = new Map(carried.map(({ eventId, contactEmail }) => [eventId, contactEmail]))
    const decided = await decideSubjects(trx, { eventIds, now, isNew: false })
    const isAsWritten = decided.every(
      ({ subject, verdict }) => verdict.kind === 'send' && subject.contactEmail === contacts.get(subject.facts.eventId),
    )
    if (isAsWritten) return null
    await holdAgain(trx, eventIds)
    await mailHeld(trx, { eventIds, now }, needs)
    const [withdrawn] = decided.flatMap(({ verdict }) => (verdict.kind === 'withdraw' ? [verdict.reason] : []))
    return withdrawn ?? 'It is rewritten because something has changed since.'
  })
}

/**
 * Notes on its events that an e-mail was sent, and closes those whose template says so unless a user works on them.
 * Safe to repeat: existing notes are left alone.
 */
async function noteSent(db: Db, { messageId, at }: { messageId: number; at: Date }): Promise<void> {
  await inTransaction(db, async (trx) => {
    const carried = await lockCarried(trx, messageId)
    const eventIds = carried.map(({ eventId }) => eventId)
    if (eventIds.length === 0) return
    await noteAutomaticEmails(trx, { eventIds, at })
    const closing = carried.filter(({ closesEvent }) => closesEvent).map(({ eventId }) => eventId)
    await closeBySystem(trx, { ids: closing, reason: 'Closed by automatic email', at })
    await settleSupportEmails(trx, { eventIds, at })
  })
}
