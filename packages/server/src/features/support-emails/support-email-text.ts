import { fillPlaceholders, type SupportEmailPlaceholder } from '@benchwatch/contract/placeholders'
import { limits } from '@benchwatch/contract/vocabulary'
import { oneLine } from '../../platform/one-line.ts'
import { cut, timeInZone } from '../event-emails/event-facts-block.ts'
import { splitTemplateId } from '../service-events/service-event-codes.ts'
import { htmlOfText } from './linked-text.ts'
import { textOfHtml } from './readable-html.ts'

/** What a template says: plain texts with placeholders, and HTML as it is stored. */
export interface TemplateTexts {
  subject: string
  body: string
  troubleshooting: string | null
}

/** What a mail about an event is filled with. */
export interface MailFacts {
  eventId: number
  templateId: string
  contactName: string | null
  productDescription: string
  systemName: string | null
  installedProductId: string
  componentName: string
  description: string
  userMessage: string | null
  customer: string
  city: string | null
  country: string | null
  logGeneratedAt: Date
  /** IANA zone of the site. */
  timeZone: string
}

/** A template with its placeholders filled in. */
export interface FilledTexts {
  /** One line. */
  subject: string
  /** As text. */
  body: string
  /** The same, sanitised. */
  html: string
}

/** Stands for what an instrument lacks. */
const NOTHING = '–'
const TROUBLESHOOTING = '{troubleshooting}'

/**
 * Fills a template with what is known of an event. Values are text, whatever they hold: escaped in HTML, without control
 * characters, and never filled themselves. {troubleshooting} keeps its structure in HTML.
 */
export function fillTemplate(template: TemplateTexts, facts: MailFacts): FilledTexts {
  const troubleshooting = template.troubleshooting ?? ''
  const values = { ...valuesOf(facts), troubleshooting: textOfHtml(troubleshooting) }
  const body = withLines(template.body)
  return {
    subject: cut(oneLine(fillPlaceholders(template.subject, values)), limits.supportEmailSubject),
    body: fillPlaceholders(body, values)
      .split('\n')
      .map((line) => line.trimEnd())
      .join('\n')
      .replace(/\n{3,}/g, '\n\n')
      .trim(),
    html: body
      .split(TROUBLESHOOTING)
      .map((part) => htmlOfText(part, values))
      .join(`\n${troubleshooting}\n`)
      .trim(),
  }
}

function valuesOf(facts: MailFacts): Record<Exclude<SupportEmailPlaceholder, 'troubleshooting'>, string> {
  const values = {
    contactName: facts.contactName ?? 'customer',
    instrument: facts.productDescription,
    systemName: facts.systemName ?? NOTHING,
    installedProductId: facts.installedProductId,
    component: facts.componentName,
    errorCode: splitTemplateId(facts.templateId).errorCode,
    eventId: `ORC-${facts.eventId}`,
    description: facts.description,
    userMessage: facts.userMessage ?? '',
    customer: facts.customer,
    location: [facts.city, facts.country].filter(Boolean).join(', ') || NOTHING,
    date: timeInZone(facts.logGeneratedAt.toISOString(), facts.timeZone),
  }
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, withLines(value)])) as typeof values
}

/** Line ends are all alike; of other control characters nothing is left but a blank. */
function withLines(text: string): string {
  return text.replace(/\r\n?|[\u2028\u2029]/g, '\n').replace(/[^\P{Cc}\n]/gu, ' ')
}
