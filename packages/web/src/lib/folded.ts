/** Letters without a mark to take off: 3-decisions 4, "Keyword". */
const letters: Record<string, string> = { ø: 'o', ł: 'l', ß: 'ss', æ: 'ae', đ: 'd' }

/** As the server folds keywords, so that a search for "oberg" finds Öberg, and "soren" Søren. */
export function folded(text: string): string {
  return text
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[øłßæđ]/g, (letter) => letters[letter] ?? letter)
}

/** A number with its noun: '1 event', '1,284 events'. `many` where it is not the singular with an s. */
export function counted(count: number, one: string, many = `${one}s`): string {
  return `${count.toLocaleString('en')} ${count === 1 ? one : many}`
}

/** Why something failed, as whoever threw it says it. */
export function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
