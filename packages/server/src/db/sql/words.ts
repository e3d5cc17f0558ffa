import { fold } from '../fold.ts'

/** Returns the distinct words of a search text, folded. Folding comes first, because it can produce blanks. */
export function wordsOf(keyword: string): string[] {
  return [...new Set(fold(keyword).split(/\s+/u).filter(Boolean))]
}

/**
 * Returns a test whether a text contains every word of a keyword, both folded. For lists so small that reading all of
 * them takes milliseconds; service events have their own search.
 */
export function holdsWords(keyword: string): (text: string) => boolean {
  const words = wordsOf(keyword)
  return (text) => {
    const folded = fold(text)
    return words.every((word) => folded.includes(word))
  }
}

/** Returns a LIKE pattern that finds the text anywhere in another one. */
export function likePattern(text: string): string {
  return `%${text.replace(/[\\%_]/g, '\\$&')}%`
}
