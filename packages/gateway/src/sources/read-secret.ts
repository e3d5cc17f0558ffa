import { readFile } from 'node:fs/promises'

/** Returns the password or token in a file, without spaces around it. Throws if there is none. */
export async function readSecret(file: string): Promise<string> {
  const text = await readFile(file, 'utf8').catch((error: unknown) => {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown error'
    throw new Error(`The file ${file} with a password or token can't be read (${code}).`)
  })
  const secret = text.trim()
  if (secret === '') throw new Error(`The file ${file} is empty. Write the password or token into it.`)
  return secret
}
