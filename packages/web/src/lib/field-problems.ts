import { ApiError } from './http.ts'

/** Messages by field of a form. */
export type FieldProblems = Readonly<Record<string, string>>

/**
 * What the server refused, by the field of the body that it names; a place inside a list counts for the list. Empty for
 * errors that name no field: their sentence stands in `message`.
 */
export function fieldProblems(error: unknown): FieldProblems {
  if (!(error instanceof ApiError)) return {}
  const found: Record<string, string> = {}
  for (const { path, message } of error.problem?.errors ?? []) {
    const [place, field] = path.split('.')
    if (place === 'params' && field !== undefined) found.key ??= message
    if (place === 'body' && field !== undefined) found[field] ??= message
  }
  return found
}
