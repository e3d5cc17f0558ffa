import type { Plugin } from 'vite'

/** Where fontkit 2.0.4 goes wrong as it writes a glyph of a variable font, and what should stand there. */
const mends: { why: string; found: RegExp; mended: string }[] = [
  {
    why: 'a stream takes a buffer, not its size',
    found: /new (\$\w+\$EncodeStream)\(size \+ tail\)/,
    mended: 'new $1(new Uint8Array(size + tail))',
  },
  {
    why: 'how often the last flag is repeated was never written, which shifts all points of the glyph',
    found: /(let bbox = path\.bbox;\s+let glyf = \{)/,
    mended: 'if (same > 0) flags.push(same); $1',
  },
]

/**
 * Mends the part of fontkit that puts glyphs of variable fonts into a PDF, as it is built. Reports take their fonts from variable
 * ones, because families with a file for each weight are ten times as large. A version in which a place is not found stops the
 * build: then this file may go.
 */
export function mendFontkit(): Plugin {
  return {
    name: 'mend-fontkit',
    transform: {
      filter: { id: /\/fontkit\/dist\/browser-module\.mjs/ },
      handler(code) {
        const mended = mends.reduce((text, { why, found, mended: replacement }) => {
          if (!found.test(text)) this.error(`fontkit has changed: look whether it still has to be mended (${why}).`)
          return text.replace(found, replacement)
        }, code)
        return { code: mended, map: null }
      },
    },
  }
}
