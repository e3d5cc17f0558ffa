import { createHash, randomBytes } from 'node:crypto'

/** How many are given at once. */
export const RECOVERY_CODES = 10

/** 32 letters and digits without those that are taken for another: i, l, o and u are left out, as Crockford does. */
const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz'
const LENGTH = 16
const misread: Readonly<Record<string, string>> = { o: '0', i: '1', l: '1' }

/** A code like `7k2m-9x4p-…`: 80 random bits in four groups. */
export function newRecoveryCode(): string {
  const letters = Array.from(randomBytes(LENGTH), (byte) => ALPHABET[byte % ALPHABET.length]).join('')
  return letters.replace(/.{4}(?=.)/g, '$&-')
}

/** What somebody typed as a recovery code, in its stored form: case, blanks, dashes and misread letters are forgiven. */
export function recoveryCodeIn(typed: string): string | undefined {
  const letters = typed
    .toLowerCase()
    .replace(/[\s-]/g, '')
    .replace(/[oil]/g, (letter) => misread[letter] ?? letter)
  return letters.length === LENGTH && [...letters].every((letter) => ALPHABET.includes(letter)) ? letters : undefined
}

/** What is stored of a code in its stored form. It is random, so a slow hash would add nothing. */
export function recoveryCodeHash(letters: string): Buffer {
  return createHash('sha256').update(letters).digest()
}
