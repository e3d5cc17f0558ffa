import { randomBytes, randomInt } from 'node:crypto'
import { brokenPasswordRules } from '@benchwatch/contract/field-rules'

/** Lifetime of the temporary password of an invitation, in days. */
export const TEMPORARY_PASSWORD_DAYS = 7

const alphabet = 'abcdefghijkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789'

export const RECOVERY_CODES = 10

/** 32 digits and letters. Leaves out i, l, o and u, which are easily confused, as Crockford's base 32 does. */
const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz'

const LENGTH = 16

const misread: Readonly<Record<string, string>> = { o: '0', i: '1', l: '1' }

/** Returns a six-digit code for SMS and mail (document 1 section 9). */
export function newCode(): string {
  return String(randomInt(1_000_000)).padStart(6, '0')
}

/**
 * Returns the digits of a typed code without the spaces that phones insert, or undefined if there are not exactly six.
 */
export function codeIn(typed: string): string | undefined {
  const digits = typed.replace(/\s/g, '')
  return /^\d{6}$/.test(digits) ? digits : undefined
}

/** Returns a code like `7k2m-9x4p-…`: 80 random bits in four groups. */
export function newRecoveryCode(): string {
  const letters = Array.from(randomBytes(LENGTH), (byte) => ALPHABET[byte % ALPHABET.length]).join('')
  return letters.replace(/.{4}(?=.)/g, '$&-')
}

/** Normalises a typed recovery code: ignores case, spaces and dashes and corrects misread letters. */
export function recoveryCodeIn(typed: string): string | undefined {
  const letters = typed
    .toLowerCase()
    .replace(/[\s-]/g, '')
    .replace(/[oil]/g, (letter) => misread[letter] ?? letter)
  return letters.length === LENGTH && [...letters].every((letter) => ALPHABET.includes(letter)) ? letters : undefined
}

/** Returns a password of about 115 bits, in groups of unambiguous characters that can be read out by phone. */
export function temporaryPassword(): string {
  for (;;) {
    const letters = Array.from({ length: 20 }, () => alphabet[randomInt(alphabet.length)]).join('')
    const password = letters.replace(/.{5}(?=.)/g, '$&-')
    if (brokenPasswordRules(password).length === 0) return password
  }
}
