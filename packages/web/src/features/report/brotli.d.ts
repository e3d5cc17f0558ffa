/** It comes without types of its own; those from elsewhere want a Buffer of Node. */
declare module 'brotli/decompress.js' {
  export default function decompress(packed: Uint8Array): Uint8Array
}
