import { Font } from '@react-pdf/renderer'
import { woff2Decode } from 'woff-lib/woff2/decode'
import { type FontFamily, familiesFor } from './font-families.ts'
import { type FontSubset, readFontSubsets, subsetsFor } from './font-subsets.ts'
import { breakOpportunities } from './line-breaks.ts'

/** Line breaks, tabs and joiners are laid out, not drawn. */
const invisible = /[\p{Cc}\p{Cf}\p{Variation_Selector}]/gu

/**
 * Loads the fonts in which `text` can be written and registers them. Answers names of families for `fontFamily`: each character
 * is set in the first of them that has it. What no family has is drawn as an empty box.
 */
export async function registerFonts(text: string, country: string | null): Promise<string[]> {
  Font.registerHyphenationCallback(breakOpportunities)
  let missing = [...new Set(text.replace(invisible, ''))].map((character) => character.codePointAt(0) ?? 0)
  const names: string[] = []
  for (const family of familiesFor(text, country)) {
    if (missing.length === 0) break
    const found = subsetsFor(missing, readFontSubsets((await family.styleSheet()).default))
    missing = found.missing
    names.push(...(await Promise.all(found.used.map((subset) => register(subset, family)))))
  }
  return names
}

/** A family of its own for each file, because a family takes one file for a weight. */
async function register({ url }: FontSubset, { name, weights }: FontFamily): Promise<string> {
  const answer = await fetch(url)
  if (!answer.ok) throw new Error('A font of the report could not be loaded. Reload the page and try again.')
  const src = URL.createObjectURL(new Blob([Uint8Array.from(await woff2Decode(await answer.arrayBuffer()))]))
  const family = `${name} ${url}`
  // An instance of a variable font goes by its name, which the types do not know.
  const fonts = Object.entries(weights).map(([weight, instance]) => ({
    src,
    fontWeight: Number(weight),
    postscriptName: instance,
  }))
  Font.register({ family, fonts })
  await Promise.all(
    fonts.map((font) => nameApart({ family, fontWeight: font.fontWeight, name: `${name}-${font.postscriptName}` })),
  )
  return family
}

let named = 0

/** A PDF tells its fonts apart by their names, and the instances of a variable font all have the same. */
async function nameApart(of: { family: string; fontWeight: number; name: string }): Promise<void> {
  const descriptor = { fontFamily: of.family, fontWeight: of.fontWeight }
  await Font.load(descriptor)
  const font = Font.getFont(descriptor)?.data
  if (!font) throw new Error('A font of the report could not be read. Reload the page and try again.')
  named += 1
  Object.defineProperty(font, 'postscriptName', { value: `${of.name}-${named}` })
}
