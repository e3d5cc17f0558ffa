import type { LogField, LogHit } from '@benchwatch/contract/logs'
import { logFields } from '@benchwatch/contract/logs'
import { escapeHtml } from '../../platform/message-text.ts'

/**
 * How a search in a log reads and marks lines: every word must occur in one of the fields, in any case, with or without
 * marks on its letters (3-decisions 4: `akta` finds ÄKTA). Marks are HTML, so everything else of the line is escaped.
 */

/** A line's searchable fields. */
export type LogTexts = Pick<LogHit['_source'], LogField>

/** A line of 64 kB holds a letter ten thousand times; behind so many marks the rest of a field has none. */
const MOST_MARKS = 1000

/** Letters that stand for one another and that no decomposition knows. */
export const foldedLetters = { ø: 'o', ł: 'l', đ: 'd', ς: 'σ', ß: 'ss', æ: 'ae' } as const
const ASCII = /^\p{ASCII}*$/u
/** Marks on Latin, Greek and Cyrillic letters. Those of other scripts are letters of their own, as the database has them. */
const LETTER_MARKS = /[\u0300-\u036f]/g

/**
 * A text as words are looked for in it; the twin of what the database makes of a line (line-text.queries.ts). Decomposed
 * before its case is dropped: ℃ and № hold capitals that have no lower case until then.
 */
export function foldLine(text: string): string {
  if (ASCII.test(text)) return text.toLowerCase()
  return text
    .normalize('NFKD')
    .toLowerCase()
    .replace(LETTER_MARKS, '')
    .replace(/[øłđςßæ]/g, (letter) => foldedLetters[letter as keyof typeof foldedLetters])
}

/** The words of a search as they are looked for, once each; what is no more than a mark is none. */
export function searchWords(searchString: string): string[] {
  const words = searchString.split(/\s+/u).map((word) => foldLine(word).trim())
  return [...new Set(words.filter(Boolean))]
}

/** Each field that holds one of the words of `searchWords`, whole, with the words marked. Null when none does. */
export function markLabel(texts: LogTexts, words: readonly string[]): LogHit['highlight'] {
  // Longer words first: of two that begin alike the longer one is marked.
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
    // Two letters may be folded from one, as those of a ligature: it is marked once.
    if (start < done) continue
    const end = endOf(index + word.length - 1)
    marked += `${escapeHtml(text.slice(done, start))}<em>${escapeHtml(text.slice(start, end))}</em>`
    done = end
    marks += 1
    if (marks === MOST_MARKS) break
  }
  return marks === 0 ? null : marked + escapeHtml(text.slice(done))
}

/** A text folded, and where in the text the letter that a folded one comes from starts and ends. */
function foldWithPlaces(text: string): {
  folded: string
  startOf(index: number): number
  endOf(index: number): number
} {
  if (ASCII.test(text)) return { folded: text.toLowerCase(), startOf: (index) => index, endOf: (index) => index + 1 }
  let folded = ''
  const starts: number[] = []
  let place = 0
  // A line has few different letters; without this, one of 64,000 marked ones would take 50 ms.
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
      // A mark that stands behind its letter has left nothing in `folded`: it belongs to the letter.
      const start = starts[index]
      let next = index + 1
      while (starts[next] === start) next += 1
      return starts[next] ?? text.length
    },
  }
}
