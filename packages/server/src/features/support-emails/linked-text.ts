import { escapeHtml } from '../../platform/escape-html.ts'

/** What looks like the address of a page; what ends a sentence after it is not part of it. */
const ADDRESS = /https:\/\/[^\s<>"'{}|\\^`]{1,2000}/g
const END_OF_SENTENCE = /[.,;:!?)\]]+$/

/** Stand in a text for the value of this number; characters that mean nothing anywhere. */
const VALUE = /\ue000(\d+)\ue001/g

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
