import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { SearchSelect } from '../../ui/search-select.tsx'
import { foundUsers } from '../users/found-users.ts'
import { meQuery, usersQuery } from '../users/users.api.ts'
import styles from './person-choice.module.css'

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
