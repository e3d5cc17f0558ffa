import { readFile } from 'node:fs/promises'

/** Returns the password or token in a file, without spaces around it. Throws if there is none. */
export async function readSecret(file: string): Promise<string> {
  const secret = (await readFile(file, 'utf8')).trim()
  if (secret === '') throw new Error(`The file ${file} is empty. Write the password or token into it.`)
  return secret
}
