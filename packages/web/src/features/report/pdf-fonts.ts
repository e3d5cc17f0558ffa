import { Font } from '@react-pdf/renderer'
import { woff2Decode } from 'woff-lib/woff2/decode'
import { type FontFamily, familiesFor } from './font-families.ts'
import { type FontSubset, readFontSubsets, subsetsFor } from './font-subsets.ts'
import { breakOpportunities } from './line-breaks.ts'

/** Line ends, joiners and the like are laid out, not drawn. */
const invisible = /[\p{Cc}\p{Cf}\p{Variation_Selector}]/gu

interface Fonts {
  /** For `fontFamily`: each character is set in the first family that has it. */
  families: string[]
  /** Characters that no family has. */
  missing: Set<string>
}

/** Loads the fonts in which `text` can be written, and of them only the files that it needs. */
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

/** A family of its own for each file, because a family takes one file for a weight. */
async function register({ url }: FontSubset, { name, weights }: FontFamily) {
  const answer = await fetch(url)
  if (!answer.ok) throw new Error('A font of the report could not be loaded. Reload the page and try again.')
  const src = URL.createObjectURL(new Blob([Uint8Array.from(await woff2Decode(await answer.arrayBuffer()))]))
  const family = `${name} ${url}`
  // An instance of a variable font goes by its name, which the types do not know.
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

/** What is asked of a font of fontkit, which comes without types. */
interface LoadedFont {
  hasGlyphForCodePoint: (codePoint: number) => boolean
}

let loaded = 0

/** A PDF tells its fonts apart by their names, and all instances and files of a variable font have the same one. */
async function load(descriptor: { fontFamily: string; fontWeight: number }, name: string): Promise<LoadedFont> {
  await Font.load(descriptor)
  const font = Font.getFont(descriptor)?.data as LoadedFont | null | undefined
  if (!font) throw new Error('A font of the report could not be read. Reload the page and try again.')
  loaded += 1
  Object.defineProperty(font, 'postscriptName', { value: `${name}-${loaded}` })
  return font
}
