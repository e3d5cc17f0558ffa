import type { Role } from '@benchwatch/contract/vocabulary'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { SearchSelect } from '../../ui/form/search-select.tsx'
import { foundUsers } from '../users/found-users.ts'
import { meQuery, usersQuery } from '../users/users.api.ts'
import styles from './person-choice.module.css'

/** Of whom it is asked: oneself, or anybody for support and administrators. The server holds the same rule. */
export type Whom =
  | { state: 'known'; userId: string | null; mayChoose: boolean }
  /** Who asks is not known yet; then the answer of `retry`, where it could not be read. */
  | { state: 'unknown'; error: Error | null; retry: () => void }
  | { state: 'refused' }

/** Of whom it is asked, found by name or address. `userId` and what `onChoose` tells: null for oneself. */
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
    <div className={styles.choice}>
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
    </div>
  )
}

/** Support and administrators know what others were told. */
export function mayAskOfOthers(role: Role | undefined): boolean {
  return role === 'support' || role === 'admin'
}

/** `asked`: whom the address names; null for oneself. A link to oneself is as good as none. */
export function useWhom(asked: string | null): Whom {
  const me = useQuery(meQuery())
  const mayChoose = mayAskOfOthers(me.data?.role)
  if (asked === null || asked === me.data?.id) return { state: 'known', userId: null, mayChoose }
  if (me.data === undefined) return { state: 'unknown', error: me.error, retry: () => void me.refetch() }
  return mayChoose ? { state: 'known', userId: asked, mayChoose } : { state: 'refused' }
}

/** The name of somebody else; null while it is not known, and where nobody has this id. */
export function useNameOf(userId: string | null): string | null {
  const users = useQuery({ ...usersQuery(), enabled: userId !== null })
  return users.data?.find(({ id }) => id === userId)?.name ?? null
}
