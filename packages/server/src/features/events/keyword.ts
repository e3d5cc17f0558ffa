import { likePattern, wordsOf } from '../../db/sql/words.ts'

/**
 * Parses the search box into words (specification: events, Keyword). Every word must occur in one of an event's
 * fields; both sides are folded, so `akta` finds ÄKTA. This file knows no tables.
 */
export interface KeywordWord {
  /** Folded and trimmed. */
  text: string
  /** LIKE pattern that finds the word anywhere in a text. */
  pattern: string
  /**
   * True if the word is too short for the trigram index; it is then searched in the short fields only, not in
   * description and user message.
   */
  isShort: boolean
  /**
   * Ranges of event ids that begin with these digits, optionally after `ORC-`; null if the word cannot be an event id.
   */
  eventIds: IdRange[] | null
}

/** Both ends inclusive. */
export interface IdRange {
  from: number
  to: number
}

/** Shorter words are searched in the short fields alone. */
const SHORTEST_IN_TEXTS = 3

/** Words with a digit come first: they are rarer, so that fewer texts are compared with the others. */
export function keywordWords(keyword: string): KeywordWord[] {
  const hasDigit = (word: string) => Number(/\d/.test(word))
  const words = wordsOf(keyword).toSorted((one, other) => hasDigit(other) - hasDigit(one))
  return words.map((text) => ({
    text,
    pattern: likePattern(text),
    isShort: [...text].length < SHORTEST_IN_TEXTS,
    eventIds: eventIdRanges(text),
  }))
}

/**
 * Returns the ranges of event ids with up to 15 digits, the longest that a number can represent; `orc-` alone matches
 * all.
 */
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
