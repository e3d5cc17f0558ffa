import { EMAIL } from './patterns.ts'
import { limits } from './vocabulary.ts'

/** Longest e-mail address there is (RFC 5321). */
export const MAX_ADDRESS_LENGTH = 254

/** Dots before the @ that no mail server takes: at an end, or two in a row. */
const STRAY_DOT = /^\.|\.@|\.\.[^@]*@/

/** The rules for a new password, as they are shown where one is set (document 1 section 5). Plain data and one test. */
export const passwordRules = [
  { id: 'length', text: 'at least 8 characters', pattern: /^.{8,}$/su },
  { id: 'lowercase', text: 'a lowercase letter', pattern: /\p{Ll}/u },
  { id: 'uppercase', text: 'at least 1 uppercase', pattern: /\p{Lu}/u },
  { id: 'number', text: 'at least 1 number', pattern: /\p{Nd}/u },
  { id: 'special', text: 'at least 1 special character', pattern: /[^\p{L}\p{N}\s]/u },
] as const

/** Longer ones are refused: the hash would be the same work, but a request must have an end. */
export const MAX_PASSWORD_LENGTH = 256

/** Texts of the rules that a password breaks, in their order; empty when it may be used. */
export function brokenPasswordRules(password: string): string[] {
  const broken: string[] = passwordRules.filter(({ pattern }) => !pattern.test(password)).map(({ text }) => text)
  return password.length > MAX_PASSWORD_LENGTH ? [...broken, `at most ${MAX_PASSWORD_LENGTH} characters`] : broken
}

/**
 * Whether this is one address, never a list, at one of the company's domains itself (COMPANY_EMAIL_DOMAINS): where somebody
 * may have notifications sent to. Document 2 section 5, 3-decisions 9.
 */
export function isCompanyAddress(address: string, domains: readonly string[]): boolean {
  if (address.length > MAX_ADDRESS_LENGTH || !EMAIL.test(address) || STRAY_DOT.test(address)) return false
  const domain = address.slice(address.lastIndexOf('@') + 1).toLowerCase()
  return domains.some((known) => known.toLowerCase() === domain)
}

/**
 * Whether a text may be kept as the address of a service case (3-decisions 4): https, at one of the configured hosts,
 * without credentials or a port, at most 500 characters. `*.my.salesforce.com` stands for every host below
 * `my.salesforce.com`, and not for that host itself. The address is shown as a link and never fetched.
 */
export function isCaseUrl(text: string, hosts: readonly string[]): boolean {
  // A URL parser drops tabs and line ends and turns backslashes round: what is kept must be what was checked.
  if (text.length > limits.serviceMaxUrl || /[\s\\]/.test(text) || !/^https:\/\//i.test(text)) return false
  if (!URL.canParse(text)) return false
  const { protocol, hostname, port, username, password } = new URL(text)
  if (protocol !== 'https:' || username !== '' || password !== '' || port !== '') return false
  return hosts.some((host) => (host.startsWith('*.') ? isBelow(hostname, host.slice(1)) : hostname === host))
}

function isBelow(hostname: string, suffix: string): boolean {
  return hostname.length > suffix.length && hostname.endsWith(suffix)
}
