import { randomInt } from 'node:crypto'
import { brokenPasswordRules } from '@benchwatch/contract/password-policy'

/** How long an invitation's password opens the step in which its owner sets one of their own. */
export const TEMPORARY_PASSWORD_DAYS = 7

const alphabet = 'abcdefghijkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789'

/** Letters and digits that nobody confuses, in groups that can be read over the phone: about 115 bits. */
export function temporaryPassword(): string {
  for (;;) {
    const letters = Array.from({ length: 20 }, () => alphabet[randomInt(alphabet.length)]).join('')
    const password = letters.replace(/.{5}(?=.)/g, '$&-')
    if (brokenPasswordRules(password).length === 0) return password
  }
}
