/**
 * Edits of a record that other users may change at the same time. Fields without an edit follow the record, edited
 * fields keep the edit. A change by another user is never overwritten unseen.
 */

export type Edits<T> = Partial<T>

export function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other)
}

/** Returns the record with the edits applied. */
export function applyEdits<T extends object>(record: T, edits: Edits<T>): T {
  return { ...record, ...edits }
}

/** True if saving would change the record. */
export function hasEdits<T extends object>(record: T, edits: Edits<T>): boolean {
  return fieldsOf(realEdits(record, edits)).length > 0
}

/** Drops edits that equal the record's value, so that a field that was set back follows the record again. */
export function realEdits<T extends object>(record: T, edits: Edits<T>): Edits<T> {
  return withoutEdits(
    edits,
    fieldsOf(edits).filter((field) => isSame(edits[field], record[field])),
  )
}

/** Returns the edits of all other fields. */
export function withoutEdits<T extends object>(edits: Edits<T>, fields: readonly (keyof T)[]): Edits<T> {
  const left = { ...edits }
  for (const field of fields) delete left[field]
  return left
}

/** Returns the fields that differ between two versions of a record. */
export function changedFields<T extends object>(before: T, after: T): (keyof T)[] {
  return fieldsOf(after).filter((field) => !isSame(before[field], after[field]))
}

/** Returns the edited fields that another user changed between two versions, to a value other than the edit's. */
export function conflicts<T extends object>(edits: Edits<T>, before: T, after: T): (keyof T)[] {
  return changedFields(before, after).filter((field) => field in edits && !isSame(edits[field], after[field]))
}

function fieldsOf<T extends object>(record: T): (keyof T)[] {
  return Object.keys(record) as (keyof T)[]
}
