import { useBlocker } from '@tanstack/react-router'
import { useState } from 'react'
import { applyEdits, changedFields, conflicts, type Edits, hasEdits, realEdits, withoutEdits } from '../../lib/draft.ts'
import { sessionState } from '../../lib/session/session.ts'
import { confirm } from '../overlay/confirm.tsx'

/** Origin or target of a navigation. */
export interface Place {
  pathname: string
  search: Readonly<Record<string, unknown>>
}

/** Edits of a form over a record that may be reloaded meanwhile. */
export interface Draft<T extends object> {
  /** Values to show in the fields. */
  values: T
  edits: Edits<T>
  isChanged: boolean
  /** Fields that another user changed since the form was opened or last saved. */
  changedElsewhere: (keyof T)[]
  /** Changed fields that are also edited here: saving would overwrite the other user's value. */
  contested: (keyof T)[]
  change: (edits: Edits<T>) => void
  discard: () => void
  /**
   * Call with the saved `record`; it becomes the new base of the form. The edits of `fields` (default: all) are done.
   */
  saved: (record: T, fields?: readonly (keyof T)[]) => void
}

export function useDraft<T extends object>(record: T): Draft<T> {
  const [seen, setSeen] = useState(record)
  const [edits, setEdits] = useState<Edits<T>>({})
  const isChanged = hasEdits(record, edits)
  const changedElsewhere = changedFields(seen, record)
  // Without edits the form simply follows the record.
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

/**
 * Asks once before a navigation would lose unsaved input; the browser asks if the whole page is left. The end of a
 * session does not ask. `isWayOff` returns true if a navigation leaves a form that has no path of its own.
 */
export function useLeaveGuard(hasUnsaved: boolean, isWayOff = isOtherPath): void {
  useBlocker({
    disabled: !hasUnsaved,
    enableBeforeUnload: hasUnsaved,
    shouldBlockFn: async ({ current, next }) => {
      if (!isWayOff(current, next) || sessionState().status !== 'signed-in') return false
      return !(await mayLeave())
    },
  })
}

function isOtherPath(current: Place, next: Place): boolean {
  return current.pathname !== next.pathname
}

/** Asks whether unsaved input may be discarded. */
export function mayLeave(): Promise<boolean> {
  return confirm({
    message: 'Leave without saving? Your changes will be lost.',
    confirmLabel: 'Leave',
    cancelLabel: 'Stay',
    isDestructive: true,
  })
}
