/**
 * Splits machine-written text into pieces to draw: matches marked, invisible characters made visible, long texts cut.
 * Text is never passed to the browser as HTML.
 */

export interface TextPiece {
  text: string
  /** True if it matches the search. */
  isMarked: boolean
  /** Set if `text` stands for invisible characters; contains their names: U+0007. */
  sign?: string
}

/** Reads a highlighted field of a search answer: HTML-escaped, with matches in <em>. */
export function readHighlight(fragment: string): TextPiece[] {
  // Escaped text contains no < of its own.
  return fragment
    .split(/<em>(.*?)<\/em>/su)
    .map((part, index) => ({ text: unescapeHtml(part), isMarked: index % 2 === 1 }))
    .filter(({ text }) => text !== '')
}

const entities: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }

function unescapeHtml(text: string): string {
  return text.replace(/&(#?)(\w{1,8});/gu, (whole, number: string, name: string) => {
    if (number === '') return entities[name] ?? whole
    // `x27` becomes 0x27.
    const code = Number(name.startsWith('x') ? `0${name}` : name)
    return code <= 0x10_ff_ff ? String.fromCodePoint(code) : whole
  })
}

/**
 * Control characters except line feed and tab, and characters that change the direction of text or have no width: they
 * could make a line read differently from what was written.
 */
const unseen =
  // oxlint-disable-next-line no-control-regex -- control characters are what this searches for
  /([\u0000-\u0008\u000B-\u001F\u007F-\u009F\u061C\u200B\u200E\u200F\u2028-\u202E\u2066-\u2069\uFEFF]+)/u

/** Shows invisible characters as codes, \x07 or \u202E, as in source code. Not as ␇, which few fonts contain. */
export function showUnseen(pieces: readonly TextPiece[]): TextPiece[] {
  return pieces.flatMap(({ text, isMarked }) =>
    text
      .replaceAll('\r\n', '\n')
      .split(unseen)
      .map((part, index) => (index % 2 === 1 ? signOf(part, isMarked) : { text: part, isMarked }))
      .filter((piece) => piece.text !== ''),
  )
}

function signOf(characters: string, isMarked: boolean): TextPiece {
  const codes = [...characters].map((character) => (character.codePointAt(0) ?? 0).toString(16).toUpperCase())
  return {
    text: codes
      .map((code) => (code.length > 2 ? `\\u${code.padStart(4, '0')}` : `\\x${code.padStart(2, '0')}`))
      .join(''),
    isMarked,
    sign: codes.map((code) => `U+${code.padStart(4, '0')}`).join(' '),
  }
}

/** Longer texts are cut until the user opens them: about six lines on a phone. */
export const SHOWN_CHARACTERS = 400
const SHOWN_LINES = 6
/** Characters shown before a match that would be cut off. */
const BEFORE_FIND = 80

const count = new Intl.NumberFormat('en')

export interface CutText {
  pieces: TextPiece[]
  /** True if text before the first match is left out. */
  isCutBefore: boolean
  isCutAfter: boolean
  /** Full length in words: `64,000 characters`. */
  whole: string
}

/** Returns the beginning of a long text, or the part around the first match. */
export function cutText(pieces: readonly TextPiece[]): CutText {
  const text = pieces.map((piece) => piece.text).join('')
  const found = offsetOfMark(pieces)
  const from = found === null || found < SHOWN_CHARACTERS - BEFORE_FIND ? 0 : wholeAt(text, found - BEFORE_FIND)
  const to = Math.min(wholeAt(text, from + SHOWN_CHARACTERS), endOfLines(text, from))
  const lines = text.split('\n').length
  return {
    pieces: slicePieces(pieces, from, to),
    isCutBefore: from > 0,
    isCutAfter: to < text.length,
    whole: lines > SHOWN_LINES ? `${count.format(lines)} lines` : `${count.format(text.length)} characters`,
  }
}

function offsetOfMark(pieces: readonly TextPiece[]): number | null {
  let offset = 0
  for (const { text, isMarked } of pieces) {
    if (isMarked) return offset
    offset += text.length
  }
  return null
}

/** Returns an offset that does not split a character. */
function wholeAt(text: string, offset: number): number {
  const code = text.charCodeAt(offset)
  return code >= 0xdc_00 && code <= 0xdf_ff ? offset - 1 : offset
}

/** Returns where the last visible line ends. */
function endOfLines(text: string, from: number): number {
  let end = from - 1
  for (let line = 0; line < SHOWN_LINES; line += 1) {
    end = text.indexOf('\n', end + 1)
    if (end === -1) return text.length
  }
  return end
}

function slicePieces(pieces: readonly TextPiece[], from: number, to: number): TextPiece[] {
  let offset = 0
  const sliced: TextPiece[] = []
  for (const piece of pieces) {
    const text = piece.text.slice(Math.max(0, from - offset), Math.max(0, to - offset))
    offset += piece.text.length
    if (text !== '') sliced.push({ ...piece, text })
  }
  return sliced
}
