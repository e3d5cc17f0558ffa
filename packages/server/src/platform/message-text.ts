import { type Placeholder, unknownPlaceholders } from '@benchwatch/contract/messages/placeholders'
import { problem } from './http/problem.ts'

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }

/** Escapes a text for HTML, between tags or in a quoted attribute. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => entities[character] ?? character)
}

/** Replaces line breaks and other control characters, which a subject or a list item must not contain. */
export function oneLine(text: string): string {
  return text.replace(/[\s\p{Cc}]+/gu, ' ').trim()
}

/**
 * Throws unknown-placeholder if one of these texts has an unknown placeholder in braces; the message lists the known
 * ones.
 */
export function requirePlaceholders(texts: Readonly<Record<string, string>>, known: readonly Placeholder[]): void {
  const mistakes = Object.entries(texts)
    .map(([field, text]) => ({ field, unknown: unknownPlaceholders(text, known) }))
    .filter(({ unknown }) => unknown.length > 0)
  if (mistakes.length === 0) return
  const sentence = (unknown: readonly string[]) =>
    `Unknown ${unknown.length === 1 ? 'placeholder' : 'placeholders'}: ${inBraces(unknown)}. Use one of ${inBraces(known.map(({ name }) => name))}, or remove the braces.`
  throw problem('unknown-placeholder', sentence([...new Set(mistakes.flatMap(({ unknown }) => unknown))]), {
    errors: mistakes.map(({ field, unknown }) => ({ path: `body.${field}`, message: sentence(unknown) })),
  })
}

function inBraces(names: readonly string[]): string {
  return names.map((name) => `{${name}}`).join(', ')
}
