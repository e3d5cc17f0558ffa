import { fold } from './fold.ts'

/** The words of what a person typed into a search box, folded, each once. Folding can make blanks, so it comes first. */
export function wordsOf(keyword: string): string[] {
  return [...new Set(fold(keyword).split(/\s+/u).filter(Boolean))]
}

/**
 * Whether a text holds every word of a keyword, both folded. For lists so small that reading them all costs
 * milliseconds; service events have their own search.
 */
export function holdsWords(keyword: string): (text: string) => boolean {
  const words = wordsOf(keyword)
  return (text) => {
    const folded = fold(text)
    return words.every((word) => folded.includes(word))
  }
}

/** The text anywhere in another one, as a pattern of LIKE. */
export function likePattern(text: string): string {
  return `%${text.replace(/[\\%_]/g, '\\$&')}%`
}
