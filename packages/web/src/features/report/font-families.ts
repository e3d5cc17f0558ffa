/**
 * Which families a text is set in: Inter for everything that it holds (Latin, Greek, Cyrillic), Noto Sans for other scripts. Han
 * characters look different in Japan, China, Taiwan and Korea at the same code point, so their order is a question of language.
 */

type StyleSheet = () => Promise<{ default: string }>

export interface FontFamily {
  name: string
  /** Instances of the variable font by weight; scripts beside the console's own have the regular one alone. */
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
 * Families for a text of a customer in this country (a name in English or its own), the first choice first. Those of East Asia come
 * last in any case: they have the signs and units that others lack.
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
