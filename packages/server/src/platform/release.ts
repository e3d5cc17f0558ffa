import { readFile } from 'node:fs/promises'

/** Returns the release of the product, such as 3.0.0: the version in the server's package.json. */
export async function readRelease(): Promise<string> {
  const manifest = await readFile(new URL('../../package.json', import.meta.url), 'utf8')
  return (JSON.parse(manifest) as { version: string }).version
}
