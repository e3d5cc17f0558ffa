import { brokenPasswordRules } from '@benchwatch/contract/field-rules'
import { dictionary } from '@zxcvbn-ts/language-common'
import { fold } from '../../../db/fold.ts'
import { problem } from '../../../platform/http/problem.ts'

/** Whose password it is to be: what somebody who knows them would try first. */
export interface PasswordOwner {
  name: string | null
  login: string
}

/**
 * The 49,000 passwords that leaked most often: a list rather than a filter of hashes, so no good password is refused by
 * chance; 7 MB of memory.
 */
const common = new Set(dictionary['passwords-common'])

/** Shorter parts of a name occur in passwords by chance. */
const NAME_PART = 4
/** Up to so many digits and signs around a common password are what everybody adds to pass the rules. */
const MAX_FRINGE = 6

/** What is wrong with a password that somebody wants to use, as the end of "It needs …"; empty when nothing is. */
export function flawsOf(password: string, owner: PasswordOwner): string[] {
  const flaws = brokenPasswordRules(password)
  if (isCommon(password)) flaws.push('to be none of the passwords that everybody tries first')
  if (holdsName(password, owner)) flaws.push('not to hold your name or e-mail address')
  return flaws
}

/** The same rules at every place where a password is set. Throws `password-policy`, which says which rule it breaks. */
export function requireGoodPassword(password: string, owner: PasswordOwner): void {
  const flaws = flawsOf(password, owner)
  if (flaws.length > 0)
    throw problem('password-policy', `The password does not conform to policy. It needs ${join(flaws)}.`)
}

/** Also with numbers or signs before or after it, and with the digits that stand for letters. */
function isCommon(password: string): boolean {
  const lower = password.normalize('NFKC').toLowerCase()
  return [lower, spelled(lower)].some((text) =>
    heads.some((head) =>
      tails.some((tail) => {
        const core = text.replace(head, '').replace(tail, '')
        const isWhole = core.length === text.length
        return common.has(core) && (isWhole || (core.length >= NAME_PART && text.length - core.length <= MAX_FRINGE))
      }),
    ),
  )
}

/** What is taken off either end: nothing, signs, signs and numbers. `1q2w3e4r5t!` is common with its numbers alone. */
const heads = [/^/u, /^[^\p{L}\p{N}]+/u, /^[^\p{L}]+/u]
const tails = [/$/u, /[^\p{L}\p{N}]+$/u, /[^\p{L}]+$/u]

const letters: Readonly<Record<string, string>> = {
  '0': 'o',
  '1': 'i',
  '3': 'e',
  '4': 'a',
  '5': 's',
  '7': 't',
  '@': 'a',
  $: 's',
  '!': 'i',
}

/** `p@ssw0rd!` as `password!`: only signs between letters stand for letters. */
function spelled(lower: string): string {
  return lower.replace(/(?<=\p{L}[^\p{L}]{0,3})[013457@$!](?=[^\p{L}]{0,3}\p{L})/gu, (sign) => letters[sign] ?? sign)
}

function holdsName(password: string, { name, login }: PasswordOwner): boolean {
  const folded = fold(password)
  const [local = ''] = login.split('@', 1)
  const parts = [local, ...local.split(/[^\p{L}\p{N}]+/u), ...(name ?? '').split(/\s+/)]
  return parts.some((part) => part.length >= NAME_PART && folded.includes(fold(part)))
}

function join(flaws: readonly string[]): string {
  return flaws.length < 2 ? (flaws[0] ?? '') : `${flaws.slice(0, -1).join(', ')} and ${flaws.at(-1)}`
}
