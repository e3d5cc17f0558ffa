import type { Role } from '@benchwatch/contract/vocabulary'
import { Box } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { SearchSelect } from '../../ui/form/search-select.tsx'
import { foundUsers } from '../users/found-users.ts'
import { meQuery, usersQuery } from '../users/users.api.ts'

/**
 * The user whose notifications are shown: the viewer, or any user for support and administrators. The server enforces
 * the same rule.
 */
export type ChosenUser =
  | { state: 'known'; userId: string | null; mayChoose: boolean }
  /** The viewer's account is loading, or failed to load; `retry` then loads it again. */
  | { state: 'unknown'; error: Error | null; retry: () => void }
  | { state: 'refused' }

/** Chooses a user by name or address. `userId` and the value for `onChoose` are null for the viewer. */
export function PersonChoice(props: {
  userId: string | null
  name: string | null
  onChoose: (userId: string | null) => void
}) {
  const me = useQuery(meQuery()).data
  const users = useQuery(usersQuery())
  const [search, setSearch] = useState('')
  const options = foundUsers(users.data ?? [], search).map(({ id, name, email }) => ({
    value: id,
    label: id === me?.id ? `${name} (you)` : name,
    hint: email ?? undefined,
  }))
  return (
    <Box w={{ base: 'calc(100vw - 24px)', md: 380 }} maw="100%">
      <SearchSelect
        label="Person"
        text={props.userId === null ? `${me?.name ?? ''} (you)` : (props.name ?? '…')}
        options={options}
        isLoading={users.isPending}
        failed={users.isError}
        onSearch={setSearch}
        onChoose={(id) => props.onChoose(id === me?.id ? null : id)}
        onClear={props.userId === null ? undefined : () => props.onChoose(null)}
      />
    </Box>
  )
}

/** Support and administrators may see the notifications of other users. */
export function maySeeOthers(role: Role | undefined): boolean {
  return role === 'support' || role === 'admin'
}

/** Resolves the user ID from the address. The viewer's own ID counts as null. */
export function useChosenUser(addressed: string | null): ChosenUser {
  const me = useQuery(meQuery())
  const mayChoose = maySeeOthers(me.data?.role)
  if (addressed === null || addressed === me.data?.id) return { state: 'known', userId: null, mayChoose }
  if (me.data === undefined) return { state: 'unknown', error: me.error, retry: () => void me.refetch() }
  return mayChoose ? { state: 'known', userId: addressed, mayChoose } : { state: 'refused' }
}

/** The name of another user; null while it loads, and for an unknown ID. */
export function useUserName(userId: string | null): string | null {
  const users = useQuery({ ...usersQuery(), enabled: userId !== null })
  return users.data?.find(({ id }) => id === userId)?.name ?? null
}
