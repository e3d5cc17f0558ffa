import { type Placeholder, unknownPlaceholders } from '@benchwatch/contract/messages/placeholders'
import type { FieldProblems } from './http.ts'

/** Returns a message for each field with unknown placeholders, shown while the user types. */
export function placeholderProblems(
  texts: Readonly<Record<string, string>>,
  known: readonly Placeholder[],
): FieldProblems {
  const found: Record<string, string> = {}
  for (const [field, text] of Object.entries(texts)) {
    const unknown = unknownPlaceholders(text, known)
    if (unknown.length > 0) found[field] = unknownMessage(unknown, known)
  }
  return found
}

/** Formats e.g. 'Unknown placeholder: {contactname}. Did you mean {contactName}?'. */
function unknownMessage(unknown: readonly string[], known: readonly Placeholder[]): string {
  const named = unknown.map((name) => `{${name}}`).join(', ')
  const [first] = unknown
  const meant = unknown.length === 1 && first !== undefined ? meantPlaceholder(first, known) : undefined
  const advice = meant === undefined ? 'Choose from the list below.' : `Did you mean {${meant}}?`
  return `Unknown placeholder${unknown.length === 1 ? '' : 's'}: ${named}. ${advice}`
}

/** Finds the placeholder with the same letters, ignoring case and separators. */
function meantPlaceholder(name: string, known: readonly Placeholder[]): string | undefined {
  const letters = (text: string) => text.toLowerCase().replace(/[^a-z]/g, '')
  return known.find((placeholder) => letters(placeholder.name) === letters(name))?.name
}
