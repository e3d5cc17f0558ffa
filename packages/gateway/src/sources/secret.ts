import { createHash, timingSafeEqual } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { errorCode } from '@benchwatch/contract/environment'

/** Returns the password or token in a file, without spaces around it. Throws if there is none. */
export async function readSecret(file: string): Promise<string> {
  const text = await readFile(file, 'utf8').catch((error: unknown) => {
    throw new Error(`The file ${file} with a password or token can't be read (${errorCode(error)}).`)
  })
  const secret = text.trim()
  if (secret === '') throw new Error(`The file ${file} is empty. Write the password or token into it.`)
  return secret
}

/** Compares a password or token; the time that it takes says nothing about it. */
export function isSecret(given: string, secret: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest()
  return timingSafeEqual(digest(given), digest(secret))
}
