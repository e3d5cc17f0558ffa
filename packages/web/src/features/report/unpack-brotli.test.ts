import { readdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import { brotliDecompressSync } from 'node:zlib'
import { expect, it } from 'vitest'
import { brotliDecode } from './unpack-brotli.ts'

const resolve = createRequire(import.meta.url).resolve

/** Files of the families that a report may be written in, of a weight that varies. */
function filesOf(family: string): string[] {
  const folder = path.join(path.dirname(resolve(`@fontsource-variable/${family}/package.json`)), 'files')
  return readdirSync(folder).flatMap((name) => (name.endsWith('wght-normal.woff2') ? [path.join(folder, name)] : []))
}

/** The one stream of a WOFF2 file: after its directory, which has one entry of a length of its own for each table. */
function streamOf(file: Buffer): Uint8Array {
  let position = 48
  const readLength = (): void => {
    while ((file[position++] ?? 0) & 0x80);
  }
  for (let table = file.readUInt16BE(12); table > 0; table -= 1) {
    const flags = file[position++] ?? 0
    const isGlyphs = [10, 11].includes(flags & 63)
    if ((flags & 63) === 63) position += 4
    readLength()
    if (flags >> 6 !== (isGlyphs ? 3 : 0)) readLength()
  }
  return file.subarray(position, position + file.readUInt32BE(20))
}

it.each([
  'inter',
  ...['arabic', 'devanagari', 'hebrew', 'jp', 'kr', 'sc', 'tc', 'thai'].map((part) => `noto-sans-${part}`),
])('every file of %s is unpacked as it was packed', (family) => {
  const files = filesOf(family)
  expect(files.length).toBeGreaterThan(0)
  for (const file of files) {
    const stream = streamOf(readFileSync(file))
    expect(Buffer.compare(brotliDecode(stream), brotliDecompressSync(stream)), file).toBe(0)
  }
})
