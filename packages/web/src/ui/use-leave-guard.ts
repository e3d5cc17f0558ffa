import { useBlocker } from '@tanstack/react-router'
import { sessionState } from '../lib/session/session.ts'
import { confirm } from './confirm-store.ts'

/**
 * Asks once before a way off the screen would lose what was typed; the browser asks where the whole page would go.
 * The end of a session asks nobody.
 */
export function useLeaveGuard(hasUnsaved: boolean): void {
  useBlocker({
    disabled: !hasUnsaved,
    enableBeforeUnload: hasUnsaved,
    shouldBlockFn: async ({ current, next }) => {
      if (current.pathname === next.pathname || sessionState().status !== 'signed-in') return false
      return !(await confirm({
        message: 'Leave without saving? What you changed here will be lost.',
        confirmLabel: 'Leave',
        cancelLabel: 'Stay',
        isDestructive: true,
      }))
    },
  })
}
