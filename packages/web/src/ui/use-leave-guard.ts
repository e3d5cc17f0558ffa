import { useBlocker } from '@tanstack/react-router'
import { sessionState } from '../lib/session/session.ts'
import { confirm } from './confirm-store.ts'

/** An address on either side of a way. */
export interface Place {
  pathname: string
  search: Readonly<Record<string, unknown>>
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
