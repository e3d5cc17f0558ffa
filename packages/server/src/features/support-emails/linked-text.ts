import { escapeHtml } from '../messages/mail-html.ts'

/** What looks like the address of a page; what ends a sentence after it is not part of it. */
const ADDRESS = /https:\/\/[^\s<>"'{}|\\^`]{1,2000}/g
const END_OF_SENTENCE = /[.,;:!?)\]]+$/

/** Text as HTML: paragraphs by empty lines, their lines kept, and links of addresses that begin with https alone. */
export function htmlOfText(text: string): string {
  return text
    .split(/\n[^\S\n]*\n/)
    .map((paragraph) => paragraph.trim())
    .filter(Boolean)
    .map((paragraph) => `<p>${linked(paragraph).replaceAll('\n', '<br>')}</p>`)
    .join('\n')
}

function linked(text: string): string {
  let html = ''
  let done = 0
  for (const found of text.matchAll(ADDRESS)) {
    const address = found[0].replace(END_OF_SENTENCE, '')
    if (!isPlain(address)) continue
    const escaped = escapeHtml(address)
    html += `${escapeHtml(text.slice(done, found.index))}<a href="${escaped}" rel="noopener">${escaped}</a>`
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
