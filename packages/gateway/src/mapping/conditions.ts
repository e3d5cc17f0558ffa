import { z } from 'zod'

/**
 * Conditions of a mapping: a text with `*` (any characters) and `?` (one), a comparison such as `>= 700` or `!= ok`, a
 * number, true, false, null (absent), or a list of which one must match. Nothing is evaluated.
 */

/** The beginning of a comparison that only numbers fulfil. */
const AMOUNT = /^[<>]=?/
/** How other languages compare numbers. Here it would be a text, which no message has. */
const FOREIGN_COMPARISON = /^=[=<>]*\s*-?\d/

/** A text, or a comparison that a value can fulfil. */
export const wantedText = z
  .string()
  .max(500)
  .refine((wanted) => !FOREIGN_COMPARISON.test(wanted), {
    error: ({ input }) =>
      `'${String(input)}' is no comparison. Write '>= 5' or '<= 5', and what must be equal without a sign`,
  })
  .refine((wanted) => !AMOUNT.test(wanted) || numberOf(wanted.replace(AMOUNT, '')) !== null, {
    error: ({ input }) =>
      `'${String(input)}' compares with something that is not a number. Write a number with a decimal point, such as '> -60.5'`,
  })
const single = z.union([wantedText, z.number(), z.boolean(), z.null()])
export const condition = z.union([single, z.array(single).min(1).max(100)])
export type Condition = z.output<typeof condition>

const COMPARISON = /^(>=|<=|>|<|!=)\s*(.*)$/s

/** Returns true if a value fulfils a condition. */
export function matches(value: unknown, wanted: Condition): boolean {
  if (Array.isArray(wanted)) return wanted.some((one) => matches(value, one))
  if (wanted === null) return value === null || value === undefined
  if (typeof wanted === 'boolean')
    return value === wanted || (typeof value === 'string' && value.toLowerCase() === String(wanted))
  if (typeof wanted === 'number') return numberOf(value) === wanted
  const comparison = COMPARISON.exec(wanted)
  if (comparison) return compares(value, comparison[1] ?? '', comparison[2] ?? '')
  const text = textOf(value)
  return text !== null && glob(text, wanted)
}

/** Returns true if a condition compares numbers only, and the value is none. */
export function lacksNumber(value: unknown, wanted: Condition): boolean {
  const isAmount = [wanted].flat().every((one) => typeof one === 'string' && AMOUNT.test(one))
  return isAmount && numberOf(value) === null
}

function compares(value: unknown, operator: string, operand: string): boolean {
  if (operator === '!=') return !matches(value, operand)
  const left = numberOf(value)
  const right = numberOf(operand)
  if (left === null || right === null) return false
  switch (operator) {
    case '>=':
      return left >= right
    case '<=':
      return left <= right
    case '>':
      return left > right
    default:
      return left < right
  }
}

function numberOf(value: unknown): number | null {
  if (typeof value === 'bigint') return Number(value)
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value
  return typeof number === 'number' && Number.isFinite(number) ? number : null
}

/** Returns a plain value as text; null for objects, lists and what is absent. */
export function textOf(value: unknown): string | null {
  if (typeof value === 'string') return value
  if (typeof value === 'number' || typeof value === 'boolean' || typeof value === 'bigint') return String(value)
  if (value instanceof Date && !Number.isNaN(value.getTime())) return value.toISOString()
  return null
}

/** Compares without a regular expression, which several `*` would make slow. Letters of both cases are equal. */
function glob(text: string, pattern: string): boolean {
  const [given, wanted] = [text.toLowerCase(), pattern.toLowerCase()]
  let at = 0
  let inPattern = 0
  let star = -1
  let resume = 0
  while (at < given.length) {
    const char = wanted[inPattern]
    if (char === '*') {
      star = inPattern++
      resume = at
    } else if (char === '?' || (char !== undefined && char === given[at])) {
      at++
      inPattern++
    } else if (star >= 0) {
      inPattern = star + 1
      at = ++resume
    } else return false
  }
  while (wanted[inPattern] === '*') inPattern++
  return inPattern === wanted.length
}
