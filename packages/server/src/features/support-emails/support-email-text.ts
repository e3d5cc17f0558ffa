import { fillPlaceholders, type SupportEmailPlaceholder } from '@benchwatch/contract/placeholders'
import { limits } from '@benchwatch/contract/vocabulary'
import { escapeHtml, oneLine } from '../../platform/message-text.ts'
import { cut, timeInZone } from '../event-emails/event-facts-block.ts'
import { splitTemplateId } from '../events/event-codes.ts'
import { textOfHtml } from './readable-html.ts'

/** What looks like the address of a page; what ends a sentence after it is not part of it. */
const ADDRESS = /https:\/\/[^\s<>"'{}|\\^`]{1,2000}/g

const END_OF_SENTENCE = /[.,;:!?)\]]+$/

/** Stand in a text for the value of this number; characters that mean nothing anywhere. */
const VALUE = /\ue000(\d+)\ue001/g

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

/**
 * A template's text as HTML, filled: paragraphs by empty lines, their lines kept, and links of the template's own addresses
 * that begin with https. Values are text: an address that an instrument or a person wrote is no link, and never the host of
 * one; within the rest of a template's address it is encoded.
 */
export function htmlOfText(text: string, values: Readonly<Record<string, string>> = {}): string {
  const found: string[] = []
  const marked = text.replace(/[\ue000\ue001]/g, '').replace(/\{(\w{1,40})\}/g, (placeholder, name: string) => {
    const value = Object.hasOwn(values, name) ? values[name] : undefined
    return value === undefined ? placeholder : `\ue000${found.push(value) - 1}\ue001`
  })
  const filled = (part: string, by: (value: string) => string) =>
    part.replace(VALUE, (_mark, number: string) => by(found[Number(number)] ?? ''))
  return marked
    .split(/\n[^\S\n]*\n/)
    .filter((paragraph) => filled(paragraph, String).trim() !== '')
    .map(
      (paragraph) => `<p>${filled(linked(paragraph.trim(), filled), escapeHtml).trim().replaceAll('\n', '<br>')}</p>`,
    )
    .join('\n')
}

/** With marks for values, but for those in addresses. */
function linked(text: string, filled: (part: string, by: (value: string) => string) => string): string {
  let html = ''
  let done = 0
  for (const found of text.matchAll(ADDRESS)) {
    const address = found[0].replace(END_OF_SENTENCE, '')
    if (!isPlain(address)) continue
    const target = filled(address, encodeURIComponent)
    html += `${escapeHtml(text.slice(done, found.index))}<a href="${escapeHtml(target)}" rel="noopener">${escapeHtml(address)}</a>`
    done = found.index + address.length
  }
  return html + escapeHtml(text.slice(done))
}

/** `https://bank.example@evil.example` leads elsewhere than it says, so it stays text. */
function isPlain(address: string): boolean {
  if (!URL.canParse(address)) return false
  const { username, password } = new URL(address)
  return username === '' && password === ''
}
