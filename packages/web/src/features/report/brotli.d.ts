/** The package has no types of its own; those published separately require Node's Buffer. */
declare module 'brotli/decompress.js' {
  export default function decompress(packed: Uint8Array): Uint8Array
}
