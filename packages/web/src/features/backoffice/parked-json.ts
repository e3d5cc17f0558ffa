import { reasonOf } from '../../lib/reason.ts'

/** The text of a parked item: what came may be no JSON at all. */

/** With lines of its own, so that it can be read; as it came where it is no JSON. */
export function readableJson(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2)
  } catch {
    return text
  }
}

/** What keeps it from being sent; null for JSON. */
export function jsonProblem(text: string): string | null {
  if (text.trim() === '') return 'Item cannot be empty.'
  try {
    JSON.parse(text)
    return null
  } catch (error) {
    return `This is not valid JSON: ${reasonOf(error)}.`
  }
}
