import type { User } from '@benchwatch/contract/users'
import { Button, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { assignableUsers, type Viewer } from '../service-events/event-owner.ts'
import { usersQuery } from '../users/users.api.ts'
import styles from './owner-choice.module.css'

/** Whom to give the events to: everybody of the user list but oneself, searchable by name. */
export function OwnerChoice(props: { viewer: Viewer; chosen: User | null; onChoose: (user: User) => void }) {
  const users = useQuery(usersQuery())
  const [search, setSearch] = useState('')
  const shown = assignableUsers(users.data ?? [], { claimedBy: props.viewer.id }, search)
  return (
    <fieldset className={styles.choice}>
      <legend className={styles.legend}>New owner</legend>
      <TextInput
        aria-label="Search by name"
        placeholder="Search by name"
        data-autofocus
        autoComplete="off"
        spellCheck={false}
        value={search}
        onChange={({ currentTarget }) => setSearch(currentTarget.value)}
        onKeyDown={(key) => {
          // The choice is not made yet.
          if (key.key === 'Enter') key.preventDefault()
        }}
      />
      <div className={styles.list}>
        {shown.map((user) => (
          <label key={user.id} className={styles.row}>
            <input
              type="radio"
              name="owner"
              checked={props.chosen?.id === user.id}
              onChange={() => props.onChoose(user)}
            />
            <bdi className={styles.name}>{user.name}</bdi>
            {user.email !== null && <span className={styles.address}>{user.email}</span>}
          </label>
        ))}
        {shown.length === 0 && <p className={styles.none}>{emptyWords(users)}</p>}
      </div>
      {users.isError && (
        <Button variant="default" size="compact-sm" mt={8} onClick={() => void users.refetch()}>
          Try again
        </Button>
      )}
    </fieldset>
  )
}

function emptyWords({ isPending, isError }: { isPending: boolean; isError: boolean }): string {
  if (isPending) return 'Loading…'
  return isError ? 'Could not get users' : 'Nobody found'
}
