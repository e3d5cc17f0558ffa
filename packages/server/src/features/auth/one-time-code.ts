import { randomInt } from 'node:crypto'

/** Six digits, as they are sent by SMS and mail (document 1 section 9). */
export function newCode(): string {
  return String(randomInt(1_000_000)).padStart(6, '0')
}

/** What somebody typed as a code: its digits without the blanks that phones put in; undefined when it isn't six digits. */
export function codeIn(typed: string): string | undefined {
  const digits = typed.replace(/\s/g, '')
  return /^\d{6}$/.test(digits) ? digits : undefined
}
