/**
 * Folds text as the product does for keywords: lower case, without marks. The rule is a copy of the product's
 * (db/fold.ts of the server), because the lab shares only the contract with it. `generate` ends with a search over HTTP
 * that finds nothing if the two differ.
 */
export function fold(text: string): string {
  return text
    .toLowerCase()
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(/[øłßæđ]/g, (letter) => letters[letter] ?? letter)
}

const letters: Record<string, string> = { ø: 'o', ł: 'l', ß: 'ss', æ: 'ae', đ: 'd' }
