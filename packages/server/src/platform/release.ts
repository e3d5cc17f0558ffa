import { readFile } from 'node:fs/promises'

/** The release of the product that this is, such as 2.12.2: the version of the server's own package. */
export async function readRelease(): Promise<string> {
  const manifest = await readFile(new URL('../../package.json', import.meta.url), 'utf8')
  return (JSON.parse(manifest) as { version: string }).version
}
