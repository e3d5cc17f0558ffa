import decompress from 'brotli/decompress.js'

/**
 * Decodes brotli for `woff-lib`, which resolves to this file (`resolve.alias` in vite.config.ts). Its own decoder never returns
 * for some fonts, such as the file of Noto Sans SC that contains 岭. The package used here already ships with fontkit.
 */
export function brotliDecode(bytes: Uint8Array): Uint8Array {
  return decompress(bytes)
}
