/**
 * Compares a form with its record, which other users may change at the same time. A change by another user is never
 * overwritten unseen.
 */

export function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other)
}

/** Returns the fields that differ between two versions of a record. */
export function changedFields<T extends object>(before: T, after: T): (keyof T)[] {
  return (Object.keys(after) as (keyof T)[]).filter((field) => !isSame(before[field], after[field]))
}

/** Returns the values that differ from the record. A field that was set back is not an edit. */
export function editsOf<T extends object>(record: T, values: T): Partial<T> {
  const edits: Partial<T> = {}
  for (const field of changedFields(record, values)) edits[field] = values[field]
  return edits
}

/** Returns the edited fields that another user changed between two versions, to a value other than the edit's. */
export function conflicts<T extends object>(edits: Partial<T>, before: T, after: T): (keyof T)[] {
  return changedFields(before, after).filter((field) => field in edits && !isSame(edits[field], after[field]))
}
