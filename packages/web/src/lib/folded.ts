/** Letters that Unicode does not decompose: 3-decisions 4, "Keyword". */
const letters: Record<string, string> = { ø: 'o', ł: 'l', ß: 'ss', æ: 'ae', đ: 'd' }

/** Folds text as the server folds keywords, so that a search for "oberg" finds Öberg, and "soren" Søren. */
export function folded(text: string): string {
  return text
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[øłßæđ]/g, (letter) => letters[letter] ?? letter)
}

/**
 * Formats a number with its noun, e.g. '1 event', '1,284 events'. `many` is the plural if it is not the singular plus
 * s.
 */
export function counted(count: number, one: string, many = `${one}s`): string {
  return `${count.toLocaleString('en')} ${count === 1 ? one : many}`
}

/** Writes a label as within a sentence: 'contract SLA', 'ORC status'. */
export function midSentence(label: string): string {
  return label.replace(/^[A-Z](?![A-Z])/, (letter) => letter.toLowerCase())
}

/** Returns the message of an error. */
export function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
