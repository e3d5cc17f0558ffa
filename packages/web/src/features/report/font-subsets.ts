/**
 * The files of a font family as its style sheet names them: each holds the characters of some ranges, so that a text loads only
 * what it is written in. A browser reads these sheets for the screen; a PDF needs the same choice. Pure.
 */

export interface FontSubset {
  url: string
  /** First and last code point, both included. */
  ranges: [first: number, last: number][]
}

const face = /@font-face\s*\{([^}]*)\}/g
const source = /url\(["']?([^"')]+)["']?\)/
const range = /unicode-range:\s*([^;}]+)/

/** Faces without a range hold no text of ours. */
export function readFontSubsets(styleSheet: string): FontSubset[] {
  return [...styleSheet.matchAll(face)].flatMap(([, rules = '']) => {
    const url = source.exec(rules)?.[1]
    const ranges = range.exec(rules)?.[1]
    return url === undefined || ranges === undefined ? [] : [{ url, ranges: readRanges(ranges) }]
  })
}

/** `U+26, U+0-7F, U+4??`: one code point, a range, a range by wildcards. */
function readRanges(text: string): FontSubset['ranges'] {
  return text.split(',').map((part) => {
    const [first = '', last = first] = part.trim().replace(/^U\+/i, '').split('-')
    return [Number.parseInt(first.replaceAll('?', '0'), 16), Number.parseInt(last.replaceAll('?', 'F'), 16)]
  })
}

/** The subsets that hold some of these code points. */
export function subsetsFor(codePoints: readonly number[], subsets: readonly FontSubset[]): FontSubset[] {
  return subsets.filter(({ ranges }) =>
    ranges.some(([first, last]) => codePoints.some((codePoint) => first <= codePoint && codePoint <= last)),
  )
}
