import { type Placeholder, unknownPlaceholders } from '@benchwatch/contract/placeholders'
import { problem } from './http/problem.ts'

/** Throws unknown-placeholder where one of these texts of a body names in braces what nothing stands for; says what does. */
export function requirePlaceholders(texts: Readonly<Record<string, string>>, known: readonly Placeholder[]): void {
  const slips = Object.entries(texts)
    .map(([field, text]) => ({ field, unknown: unknownPlaceholders(text, known) }))
    .filter(({ unknown }) => unknown.length > 0)
  if (slips.length === 0) return
  const words = (unknown: readonly string[]) =>
    `Nothing stands for ${inBraces(unknown)}. Use one of ${inBraces(known.map(({ name }) => name))}, or leave out the braces.`
  throw problem('unknown-placeholder', words([...new Set(slips.flatMap(({ unknown }) => unknown))]), {
    errors: slips.map(({ field, unknown }) => ({ path: `body.${field}`, message: words(unknown) })),
  })
}

function inBraces(names: readonly string[]): string {
  return names.map((name) => `{${name}}`).join(', ')
}
