import { EMAIL } from '@benchwatch/contract/patterns'
import { faultsByType } from '@benchwatch/samples/event-templates'
import { templateIdOf } from '@benchwatch/samples/faults/fault'
import { seededRandom } from '@benchwatch/samples/seeded-random'
import type { Client } from 'pg'
import { hasUnsubscribed, mailOf } from './automatic-emails.ts'
import { copyRows } from './copy-rows.ts'
import type { HistoryFixture, HistoryInstrument } from './history-fixture.store.ts'

const DAY_MS = 86_400_000
/** Share of the templates that are under review, and of the contacts who unsubscribed for only 30 days. */
const UNDER_REVIEW = 0.08
const FOR_30_DAYS = 0.03

const body = `Dear {contactName},

Your {instrument} has reported: {description}

{troubleshooting}

If it happens again, reply to this e-mail and we will call you.`

interface Warning {
  type: string
  templateId: string
}

/**
 * Writes the templates of automatic support e-mails, from which the mails of the history were made, and the
 * unsubscribed contacts.
 */
export async function writeSupportEmails(
  client: Client,
  { fixture, now }: { fixture: HistoryFixture; now: Date },
): Promise<void> {
  const warnings = new Map<string, Warning[]>()
  const rows = Object.entries(faultsByType).flatMap(([type, faults]) =>
    faults.flatMap((fault) => {
      const templateId = templateIdOf(fault)
      const template = fixture.templates.get(`${type}/${templateId}`)
      const mail = template && mailOf({ type, templateId, severity: template.severity })
      if (!template || !mail) return []
      warnings.set(type, [...(warnings.get(type) ?? []), { type, templateId }])
      const isUnderReview = seededRandom(`review/${type}/${templateId}`).chance(UNDER_REVIEW)
      const subject = `{instrument}: ${template.description}`.slice(0, 200)
      return [[type, templateId, fault.component, subject, body, template.troubleshooting, mail.closes, isUnderReview]]
    }),
  )
  const columns = [
    'instrument_type',
    'template_id',
    'component_name',
    'subject',
    'body',
    'troubleshooting',
    'closes_event',
  ]
  await copyRows(client, { table: 'support_email_template', columns: [...columns, 'under_review'] }, rows)
  await copyRows(
    client,
    {
      table: 'support_email_unsubscription',
      columns: ['contact_email', 'instrument_id', 'template_id', 'created_at', 'until'],
    },
    [...fixture.instruments.values()].flatMap((instrument) =>
      (warnings.get(instrument.type) ?? []).flatMap((warning) => unsubscription(instrument, { warning, now })),
    ),
  )
}

/**
 * Returns the unsubscription of a contact: permanent for those without mails in the history; for some others, 30 days
 * from now.
 */
function unsubscription(
  { id, contact }: HistoryInstrument,
  { warning: { templateId }, now }: { warning: Warning; now: Date },
): [string, number, string, Date, Date | null][] {
  if (contact === null || !EMAIL.test(contact.email)) return []
  const random = seededRandom(`unsubscription/${contact.email}/${templateId}/${id}`)
  if (hasUnsubscribed(contact.email, templateId)) {
    return [
      [contact.email.toLowerCase(), id, templateId, new Date(now.getTime() - random.integer(95, 400) * DAY_MS), null],
    ]
  }
  if (!random.chance(FOR_30_DAYS)) return []
  const since = new Date(now.getTime() - random.integer(1, 600) * 60_000)
  return [[contact.email.toLowerCase(), id, templateId, since, new Date(since.getTime() + 30 * DAY_MS)]]
}
