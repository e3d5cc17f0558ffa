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
