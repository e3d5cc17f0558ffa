import { brokenPasswordRules } from '@benchwatch/contract/field-rules'
import { fold } from '../../../db/fold.ts'
import { problem } from '../../../platform/http/problem.ts'

/** The owner of the new password. Their name and address are what an acquaintance would guess first. */
export interface PasswordOwner {
  name: string | null
  login: string
}

/**
 * The 49,000 most frequently leaked passwords. A list, not a hash filter, so that no good password is refused by
 * chance. It takes 15 MB of memory, so it is loaded with the first new password.
 */
let common: Promise<ReadonlySet<string>> | null = null

function commonPasswords(): Promise<ReadonlySet<string>> {
  common ??= import('@zxcvbn-ts/language-common').then(({ dictionary }) => new Set(dictionary['passwords-common']))
  return common
}

/** Minimum length of a name part. Shorter parts occur in passwords by chance. */
const NAME_PART = 4
/** Up to this many digits and symbols around a common password are ignored; people add them to pass. */
const MAX_FRINGE = 6

/** Returns the flaws of a new password, as endings of the sentence "It needs …". Empty if the password is good. */
export async function flawsOf(password: string, owner: PasswordOwner): Promise<string[]> {
  const flaws = brokenPasswordRules(password)
  if (isCommon(password, await commonPasswords())) flaws.push('not to be a common password')
  if (holdsName(password, owner)) flaws.push('not to contain your name or e-mail address')
  return flaws
}

/** Applies the same rules everywhere a password is set. Throws `password-policy`, which names the broken rule. */
export async function requireGoodPassword(password: string, owner: PasswordOwner): Promise<void> {
  const flaws = await flawsOf(password, owner)
  if (flaws.length > 0)
    throw problem('password-policy', `The password does not conform to policy. It needs ${join(flaws)}.`)
}

/** True if the password is common, also within digits and symbols or with digits in place of letters. */
function isCommon(password: string, common: ReadonlySet<string>): boolean {
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

/** Prefixes to remove: nothing, symbols, symbols and digits. `1q2w3e4r5t!` is common including its digits. */
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

/** Reads `p@ssw0rd!` as `password!`: only symbols between letters stand for letters. */
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
