/** Between what HTML says and what plain text says. */

const entities: Record<string, string> = { '&amp;': '&', '&lt;': '<', '&gt;': '>', '&quot;': '"', '&#39;': "'" }
/** Elements that stand on lines of their own, with an empty line around them. */
const BLOCKS = new Set(['p', 'h3', 'h4', 'blockquote', 'pre', 'table', 'dl', 'hr'])
/** Elements that begin a line. */
const LINES = new Set(['li', 'tr', 'dt', 'dd', 'caption'])

/**
 * Sanitised HTML as text that can be read: an item of a list begins with "- ", or its number where the list is numbered;
 * cells of a row are parted by " | "; a link is followed by where it leads.
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

/** Builds the text line by line. */
class Reader {
  readonly #lines: string[] = []
  #line = ''
  /** The line holds the mark of an item and nothing yet. */
  #isMarkAlone = false
  /** Lists around the place: the next number of a numbered one. */
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

  /** A paragraph within an item begins beside its mark. */
  #endLine(): void {
    if (this.#isMarkAlone) return
    if (this.#line.trim() !== '') this.#lines.push(this.#line.trimEnd())
    this.#line = ''
  }

  /** An empty line, but none within a list. */
  #part(): void {
    this.#endLine()
    if (this.#lists.length === 0 && this.#lines.at(-1) !== '') this.#lines.push('')
  }
}

function decode(text: string): string {
  return text.replace(/&(?:amp|lt|gt|quot|#39);/g, (entity) => entities[entity] ?? entity)
}
