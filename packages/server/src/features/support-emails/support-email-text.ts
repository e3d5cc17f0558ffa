import { fillPlaceholders, type SupportEmailPlaceholder } from '@benchwatch/contract/messages/placeholders'
import { limits } from '@benchwatch/contract/vocabulary'
import { escapeHtml, oneLine } from '../../platform/message-text.ts'
import { cut, timeInZone } from '../event-emails/event-facts-block.ts'
import { splitTemplateId } from '../events/event-codes.ts'

/** Matches a web address; the caller removes punctuation at its end. */
const ADDRESS = /https:\/\/[^\s<>"'{}|\\^`]{1,2000}/g

const END_OF_SENTENCE = /[.,;:!?)\]]+$/

/** Markers for the value with this number, built from characters that have no meaning anywhere else. */
const VALUE = /\ue000(\d+)\ue001/g

/** Texts of a template: plain texts with placeholders, and HTML as stored. */
export interface TemplateTexts {
  subject: string
  body: string
  troubleshooting: string | null
}

/** The facts that fill an e-mail about an event. */
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
  /** A single line. */
  subject: string
  /** Plain text. */
  body: string
  /** The same as sanitised HTML. */
  html: string
}

/** Replaces values that an instrument does not have. */
const NOTHING = '–'
const TROUBLESHOOTING = '{troubleshooting}'

/**
 * Fills a template with the facts of an event. Values are plain text: escaped in HTML, without control characters, and
 * placeholders in them are not filled. {troubleshooting} keeps its structure in HTML.
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

/** Normalises line breaks and replaces other control characters by a space. */
function withLines(text: string): string {
  return text.replace(/\r\n?|[\u2028\u2029]/g, '\n').replace(/[^\P{Cc}\n]/gu, ' ')
}

/**
 * Converts a template's text to HTML and fills it. Empty lines separate paragraphs, and line breaks are kept. Only
 * https addresses in the template itself become links: an address within a value does not, and a value never becomes
 * the host of a link. Elsewhere in a template's address, values are percent-encoded.
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

/** Replaces links and marks the values outside of them. */
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

/**
 * Returns false for `https://bank.example@evil.example`, which leads elsewhere than it seems to and therefore stays
 * text.
 */
function isPlain(address: string): boolean {
  if (!URL.canParse(address)) return false
  const { username, password } = new URL(address)
  return username === '' && password === ''
}

/** Entities that sanitised HTML contains. */
const entities: Record<string, string> = { '&amp;': '&', '&lt;': '<', '&gt;': '>', '&quot;': '"', '&#39;': "'" }
/** Block elements, separated by empty lines. */
const BLOCKS = new Set(['p', 'h3', 'h4', 'blockquote', 'pre', 'table', 'dl', 'hr'])
/** Elements that begin on a new line. */
const LINES = new Set(['li', 'tr', 'dt', 'dd', 'caption'])

/**
 * Converts sanitised HTML to readable text: list items begin with "- " or their number, cells of a row are separated
 * by " | ", and a link is followed by its address.
 */
export function textOfHtml(html: string): string {
  const reader = new Reader()
  for (const [, closing, tag, attributes = '', text] of html.matchAll(/<(\/?)([a-z][a-z0-9]*)([^>]*)>|([^<]+)/g)) {
    if (text !== undefined) reader.text(decode(text))
    else if (tag === undefined) continue
    else if (closing) reader.end(tag)
    else reader.begin(tag, attributes)
  }
  return reader.result()
}

class Reader {
  readonly #lines: string[] = []
  #line = ''
  /** True while the line contains only the marker of a list item. */
  #isMarkAlone = false
  /** Open lists; `next` is the next number of a numbered list. */
  readonly #lists: { next: number | null }[] = []
  #link: { href: string | undefined; text: string } | undefined
  #preformatted = 0

  text(text: string): void {
    if (this.#link) this.#link.text += text
    if (this.#preformatted > 0) {
      const [first = '', ...more] = text.split('\n')
      this.#append(first)
      for (const line of more) {
        this.#endLine()
        this.#append(line)
      }
      return
    }
    const folded = text.replace(/[\s\u00a0]+/g, ' ')
    this.#append(this.#line === '' || this.#line.endsWith(' ') ? folded.trimStart() : folded)
  }

  begin(tag: string, attributes: string): void {
    if (tag === 'ul' || tag === 'ol') {
      this.#part()
      const start = /\bstart="(\d{1,6})"/.exec(attributes)?.[1]
      this.#lists.push({ next: tag === 'ol' ? Number(start ?? 1) : null })
    } else if (BLOCKS.has(tag)) this.#part()
    else if (LINES.has(tag)) this.#endLine()
    if (tag === 'br') this.#endLine()
    if (tag === 'li') this.#mark()
    if (tag === 'dd') this.#line = '  '
    if ((tag === 'td' || tag === 'th') && this.#line !== '') this.#line += ' | '
    if (tag === 'pre') this.#preformatted += 1
    if (tag === 'a') {
      const href = /\bhref="([^"]*)"/.exec(attributes)?.[1]
      this.#link = { href: href && decode(href), text: '' }
    }
  }

  end(tag: string): void {
    if (tag === 'a' && this.#link) {
      const { href, text } = this.#link
      this.#link = undefined
      if (href && text.trim() !== href) this.#append(text.trim() === '' ? href : ` (${href})`)
    }
    if (tag === 'pre') this.#preformatted = Math.max(0, this.#preformatted - 1)
    if (tag === 'ul' || tag === 'ol') {
      this.#endLine()
      this.#lists.pop()
      this.#part()
    } else if (BLOCKS.has(tag)) this.#part()
  }

  result(): string {
    this.#endLine()
    return this.#lines.join('\n').trim()
  }

  #append(text: string): void {
    if (text.trim() !== '') this.#isMarkAlone = false
    this.#line += text
  }

  #mark(): void {
    const list = this.#lists.at(-1)
    const indent = '  '.repeat(Math.max(0, this.#lists.length - 1))
    this.#line = list && list.next !== null ? `${indent}${list.next}. ` : `${indent}- `
    if (list && list.next !== null) list.next += 1
    this.#isMarkAlone = true
  }

  /** Keeps the marker of a list item on the line of its first paragraph. */
  #endLine(): void {
    if (this.#isMarkAlone) return
    if (this.#line.trim() !== '') this.#lines.push(this.#line.trimEnd())
    this.#line = ''
  }

  /** Adds an empty line, except within a list. */
  #part(): void {
    this.#endLine()
    if (this.#lists.length === 0 && this.#lines.at(-1) !== '') this.#lines.push('')
  }
}

function decode(text: string): string {
  return text.replace(/&(?:amp|lt|gt|quot|#39);/g, (entity) => entities[entity] ?? entity)
}
