import type { AuditEntry } from './audit.ts'

/**
 * Returns the audit entries of a replacement: one per property of `after` that differs from `before`; a creation is
 * one entry with the whole object. Values other than texts are written as JSON. Empty if nothing changed.
 */
export function changedProperties(before: object | undefined, after: object): AuditEntry[] {
  if (!before) return [{ action: 'created', newValue: JSON.stringify(after) }]
  const old = new Map<string, unknown>(Object.entries(before))
  return Object.entries(after).flatMap(([property, value]) => {
    const oldValue = asText(old.get(property))
    const newValue = asText(value)
    return oldValue === newValue ? [] : [{ action: 'update', property, oldValue, newValue }]
  })
}

function asText(value: unknown): string | null {
  if (value === null || value === undefined) return null
  return typeof value === 'string' ? value : JSON.stringify(value)
}
