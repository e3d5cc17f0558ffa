import { EMAIL } from '@benchwatch/contract/patterns'
import type { Severity, SystemCloseReason } from '@benchwatch/contract/vocabulary'
import { type SeededRandom, seededRandom } from '@benchwatch/samples/seeded-random'
import type { SupportEmailContent } from '../db/schema/events.ts'
import { SYSTEM_USER_ID } from '../features/events/event-codes.ts'
import { type HandlingStep, unhandled } from './handling.ts'
import type { HistoryInstrument, HistoryTemplate } from './history-fixture.store.ts'

/** The automatic support e-mail about an event. */
export interface AutomaticEmail {
  content: SupportEmailContent
  sentAt: Date
}

/** Share of the errors that trigger an automatic mail, and the share of those whose mail also closes the event. */
const MAILED = 0.3
const CLOSING = 0.35
/** Share of the contacts who asked to be spared mails about an error. */
const UNSUBSCRIBED = 0.1

/**
 * Decides whether an error triggers a mail and whether that closes the event; the same for all events of the error.
 * Null if there is no mail.
 */
export function mailOf(error: { type: string; templateId: string; severity: Severity }): { closes: boolean } | null {
  const random = seededRandom(`mail/${error.type}/${error.templateId}`)
  return error.severity === 'high' || !random.chance(MAILED) ? null : { closes: random.chance(CLOSING) }
}

/** Returns true if the contact unsubscribed from mails about the error. */
export function hasUnsubscribed(email: string, templateId: string): boolean {
  return seededRandom(`unsubscribed/${email}/${templateId}`).chance(UNSUBSCRIBED)
}

/**
 * Returns what the product did about an event: mailed the contact, closed the event by the mail, or closed it because
 * the contact had unsubscribed. All events of an error are treated the same. Null if it did nothing.
 */
export function mailedAbout(
  event: { templateId: string; description: string; createdAt: Date },
  around: {
    instrument: HistoryInstrument
    template: HistoryTemplate | undefined
    random: SeededRandom
    until: Date
  },
): { email: AutomaticEmail | null; closing: HandlingStep | null } | null {
  const { instrument, template, random, until } = around
  const { contact } = instrument
  if (contact === null || !EMAIL.test(contact.email) || !template) return null
  const mail = mailOf({ type: instrument.type, templateId: event.templateId, severity: template.severity })
  if (!mail) return null
  const sentAt = new Date(event.createdAt.getTime() + random.integer(2_000, 40_000))
  if (sentAt >= until) return null
  if (hasUnsubscribed(contact.email, event.templateId))
    return { email: null, closing: closedBySystem(sentAt, 'Customer unsubscribed') }
  const content = {
    contactName: contact.name,
    email: contact.email,
    subject: `${instrument.productDescription}: ${event.description.split('. ')[0]}`.slice(0, 200),
    body: bodyOf(event.description, { contact, template, instrument }),
  }
  return {
    email: { content, sentAt },
    closing: mail.closes ? closedBySystem(sentAt, 'Closed by automatic email') : null,
  }
}

function closedBySystem(at: Date, reasonClosed: SystemCloseReason): HandlingStep {
  return {
    at,
    by: 'system',
    state: { ...unhandled, alertStatus: '3_CLOSED', claimedBy: SYSTEM_USER_ID, reasonClosed },
  }
}

function bodyOf(
  description: string,
  {
    contact,
    template,
    instrument,
  }: {
    contact: { name: string | null }
    template: HistoryTemplate
    instrument: HistoryInstrument
  },
): string {
  const steps = [...(template.troubleshooting ?? '').matchAll(/<li>(.*?)<\/li>/g)].map(([, step = '']) => step)
  return [
    contact.name === null ? 'Hello,' : `Dear ${contact.name},`,
    `Your ${instrument.productDescription} has reported: ${description}`,
    ...(steps.length > 0 ? [`What usually helps:\n${steps.map((step) => `- ${plain(step)}`).join('\n')}`] : []),
    'If it happens again, reply to this e-mail and we will call you.',
  ].join('\n\n')
}

function plain(html: string): string {
  return html.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&')
}
