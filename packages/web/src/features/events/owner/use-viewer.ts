import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { useSession } from '../../../lib/session/session.ts'
import { meQuery } from '../../users/users.api.ts'
import type { Viewer } from './event-owner.ts'

/**
 * Returns the signed-in user. Until the account is read, or if it cannot be, the id comes from the session and the
 * narrowest role is assumed, so the screen offers too little, never too much.
 */
export function useViewer(): Viewer {
  const { user } = useSession()
  const me = useQuery(meQuery())
  const id = me.data?.id ?? user?.userId ?? ''
  const role = me.data?.role ?? 'customer'
  // Must stay the same object while nothing changed, or every row of the list repaints.
  return useMemo(() => ({ id, role }), [id, role])
}
