import { likePattern, wordsOf } from '../../db/words.ts'

/**
 * What a person typed into the search box, as words to look for (specification: events, Keyword). Every word must occur
 * in one of an event's fields; both sides are folded, so `akta` finds ÄKTA. Knows nothing of tables.
 */
export interface KeywordWord {
  /** Folded, without blanks. */
  text: string
  /** The word anywhere in a text, as a pattern of LIKE. */
  pattern: string
  /** Too short for the trigram index: looked for in the short fields only, not in description and user message. */
  isShort: boolean
  /** The event ids that begin with these digits, `ORC-` before them allowed; null when the word can be no event id. */
  eventIds: IdRange[] | null
}

/** Both ends belong to it. */
export interface IdRange {
  from: number
  to: number
}

/** Words under this length are looked for in the short fields alone. */
const SHORTEST_IN_TEXTS = 3

export function keywordWords(keyword: string): KeywordWord[] {
  return wordsOf(keyword).map((text) => ({
    text,
    pattern: likePattern(text),
    isShort: [...text].length < SHORTEST_IN_TEXTS,
    eventIds: eventIdRanges(text),
  }))
}

/** Event ids of up to 15 digits, the longest that a number holds exactly; `orc-` alone begins them all. */
function eventIdRanges(word: string): IdRange[] | null {
  const [, digits] = /^(?:orc-(?=\d*$)|(?=\d+$))(\d*)$/.exec(word) ?? []
  if (digits === undefined) return null
  if (digits === '') return [{ from: 0, to: Number.MAX_SAFE_INTEGER }]
  if (digits.startsWith('0')) return []
  const ranges: IdRange[] = []
  for (let length = digits.length; length <= 15; length += 1) {
    const step = 10 ** (length - digits.length)
    ranges.push({ from: Number(digits) * step, to: (Number(digits) + 1) * step - 1 })
  }
  return ranges
}
