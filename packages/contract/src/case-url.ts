import { limits } from './vocabulary.ts'

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
