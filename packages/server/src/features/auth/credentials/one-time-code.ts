import { createHash, randomBytes, randomInt } from 'node:crypto'
import { brokenPasswordRules } from '@benchwatch/contract/field-rules'

/** How long an invitation's password opens the step in which its owner sets one of their own. */
export const TEMPORARY_PASSWORD_DAYS = 7

const alphabet = 'abcdefghijkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789'

/** How many are given at once. */
export const RECOVERY_CODES = 10

/** 32 letters and digits without those that are taken for another: i, l, o and u are left out, as Crockford does. */
const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz'

const LENGTH = 16

const misread: Readonly<Record<string, string>> = { o: '0', i: '1', l: '1' }

/** Six digits, as they are sent by SMS and mail (document 1 section 9). */
export function newCode(): string {
  return String(randomInt(1_000_000)).padStart(6, '0')
}

/** What somebody typed as a code: its digits without the blanks that phones put in; undefined when it isn't six digits. */
export function codeIn(typed: string): string | undefined {
  const digits = typed.replace(/\s/g, '')
  return /^\d{6}$/.test(digits) ? digits : undefined
}

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

/** Letters and digits that nobody confuses, in groups that can be read over the phone: about 115 bits. */
export function temporaryPassword(): string {
  for (;;) {
    const letters = Array.from({ length: 20 }, () => alphabet[randomInt(alphabet.length)]).join('')
    const password = letters.replace(/.{5}(?=.)/g, '$&-')
    if (brokenPasswordRules(password).length === 0) return password
  }
}
