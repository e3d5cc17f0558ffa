import { useState } from 'react'
import { applyEdits, changedFields, conflicts, type Edits, hasEdits, realEdits, withoutEdits } from '../lib/draft.ts'

/** A form's edits over a record that may be read again while it is edited. */
export interface Draft<T extends object> {
  /** What the fields show. */
  values: T
  edits: Edits<T>
  isChanged: boolean
  /** Fields that somebody else changed since the form was opened, or since the last saving. */
  changedElsewhere: (keyof T)[]
  /** Of those, the ones that are edited here, too: saving would put the edit in the other's place. */
  contested: (keyof T)[]
  change: (edits: Edits<T>) => void
  discard: () => void
  /** `record` is the new ground of the form; what was edited in `fields` (all, unless told) is in it. */
  saved: (record: T, fields?: readonly (keyof T)[]) => void
}

export function useDraft<T extends object>(record: T): Draft<T> {
  const [seen, setSeen] = useState(record)
  const [edits, setEdits] = useState<Edits<T>>({})
  const isChanged = hasEdits(record, edits)
  const changedElsewhere = changedFields(seen, record)
  // Nothing is at stake without edits: the form simply shows the record as it stands now.
  if (!isChanged && changedElsewhere.length > 0) setSeen(record)
  return {
    values: applyEdits(record, edits),
    edits,
    isChanged,
    changedElsewhere,
    contested: conflicts(edits, seen, record),
    change: (more) => setEdits((known) => realEdits(record, { ...known, ...more })),
    discard: () => {
      setEdits({})
      setSeen(record)
    },
    saved: (now, fields) => {
      setEdits((known) => (fields === undefined ? {} : withoutEdits(known, fields)))
      setSeen(now)
    },
  }
}
