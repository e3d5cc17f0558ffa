/**
 * Text as the product keeps it for keywords: lower case, without marks. The rule is the product's (db/fold.ts of the
 * server); it is written again here because this program shares only the contract with it, and `bench:generate` ends
 * with a search over HTTP that would not find what is folded otherwise.
 */
export function fold(text: string): string {
  return text
    .toLowerCase()
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(/[øłßæđ]/g, (letter) => letters[letter] ?? letter)
}

const letters: Record<string, string> = { ø: 'o', ł: 'l', ß: 'ss', æ: 'ae', đ: 'd' }
