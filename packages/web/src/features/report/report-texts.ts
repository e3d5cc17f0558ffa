/** Returns a copy of a report, or a part of it, with every text changed. */
export function mapTexts<T>(value: T, change: (text: string) => string): T
export function mapTexts(value: unknown, change: (text: string) => string): unknown {
  if (typeof value === 'string') return change(value)
  if (Array.isArray(value)) return value.map((each) => mapTexts<unknown>(each, change))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, mapTexts<unknown>(each, change)]))
}

/**
 * Returns Arabic letters in the forms that join their neighbours (`ﻴ` for `ي` within a word). The PDF layout picks
 * forms on its own but sets their dots as separate letters: in the wrong place, and as another letter when copied. PDF
 * readers turn the forms back into letters.
 */
export function joinArabic(text: string): string {
  if (!arabic.test(text)) return text
  const letters = [...text]
  const beside = (at: number, step: 1 | -1): string => {
    let place = at + step
    while (/\p{M}/u.test(letters[place] ?? '')) place += step
    return letters[place] ?? ''
  }
  return letters
    .map((letter, at) => {
      const before = at > 0 && joinsNext(beside(at, -1))
      const after = joinsNext(letter) && joinsBefore(beside(at, 1))
      return forms.get(letter)?.[(before ? 1 : 0) + (after ? 2 : 0)] ?? letter
    })
    .join('')
    .replace(lamAlef, (pair) => ligatures.get(pair) ?? pair)
}

const arabic = /\p{Script=Arabic}/u

/** Forms by letter: isolated, final, initial and medial, in Unicode's order. */
const forms = new Map<string, string[]>()
/** Lam and alef are written as one letter, keyed by their two forms. */
const ligatures = new Map<string, string>()

for (const [first, last] of [
  [0xfe80, 0xfefc],
  [0xfb50, 0xfbff],
] as const) {
  for (let point = first; point <= last; point++) {
    const form = String.fromCodePoint(point)
    const letter = form.normalize('NFKC')
    if (letter.length === 1) forms.set(letter, [...(forms.get(letter) ?? []), form])
    else if (point >= 0xfef5) {
      const [lam = '', alef = ''] = letter
      const [, alefAtEnd = ''] = forms.get(alef) ?? []
      const isAtEnd = point % 2 === 0
      ligatures.set(`${forms.get(lam)?.[isAtEnd ? 3 : 2] ?? ''}${alefAtEnd}`, form)
    }
  }
}
const lamAlef = new RegExp([...ligatures.keys()].join('|'), 'gu')

/** A single hamza joins nothing. */
function joinsBefore(letter: string): boolean {
  return letter === 'ـ' || (forms.get(letter)?.length ?? 0) > 1
}

/** Letters with two forms join only the letter before them; a tatweel joins both. */
function joinsNext(letter: string): boolean {
  return letter === 'ـ' || (forms.get(letter)?.length ?? 0) > 2
}
