const letters: Record<string, string> = { ø: 'o', ł: 'l', ß: 'ss', æ: 'ae', đ: 'd' }

/** Such text has neither marks nor compatibility forms; it is most of what there is, and folded three times as fast. */
const ASCII = /^\p{ASCII}*$/u

/**
 * Text as keywords are compared: lower case, without marks, so that `akta` finds ÄKTA (3-decisions 4). Done here and
 * never in the database, whose lower() depends on its locale.
 */
export function fold(text: string): string {
  if (ASCII.test(text)) return text.toLowerCase()
  return text
    .toLowerCase()
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(/[øłßæđ]/g, (letter) => letters[letter] ?? letter)
}
