import { useQuery } from '@tanstack/react-query'
import { usersQuery } from '../users/users.api.ts'
import type { FilterPeople } from './event-filters.ts'
import { useViewer } from './use-viewer.ts'

/** Whose names the owner filter shows. */
export function useFilterPeople(): FilterPeople {
  const { id } = useViewer()
  const users = useQuery(usersQuery())
  // Names that can't be had must not keep a chip waiting for ever.
  return { users: users.data ?? (users.isError ? [] : undefined), viewerId: id }
}
