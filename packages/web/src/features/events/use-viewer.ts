import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { useSession } from '../../lib/session/session.ts'
import { meQuery } from '../users/users.api.ts'
import type { Viewer } from './event-owner.ts'

/**
 * Who looks at the events. Until the account is read, or when it can't be, the session says who it is, and the narrowest
 * role is assumed: the screen then offers too little, never too much.
 */
export function useViewer(): Viewer {
  const { user } = useSession()
  const me = useQuery(meQuery())
  const id = me.data?.id ?? user?.userId ?? ''
  const role = me.data?.role ?? 'customer'
  // The same object while nothing changed, or every row of the list would be painted again.
  return useMemo(() => ({ id, role }), [id, role])
}
