/**
 * Edits of a record that others may change at the same time. The edits lie over the record as it stands: fields that a
 * person left alone follow the record, fields that they changed stay. Nothing of another person is overwritten unseen.
 */

export type Edits<T> = Partial<T>

export function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other)
}

/** The record with the edits on it. */
export function applyEdits<T extends object>(record: T, edits: Edits<T>): T {
  return { ...record, ...edits }
}

/** Whether saving would change the record. */
export function hasEdits<T extends object>(record: T, edits: Edits<T>): boolean {
  return fieldsOf(realEdits(record, edits)).length > 0
}

/** Without those that say what the record says: a field that was put back follows the record again. */
export function realEdits<T extends object>(record: T, edits: Edits<T>): Edits<T> {
  return withoutEdits(
    edits,
    fieldsOf(edits).filter((field) => isSame(edits[field], record[field])),
  )
}

/** The edits of all other fields. */
export function withoutEdits<T extends object>(edits: Edits<T>, fields: readonly (keyof T)[]): Edits<T> {
  const left = { ...edits }
  for (const field of fields) delete left[field]
  return left
}

/** Fields that differ between two readings of a record. */
export function changedFields<T extends object>(before: T, after: T): (keyof T)[] {
  return fieldsOf(after).filter((field) => !isSame(before[field], after[field]))
}

/** Edited fields that somebody else changed between two readings, to another value than the edit's. */
export function conflicts<T extends object>(edits: Edits<T>, before: T, after: T): (keyof T)[] {
  return changedFields(before, after).filter((field) => field in edits && !isSame(edits[field], after[field]))
}

function fieldsOf<T extends object>(record: T): (keyof T)[] {
  return Object.keys(record) as (keyof T)[]
}
