import { EMAIL } from './patterns.ts'

/** Longest e-mail address there is (RFC 5321). */
export const MAX_ADDRESS_LENGTH = 254

/** Dots before the @ that no mail server takes: at an end, or two in a row. */
const STRAY_DOT = /^\.|\.@|\.\.[^@]*@/

/**
 * Whether this is one address, never a list, at one of the company's domains itself (COMPANY_EMAIL_DOMAINS): where somebody
 * may have notifications sent to. Document 2 section 5, 3-decisions 9.
 */
export function isCompanyAddress(address: string, domains: readonly string[]): boolean {
  if (address.length > MAX_ADDRESS_LENGTH || !EMAIL.test(address) || STRAY_DOT.test(address)) return false
  const domain = address.slice(address.lastIndexOf('@') + 1).toLowerCase()
  return domains.some((known) => known.toLowerCase() === domain)
}
