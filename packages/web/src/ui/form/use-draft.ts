import { useBlocker } from '@tanstack/react-router'
import { useState } from 'react'
import { applyEdits, changedFields, conflicts, type Edits, hasEdits, realEdits, withoutEdits } from '../../lib/draft.ts'
import { sessionState } from '../../lib/session/session.ts'
import { confirm } from '../overlay/confirm.tsx'

/** An address on either side of a way. */
export interface Place {
  pathname: string
  search: Readonly<Record<string, unknown>>
}

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

/**
 * Asks once before a way off the screen would lose what was typed; the browser asks where the whole page would go.
 * The end of a session asks nobody. `isWayOff`: whether a way leads off the form, for one that has no path of its own.
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

/** Asks whether what was typed may be lost. */
export function mayLeave(): Promise<boolean> {
  return confirm({
    message: 'Leave without saving? What you changed here will be lost.',
    confirmLabel: 'Leave',
    cancelLabel: 'Stay',
    isDestructive: true,
  })
}
