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
