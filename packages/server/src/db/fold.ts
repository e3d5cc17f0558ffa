const letters: Record<string, string> = { ø: 'o', ł: 'l', ß: 'ss', æ: 'ae', đ: 'd' }

/**
 * Text as keywords are compared: lower case, without marks, so that `akta` finds ÄKTA (3-decisions 4). Done here and
 * never in the database, whose lower() depends on its locale.
 */
export function fold(text: string): string {
  return text
    .toLowerCase()
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(/[øłßæđ]/g, (letter) => letters[letter] ?? letter)
}

/** Text of ASCII alone has no marks and no compatibility forms: most of a registry, folded ten times as fast. */
const ASCII = /^[\x00-\x7f]*$/

/**
 * Whether a text holds every word of a keyword, both folded. For lists so small that reading them all costs
 * milliseconds; service events have their own search.
 */
export function holdsWords(keyword: string): (text: string) => boolean {
  const words = fold(keyword).split(/\s+/u).filter(Boolean)
  return (text) => {
    const folded = ASCII.test(text) ? text.toLowerCase() : fold(text)
    return words.every((word) => folded.includes(word))
  }
}
