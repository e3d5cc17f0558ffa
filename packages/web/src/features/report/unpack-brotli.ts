import decompress from 'brotli/decompress.js'

/**
 * What `woff-lib` unpacks fonts with, in place of the decoder that it names (`resolve.alias` in vite.config.ts): that one never
 * comes back from some files, such as the one of Noto Sans SC that holds 岭. This one comes with fontkit anyway.
 */
export function brotliDecode(bytes: Uint8Array): Uint8Array {
  return decompress(bytes)
}
