import type { AuditEntry } from '../../db/audit.ts'

type Properties = Record<string, unknown>

/**
 * What a replacement changes: one entry per property of `after` that differs from `before`; creation is one entry with
 * the whole object. Empty when nothing changed.
 */
export function changedProperties(before: object | undefined, after: object): AuditEntry[] {
  if (!before) return [{ action: 'created', newValue: JSON.stringify(after) }]
  return Object.entries(after).flatMap(([property, value]) => {
    const oldValue = asText((before as Properties)[property])
    const newValue = asText(value)
    return oldValue === newValue ? [] : [{ action: 'update', property, oldValue, newValue }]
  })
}

function asText(value: unknown): string | null {
  if (value === null || value === undefined) return null
  return typeof value === 'string' ? value : JSON.stringify(value)
}
