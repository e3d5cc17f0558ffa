import { Font } from '@react-pdf/renderer'
import { woff2Decode } from 'woff-lib/woff2/decode'

/**
 * Decides where a line of the PDF may break within a word. The layout splits a word at the texts that this returns and
 * breaks there with a hyphen; an empty text in between allows a break without one. Nothing is hyphenated: names,
 * numbers and addresses must be copied as they are.
 */

/**
 * The font families of a text: Inter for Latin, Greek and Cyrillic, Noto Sans for other scripts. Han characters look
 * different in Japan, China, Taiwan and Korea at the same code point, so their order depends on the country.
 */
type StyleSheet = () => Promise<{ default: string }>

interface FontFamily {
  name: string
  /** Instances of the variable font by weight; other scripts have the regular weight only. */
  weights: Record<number, string>
  styleSheet: StyleSheet
}

const regular = { 400: 'Regular' }

const inter: FontFamily = {
  name: 'Inter',
  weights: { 400: 'Regular', 600: 'SemiBold' },
  styleSheet: () => import('@fontsource-variable/inter/wght.css?inline'),
}

const han = {
  japanese: noto('JP', () => import('@fontsource-variable/noto-sans-jp/wght.css?inline')),
  simplified: noto('SC', () => import('@fontsource-variable/noto-sans-sc/wght.css?inline')),
  traditional: noto('TC', () => import('@fontsource-variable/noto-sans-tc/wght.css?inline')),
  korean: noto('KR', () => import('@fontsource-variable/noto-sans-kr/wght.css?inline')),
}

const others: { script: RegExp; family: FontFamily }[] = [
  {
    script: /\p{Script=Arabic}/u,
    family: noto('Arabic', () => import('@fontsource-variable/noto-sans-arabic/wght.css?inline')),
  },
  {
    script: /\p{Script=Hebrew}/u,
    family: noto('Hebrew', () => import('@fontsource-variable/noto-sans-hebrew/wght.css?inline')),
  },
  {
    script: /\p{Script=Thai}/u,
    family: noto('Thai', () => import('@fontsource-variable/noto-sans-thai/wght.css?inline')),
  },
  {
    script: /\p{Script=Devanagari}/u,
    family: noto('Devanagari', () => import('@fontsource-variable/noto-sans-devanagari/wght.css?inline')),
  },
]

/**
 * A font file as listed in the family's style sheet. Each file contains certain ranges of characters, so a text loads
 * only the files that it needs. Browsers read these sheets for the screen; the PDF needs the same choice. Pure.
 */
interface FontSubset {
  url: string
  /** First and last code point, both included. */
  ranges: [first: number, last: number][]
}

const face = /@font-face\s*\{([^}]*)\}/g

const source = /url\(["']?([^"')]+)["']?\)/

const range = /unicode-range:\s*([^;}]+)/

/** Longest word that is kept whole: the narrowest column of a report fits this many letters. */
const LONGEST = 18

/** Scripts without spaces. Closing punctuation stays with the text it closes, small kana with the kana before. */
const spaceless =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}][\p{M}\p{Pe}\p{Pf}、。，．！？：；ー々ぁぃぅぇぉっゃゅょゎァィゥェォッャュョヮヵヶ]*/u

const pieces = new RegExp(
  `${spaceless.source}|[^\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\p{Script=Thai}]+`,
  'gu',
)

/** Line ends, joiners and similar characters affect layout but are not drawn. */
const invisible = /[\p{Cc}\p{Cf}\p{Variation_Selector}]/gu

interface Fonts {
  /** For `fontFamily`: each character uses the first family that has it. */
  families: string[]
  /** Characters that no family has. */
  missing: Set<string>
}

/** Loads the fonts for `text`, and only the files that it needs. */
export async function registerFonts(text: string, country: string | null): Promise<Fonts> {
  Font.registerHyphenationCallback(breakOpportunities)
  let missing = [...new Set(text.replace(invisible, ''))].map((character) => character.codePointAt(0) ?? 0)
  const families: string[] = []
  for (const family of familiesFor(text, country)) {
    if (missing.length === 0) break
    const subsets = subsetsFor(missing, readFontSubsets((await family.styleSheet()).default))
    for (const { name, hasGlyph } of await Promise.all(subsets.map((subset) => register(subset, family)))) {
      families.push(name)
      missing = missing.filter((codePoint) => !hasGlyph(codePoint))
    }
  }
  return { families, missing: new Set(missing.map((codePoint) => String.fromCodePoint(codePoint))) }
}

/** Registers each file as its own family, because a family accepts one file per weight. */
async function register({ url }: FontSubset, { name, weights }: FontFamily) {
  const answer = await fetch(url)
  if (!answer.ok) throw new Error('A font of the report could not be loaded. Reload the page and try again.')
  const src = URL.createObjectURL(new Blob([Uint8Array.from(await woff2Decode(await answer.arrayBuffer()))]))
  const family = `${name} ${url}`
  // An instance of a variable font is selected by its name, which the types omit.
  const instances = Object.entries(weights).map(([weight, postscriptName]) => ({
    src,
    fontWeight: Number(weight),
    postscriptName,
  }))
  Font.register({ family, fonts: instances })
  const fonts = await Promise.all(
    instances.map(({ fontWeight, postscriptName }) =>
      load({ fontFamily: family, fontWeight }, `${name}-${postscriptName}`),
    ),
  )
  return {
    name: family,
    hasGlyph: (codePoint: number) => fonts.every((font) => font.hasGlyphForCodePoint(codePoint)),
  }
}

/** The parts of a fontkit font used here; fontkit has no types. */
interface LoadedFont {
  hasGlyphForCodePoint: (codePoint: number) => boolean
  unitsPerEm: number
  layout: (
    text: string,
    features?: Record<string, number>,
    ...more: unknown[]
  ) => { glyphs: { codePoints: number[] }[] }
}

/**
 * Maps a joined form of an Arabic letter to the plain letter, which is what a reader copies. Lam with alef keeps its
 * form: it would be two letters.
 */
function letterOf(codePoint: number): number {
  if (codePoint < 0xfb50 || codePoint > 0xfefc) return codePoint
  const letters = String.fromCodePoint(codePoint).normalize('NFKC')
  return letters.length === 1 ? letters.charCodeAt(0) : codePoint
}

let loaded = 0
/** Inter's ascent as a fraction of the font size. */
const ASCENT = 0.969

/**
 * Sets a unique font name. A PDF distinguishes fonts by name, and all instances and files of a variable font share
 * one.
 */
async function load(descriptor: { fontFamily: string; fontWeight: number }, name: string): Promise<LoadedFont> {
  await Font.load(descriptor)
  const font = Font.getFont(descriptor)?.data as LoadedFont | null | undefined
  if (!font) throw new Error('A font of the report could not be read. Reload the page and try again.')
  loaded += 1
  Object.defineProperty(font, 'postscriptName', { value: `${name}-${loaded}` })
  // Gives lines the same height in every script: with its own ascent, Arabic would be half a line below its label.
  Object.defineProperty(font, 'ascent', { value: ASCENT * font.unitsPerEm })
  const layout = font.layout.bind(font)
  font.layout = (text, features, ...more) => {
    // Keeps Arabic letters whole: decomposed, their dots would be misplaced.
    const laidOut = layout(text, /\p{Script=Arabic}/u.test(text) ? { ...features, ccmp: 0 } : features, ...more)
    for (const glyph of laidOut.glyphs) glyph.codePoints = glyph.codePoints.map(letterOf)
    return laidOut
  }
  return font
}

export function breakOpportunities(word: string): string[] {
  if (word.length <= LONGEST && !spaceless.test(word)) return [word]
  return (word.match(pieces) ?? [word])
    .flatMap(splitLong)
    .flatMap((piece, place) => (place === 0 ? [piece] : ['', piece]))
}

/** Splits behind the separators of an address or a path, or after a fixed number of letters if there are none. */
function splitLong(piece: string): string[] {
  if (piece.length <= LONGEST) return [piece]
  return (piece.match(/[^-@._/\\]*[-@._/\\]|[^-@._/\\]+/gu) ?? [piece]).flatMap(
    (part) => part.match(new RegExp(`.{1,${LONGEST}}`, 'gsu')) ?? [part],
  )
}

/** Skips faces without a range, which no text of a report needs. */
export function readFontSubsets(styleSheet: string): FontSubset[] {
  return [...styleSheet.matchAll(face)].flatMap(([, rules = '']) => {
    const url = source.exec(rules)?.[1]
    const ranges = range.exec(rules)?.[1]
    return url === undefined || ranges === undefined ? [] : [{ url, ranges: readRanges(ranges) }]
  })
}

/** Reads `U+26, U+0-7F, U+4??`: a code point, a range, a wildcard range. */
function readRanges(text: string): FontSubset['ranges'] {
  return text.split(',').map((part) => {
    const [first = '', last = first] = part.trim().replace(/^U\+/i, '').split('-')
    return [Number.parseInt(first.replaceAll('?', '0'), 16), Number.parseInt(last.replaceAll('?', 'F'), 16)]
  })
}

/** Returns the subsets that contain any of these code points. */
export function subsetsFor(codePoints: readonly number[], subsets: readonly FontSubset[]): FontSubset[] {
  return subsets.filter(({ ranges }) =>
    ranges.some(([first, last]) => codePoints.some((codePoint) => first <= codePoint && codePoint <= last)),
  )
}

/**
 * Returns the families for a text of a customer in this country (named in English or its own language), in order of
 * preference. East Asian families are always included last: they have symbols and units that others lack.
 */
export function familiesFor(text: string, country: string | null): FontFamily[] {
  const found = others.filter(({ script }) => script.test(text)).map(({ family }) => family)
  return [inter, ...found, ...hanFamilies(text, country ?? '')]
}

function hanFamilies(text: string, country: string): FontFamily[] {
  const { japanese, simplified, traditional, korean } = han
  if (/[\p{Script=Hiragana}\p{Script=Katakana}]/u.test(text) || /japan|日本/i.test(country))
    return [japanese, simplified, traditional, korean]
  if (/taiwan|hong kong|maca[uo]|[臺台]灣|香港|澳門/i.test(country)) return [traditional, simplified, japanese, korean]
  if (/korea|한국|대한민국/i.test(country)) return [korean, traditional, simplified, japanese]
  return [simplified, traditional, japanese, korean]
}

function noto(part: string, styleSheet: StyleSheet): FontFamily {
  return { name: `Noto Sans ${part}`, weights: regular, styleSheet }
}
