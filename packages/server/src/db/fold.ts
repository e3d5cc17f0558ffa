const letters: Record<string, string> = { ø: 'o', ł: 'l', ß: 'ss', æ: 'ae', đ: 'd' }

/**
 * ASCII text has neither marks nor compatibility forms; it is the most common, and folding it is three times as fast.
 */
const ASCII = /^\p{ASCII}*$/u

/**
 * Folds a text for keyword comparison: lower case, without marks, so that `akta` finds ÄKTA (3-decisions 4). Done here
 * and never in the database, because lower() depends on the database's locale.
 */
export function fold(text: string): string {
  if (ASCII.test(text)) return text.toLowerCase()
  return text
    .toLowerCase()
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(/[øłßæđ]/g, (letter) => letters[letter] ?? letter)
}
