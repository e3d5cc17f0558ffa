import type { LogField, LogHit } from '@benchwatch/contract/instruments/logs'
import { logFields } from '@benchwatch/contract/instruments/logs'
import { escapeHtml } from '../../platform/message-text.ts'

/**
 * Rules for searching and highlighting log lines: every word must occur in one of the fields, ignoring case and
 * accents (3-decisions 4: `akta` finds ÄKTA). Highlights are HTML, so the rest of the line is escaped.
 */

/** A line's searchable fields. */
export type LogTexts = Pick<LogHit['_source'], LogField>

/** A line of 64 kB may contain a letter ten thousand times; after this many highlights the rest of a field has none. */
const MOST_MARKS = 1000

/** Letters that are treated as equal although no Unicode decomposition relates them. */
export const foldedLetters = { ø: 'o', ł: 'l', đ: 'd', ς: 'σ', ß: 'ss', æ: 'ae' } as const
const ASCII = /^\p{ASCII}*$/u
/**
 * Accents on Latin, Greek and Cyrillic letters. Combining marks of other scripts count as letters, as in the database.
 */
const LETTER_MARKS = /[\u0300-\u036f]/g

/**
 * Folds a text for searching, exactly as the database folds a line (`foldedLine` of postgres-logs.queries.ts). Decomposes before
 * lower-casing: ℃ and № contain capitals that have no lower case until then.
 */
export function foldLine(text: string): string {
  if (ASCII.test(text)) return text.toLowerCase()
  return text
    .normalize('NFKD')
    .toLowerCase()
    .replace(LETTER_MARKS, '')
    .replace(/[øłđςßæ]/g, (letter) => foldedLetters[letter as keyof typeof foldedLetters])
}

/** Returns the distinct words of a search, folded; a word of accents alone is dropped. */
export function searchWords(searchString: string): string[] {
  const words = searchString.split(/\s+/u).map((word) => foldLine(word).trim())
  return [...new Set(words.filter(Boolean))]
}

/**
 * Returns each field that contains one of the words of `searchWords`, complete, with the words highlighted. Null if
 * none does.
 */
export function markLabel(texts: LogTexts, words: readonly string[]): LogHit['highlight'] {
  // Longer words first: of two words that begin alike, the longer one is highlighted.
  const longestFirst = [...words].sort((a, b) => b.length - a.length)
  const anyWord = new RegExp(longestFirst.map((word) => RegExp.escape(word)).join('|'), 'gu')
  const marked = logFields.flatMap((field) => {
    const text = texts[field]
    if (text === null) return []
    const whole = markText(text, anyWord)
    return whole === null ? [] : [[field, [whole]] as const]
  })
  return marked.length === 0 ? null : Object.fromEntries(marked)
}

function markText(text: string, anyWord: RegExp): string | null {
  const { folded, startOf, endOf } = foldWithPlaces(text)
  let marked = ''
  let done = 0
  let marks = 0
  for (const { 0: word, index } of folded.matchAll(anyWord)) {
    const start = startOf(index)
    // Two folded letters may come from one, as in a ligature: it is highlighted once.
    if (start < done) continue
    const end = endOf(index + word.length - 1)
    marked += `${escapeHtml(text.slice(done, start))}<em>${escapeHtml(text.slice(start, end))}</em>`
    done = end
    marks += 1
    if (marks === MOST_MARKS) break
  }
  return marks === 0 ? null : marked + escapeHtml(text.slice(done))
}

/** Folds a text, and returns for each folded letter where its original starts and ends. */
function foldWithPlaces(text: string): {
  folded: string
  startOf(index: number): number
  endOf(index: number): number
} {
  if (ASCII.test(text)) return { folded: text.toLowerCase(), startOf: (index) => index, endOf: (index) => index + 1 }
  let folded = ''
  const starts: number[] = []
  let place = 0
  // Caches letters, because a line has few different ones; without it, a line of 64,000 accented letters would take 50
  // ms.
  const known = new Map<string, string>()
  for (const character of text) {
    const letters = known.get(character) ?? foldLine(character)
    known.set(character, letters)
    folded += letters
    for (let count = letters.length; count > 0; count--) starts.push(place)
    place += character.length
  }
  return {
    folded,
    startOf: (index) => starts[index] ?? text.length,
    endOf(index) {
      // An accent after its letter leaves nothing in `folded`: it belongs to the letter.
      const start = starts[index]
      let next = index + 1
      while (starts[next] === start) next += 1
      return starts[next] ?? text.length
    },
  }
}
