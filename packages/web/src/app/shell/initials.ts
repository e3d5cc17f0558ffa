/** First letters of the first and last word, for the round mark beside a name: 'Anna Lind' gives 'AL'. */
export function initials(name: string): string {
  const words = name.split(/[\s.@_-]+/).filter((word) => /^\p{L}/u.test(word))
  const letters = words.length > 1 ? [words[0], words.at(-1)] : [words[0]]
  return letters.map((word) => [...(word ?? '?')][0]?.toUpperCase()).join('')
}
