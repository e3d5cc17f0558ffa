import { EMAIL, FULL_SUPPORT_TERM } from './patterns.ts'
import { fullSupportTerms, limits } from './vocabulary.ts'

/** Longest possible e-mail address (RFC 5321). */
export const MAX_ADDRESS_LENGTH = 254

/** Dots before the @ that mail servers reject: at either end, or two in a row. */
const STRAY_DOT = /^\.|\.@|\.\.[^@]*@/

/**
 * Rules for a new password, with the texts shown wherever one is set (document 1 section 5). Plain data and one check.
 */
export const passwordRules = [
  { id: 'length', text: 'at least 8 characters', pattern: /^.{8,}$/su },
  { id: 'lowercase', text: 'a lowercase letter', pattern: /\p{Ll}/u },
  { id: 'uppercase', text: 'at least 1 uppercase', pattern: /\p{Lu}/u },
  { id: 'number', text: 'at least 1 number', pattern: /\p{Nd}/u },
  { id: 'special', text: 'at least 1 special character', pattern: /[^\p{L}\p{N}\s]/u },
] as const

/** The hash costs the same for longer passwords, but requests need a limit. */
export const MAX_PASSWORD_LENGTH = 256

/** Returns the texts of the rules that a password breaks, in order; empty if the password is allowed. */
export function brokenPasswordRules(password: string): string[] {
  const broken: string[] = passwordRules.filter(({ pattern }) => !pattern.test(password)).map(({ text }) => text)
  return password.length > MAX_PASSWORD_LENGTH ? [...broken, `at most ${MAX_PASSWORD_LENGTH} characters`] : broken
}

/**
 * Returns true for a single address, not a list, directly at one of the company's domains (COMPANY_EMAIL_DOMAINS).
 * Users may have notifications sent only to such addresses. Document 2 section 5, 3-decisions 9.
 */
export function isCompanyAddress(address: string, domains: readonly string[]): boolean {
  if (address.length > MAX_ADDRESS_LENGTH || !EMAIL.test(address) || STRAY_DOT.test(address)) return false
  const domain = address.slice(address.lastIndexOf('@') + 1).toLowerCase()
  return domains.some((known) => known.toLowerCase() === domain)
}

/**
 * Returns true if a text may be saved as a service case URL (3-decisions 4): https, one of the configured hosts, no
 * credentials or port, at most 500 characters. `*.my.salesforce.com` matches every host below `my.salesforce.com`, but
 * not that host itself. The URL is shown as a link and never fetched.
 */
export function isCaseUrl(text: string, hosts: readonly string[]): boolean {
  // A URL parser drops tabs and line breaks and turns backslashes into slashes, which would save something other than
  // what was checked.
  if (text.length > limits.serviceMaxUrl || /[\s\\]/.test(text) || !/^https:\/\//i.test(text)) return false
  if (!URL.canParse(text)) return false
  const { protocol, hostname, port, username, password } = new URL(text)
  if (protocol !== 'https:' || username !== '' || password !== '' || port !== '') return false
  return hosts.some((host) => (host.startsWith('*.') ? isBelow(hostname, host.slice(1)) : hostname === host))
}

function isBelow(hostname: string, suffix: string): boolean {
  return hostname.length > suffix.length && hostname.endsWith(suffix)
}

/** Returns true for a contract term with 24-hour support: a fixed one, or one that mentions 24 hours (3-decisions 4). */
export function isFullSupportTerm(term: string): boolean {
  return fullSupportTerms.includes(term) || FULL_SUPPORT_TERM.test(term)
}
