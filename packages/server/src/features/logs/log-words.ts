import type { LogField, LogHit } from '@benchwatch/contract/logs'
import { logFields } from '@benchwatch/contract/logs'

/**
 * How a search in a log reads and marks lines: every word must occur in one of the fields, in any case. Marks are HTML,
 * so everything else of the line is escaped.
 */

/** A line's searchable fields. */
export type LogTexts = Pick<LogHit['_source'], LogField>

export function searchWords(searchString: string): string[] {
  return [...new Set(searchString.split(/\s+/u).filter(Boolean))]
}

/** The word anywhere in a text, as a pattern of LIKE. */
export function likePattern(word: string): string {
  return `%${word.replace(/[\\%_]/g, '\\$&')}%`
}

/** Each field that holds a word, whole, with the words marked. Null when none does. */
export function markWords(texts: LogTexts, words: readonly string[]): LogHit['highlight'] {
  // Longer words first: of two that begin alike the longer one is marked.
  const longestFirst = [...words].sort((a, b) => b.length - a.length)
  const anyWord = new RegExp(longestFirst.map((word) => RegExp.escape(word)).join('|'), 'giu')
  const marked = logFields.flatMap((field) => {
    const text = texts[field]
    if (text === null) return []
    const whole = markText(text, anyWord)
    return whole === null ? [] : [[field, [whole]] as const]
  })
  return marked.length === 0 ? null : Object.fromEntries(marked)
}

function markText(text: string, anyWord: RegExp): string | null {
  let marked = ''
  let end = 0
  for (const { 0: word, index } of text.matchAll(anyWord)) {
    marked += `${escapeHtml(text.slice(end, index))}<em>${escapeHtml(word)}</em>`
    end = index + word.length
  }
  return end === 0 ? null : marked + escapeHtml(text.slice(end))
}

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => entities[character] ?? character)
}
