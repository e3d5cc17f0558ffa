import type { User } from '@benchwatch/contract/users'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { SearchSelect } from '../../ui/search-select.tsx'
import { foundUsers } from '../users/found-users.ts'
import { usersQuery } from '../users/users.api.ts'

/** One of the users whom the person may know, found by name and address. */
export function UserInput(props: { label: string; value: User | null; onChange: (user: User | null) => void }) {
  const [search, setSearch] = useState('')
  const users = useQuery(usersQuery())
  const options = foundUsers(users.data ?? [], search)
  return (
    <SearchSelect
      label={props.label}
      text={props.value?.name ?? ''}
      options={options.map(({ id, name, email }) => ({ value: id, label: name, hint: email ?? undefined }))}
      isLoading={users.isPending}
      failed={users.isError}
      onSearch={setSearch}
      onChoose={(id) => props.onChange(users.data?.find((known) => known.id === id) ?? null)}
      onClear={() => props.onChange(null)}
    />
  )
}
