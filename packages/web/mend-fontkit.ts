import type { Plugin } from 'vite'

/** Defects of fontkit 2.0.4 when it writes a glyph of a variable font, with their replacements. */
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
 * Patches, at build time, the part of fontkit that embeds glyphs of variable fonts in a PDF. Reports use variable
 * fonts because families with one file per weight are ten times as large. The build stops if a patch no longer
 * applies: then this file may be obsolete.
 */
export function mendFontkit(): Plugin {
  return {
    name: 'mend-fontkit',
    transform: {
      filter: { id: /\/fontkit\/dist\/browser-module\.mjs/ },
      handler(code) {
        const mended = mends.reduce((text, { why, found, mended: replacement }) => {
          if (!found.test(text)) this.error(`fontkit has changed: check whether this patch is still needed (${why}).`)
          return text.replace(found, replacement)
        }, code)
        return { code: mended, map: null }
      },
    },
  }
}
