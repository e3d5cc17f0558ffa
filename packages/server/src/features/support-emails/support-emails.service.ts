import type { Db, Trx } from '../../db/connect.ts'
import type { FeatureContext } from '../context.ts'
import { closeBySystem } from '../events/events.service.ts'
import { instrumentsInMaintenance } from '../maintenance/maintenance.lookup.ts'
import { newUnsubscribeLinks } from '../unsubscribe/unsubscribe-link.ts'
import { type DecidedSubject, decideSubjects, readAllowance, type Verdict } from './mail-decision.ts'
import {
  carrySupportEmails,
  insertSupportEmails,
  type NewSupportEmail,
  readHeld,
  SUPPORT_EMAIL_MESSAGE,
  withdrawSupportEmails,
} from './support-email.store.ts'
import { type MailPart, supportEmailMail, unsubscribeHeaders, waitingEmailsMail } from './support-email-mails.ts'
import { fillTemplate } from './support-email-text.ts'

type Needs = Pick<FeatureContext, 'messages' | 'config'>

interface Round {
  eventIds: readonly number[]
  now: Date
}

/**
 * Sends e-mails to the contacts of new events, in the transaction that processes the events: once per event, even
 * after restarts. Closes events whose contact has unsubscribed (3-decisions 7).
 */
export async function mailContacts(trx: Trx, { eventIds, now }: Round, needs: Needs): Promise<void> {
  const decided = await decideSubjects(trx, { eventIds, now, isNew: true })
  // Events that never trigger an e-mail get no row, instead of a withdrawn one.
  const concerned = decided.filter(({ verdict }) => verdict.kind !== 'withdraw' || verdict.closesEvent)
  const written = await insertSupportEmails(trx, { emails: concerned.map(emailOf), at: now })
  const fresh = concerned.filter(({ subject }) => written.has(subject.facts.eventId))
  await withdraw(trx, { decided: fresh, now })
  const sendable = fresh.filter(({ verdict }) => verdict.kind === 'send')
  const mayLeave = await withinLimit(trx, { sendable, now, config: needs.config })
  const groups = sendable.filter(mayLeave).map((one) => [one])
  const leaving = new Set(groups.flat())
  const waiting = sendable.filter((one) => !leaving.has(one))
  await carrySupportEmails(
    trx,
    waiting.map((one) => ({ ...emailOf(one), isHeld: true, messageId: null })),
  )
  await send(trx, { groups, now }, needs)
}

/**
 * Decides again about held e-mails, by the current facts. E-mails that may be sent now leave in one message; the
 * others stay held or are withdrawn. The caller has locked their rows.
 */
export async function mailHeld(trx: Trx, { eventIds, now }: Round, needs: Needs): Promise<void> {
  const decided = await decideSubjects(trx, { eventIds, now, isNew: false })
  await withdraw(trx, { decided, now })
  const sendable = decided.filter(({ verdict }) => verdict.kind === 'send')
  const groups = Map.groupBy(sendable, ({ subject }) => subject.contactEmail ?? '')
  const allowance = await readAllowance(trx, { contactEmails: [...groups.keys()], config: needs.config, now })
  await send(
    trx,
    { groups: [...groups].flatMap(([contact, group]) => (allowance(contact) > 0 ? [group] : [])), now },
    needs,
  )
}

/** Withdraws e-mails that are never sent, and closes the events of contacts who have unsubscribed. */
async function withdraw(trx: Trx, { decided, now }: { decided: readonly DecidedSubject[]; now: Date }): Promise<void> {
  const withdrawn = decided.flatMap(({ subject, verdict }) =>
    verdict.kind === 'withdraw' ? [{ ...verdict, eventId: subject.facts.eventId }] : [],
  )
  await withdrawSupportEmails(trx, { withdrawn, at: now })
  const closing = withdrawn.filter(({ closesEvent }) => closesEvent).map(({ eventId }) => eventId)
  if (closing.length > 0) await closeBySystem(trx, { ids: closing, reason: 'Customer unsubscribed', at: now })
}

/**
 * Returns the events that may be sent at once, in order: as many as each contact's limit allows, but none for a
 * contact with earlier e-mails waiting, which go first.
 */
async function withinLimit(
  trx: Trx,
  { sendable, now, config }: { sendable: readonly DecidedSubject[]; now: Date; config: Needs['config'] },
): Promise<(one: DecidedSubject) => boolean> {
  const contactEmails = [...new Set(sendable.flatMap(({ subject }) => subject.contactEmail ?? []))]
  if (contactEmails.length === 0) return () => false
  const allowance = await readAllowance(trx, { contactEmails, config, now })
  const waiting = await contactsThatWait(trx, { contactEmails, now })
  const used = new Map<string, number>()
  return ({ subject }) => {
    const contactEmail = subject.contactEmail ?? ''
    const count = used.get(contactEmail) ?? 0
    if (waiting.has(contactEmail) || count >= allowance(contactEmail)) return false
    used.set(contactEmail, count + 1)
    return true
  }
}

/** Returns contacts with held e-mails about instruments that are not in maintenance. */
async function contactsThatWait(
  trx: Trx,
  { contactEmails, now }: { contactEmails: readonly string[]; now: Date },
): Promise<Set<string>> {
  const free = await readFree(trx, { held: await readHeld(trx, contactEmails), now })
  return new Set(free.map(({ contactEmail }) => contactEmail))
}

/** Returns the held e-mails whose instrument is not in maintenance now. */
export async function readFree<Held extends { instrumentId: number }>(
  db: Db,
  { held, now }: { held: readonly Held[]; now: Date },
): Promise<Held[]> {
  const instrumentIds = [...new Set(held.map((one) => one.instrumentId))]
  const inMaintenance = await instrumentsInMaintenance(db, { instrumentIds, now })
  return held.filter(({ instrumentId }) => !inMaintenance.has(instrumentId))
}

/**
 * Queues one e-mail per group of events, all of the same contact: a single e-mail for one event, a list for several.
 */
async function send(
  trx: Trx,
  { groups, now }: { groups: readonly (readonly DecidedSubject[])[]; now: Date },
  { messages, config }: Needs,
): Promise<void> {
  if (groups.length === 0) return
  const decided = groups.flat()
  const tokens = await newUnsubscribeLinks(trx, { at: now, links: decided.map(linkOf) })
  const tokenOf = new Map(decided.map((one, index) => [one, tokens[index] ?? '']))
  const mails = groups.map((group) =>
    mailOf(
      group.map((one) => partOf(one.subject, tokenOf.get(one) ?? '')),
      config,
    ),
  )
  const messageIds = await messages.queue(
    trx,
    mails.map((mail, index) => ({
      ...mail,
      channel: 'email',
      to: groups[index]?.[0]?.subject.contactEmail ?? '',
      template: SUPPORT_EMAIL_MESSAGE,
    })),
    now,
  )
  await carrySupportEmails(
    trx,
    groups.flatMap((group, index) =>
      group.map((one) => ({ ...emailOf(one), isHeld: false, messageId: messageIds[index] ?? null })),
    ),
  )
}

function mailOf(parts: readonly MailPart[], config: Needs['config']) {
  const [only] = parts
  return parts.length === 1 && only !== undefined
    ? { ...supportEmailMail(only, config), headers: unsubscribeHeaders(only.token, config) }
    : waitingEmailsMail(parts, config)
}

function linkOf({ subject: { facts, instrumentId, contactEmail } }: DecidedSubject) {
  const { eventId, templateId, componentName } = facts
  return { eventId, contactEmail: contactEmail ?? '', instrumentId, templateId, componentName }
}

function partOf({ facts, template }: DecidedSubject['subject'], token: string): MailPart {
  if (!template) throw new Error('An e-mail without a template cannot be sent.')
  return { facts, token, texts: fillTemplate(template, facts) }
}

function emailOf({ subject, verdict }: { subject: DecidedSubject['subject']; verdict: Verdict }): NewSupportEmail {
  const { facts, template } = subject
  const texts = template && fillTemplate(template, facts)
  return {
    eventId: facts.eventId,
    instrumentId: subject.instrumentId,
    templateId: facts.templateId,
    contactEmail: subject.contactEmail ?? '',
    contactName: facts.contactName,
    subject: texts?.subject ?? '',
    body: texts?.body ?? '',
    closesEvent: template?.closesEvent ?? false,
    isHeld: verdict.kind === 'hold',
  }
}
