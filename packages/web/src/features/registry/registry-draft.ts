import type { FieldProblems } from '../../lib/field-problems.ts'
import type { RegistryObject, RegistryValue } from './registry.api.ts'
import type { RegistryField, RegistryKindFields } from './registry-fields.ts'

/** What the form of a registry object holds: texts as typed, and boxes. Empty texts are absent values. */
export type RegistryDraft = Record<string, string | boolean>

/** The form of an object as it stands; `null` for a new one. */
export function registryDraft(fields: readonly RegistryField[], object: RegistryObject | null): RegistryDraft {
  return Object.fromEntries(fields.map((field) => [field.name, draftValue(field, object?.[field.name] ?? null)]))
}

function draftValue({ input, name }: RegistryField, value: RegistryValue): string | boolean {
  if (input.kind === 'yes-no') return value === true
  // Sites without a zone are at UTC (wire 13).
  if (name === 'timeZone' && value === null) return 'UTC'
  return value === null ? '' : String(value)
}

/** The body of the request. Call it only for a draft without problems. */
export function registryInput(fields: readonly RegistryField[], draft: RegistryDraft): Record<string, RegistryValue> {
  return Object.fromEntries(fields.map((field) => [field.name, inputValue(field, draft[field.name] ?? '')]))
}

function inputValue({ input }: RegistryField, value: string | boolean): RegistryValue {
  if (typeof value === 'boolean') return value
  const text = value.trim()
  if (text === '') return null
  return input.kind === 'number' ? Number(text.replace(',', '.')) : text
}

/** What keeps the form from being sent, by field. */
export function registryProblems(fields: readonly RegistryField[], draft: RegistryDraft): FieldProblems {
  const found: Record<string, string> = {}
  for (const field of fields) {
    const problem = fieldProblem(field, draft[field.name] ?? '')
    if (problem !== null) found[field.name] = problem
  }
  const [hasLatitude, hasLongitude] = [draft.latitude, draft.longitude].map((value) => (value ?? '') !== '')
  if (hasLatitude && !hasLongitude) found.longitude ??= 'Latitude and longitude go together.'
  if (hasLongitude && !hasLatitude) found.latitude ??= 'Latitude and longitude go together.'
  return found
}

function fieldProblem({ input, required, label }: RegistryField, value: string | boolean): string | null {
  if (typeof value === 'boolean') return null
  const text = value.trim()
  if (text === '') {
    if (required !== true) return null
    return input.kind === 'reference' || input.kind === 'choice' || input.kind === 'time-zone'
      ? `Choose ${withArticle(label)}.`
      : `Enter ${withArticle(label)}.`
  }
  if (input.kind === 'number') {
    const number = Number(text.replace(',', '.'))
    if (!Number.isFinite(number) || number < input.min || number > input.max)
      return `Enter a number from ${input.min} to ${input.max}.`
  }
  if (input.kind === 'date' && !/^\d{4}-\d{2}-\d{2}$/.test(text)) return 'Enter a day.'
  return null
}

function withArticle(label: string): string {
  const word = label.charAt(0).toLowerCase() + label.slice(1)
  return `${/^[aeiou]/.test(word) ? 'an' : 'a'} ${word}`
}

export function keyProblem({ keyPattern, keyLabel, keyHint }: RegistryKindFields, key: string): string | null {
  if (key.trim() === '') return `Enter ${withArticle(keyLabel)}.`
  return keyPattern.test(key.trim()) ? null : keyHint
}
