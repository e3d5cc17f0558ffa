import type { ServiceEvent } from '@benchwatch/contract/service-events'
import type { User } from '@benchwatch/contract/users'
import { Button, Combobox, useCombobox } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { usersQuery } from '../users/users.api.ts'
import { assignableUsers, mayAssignToMe, mayChangeOwner, ownerLabel, type Viewer } from './event-owner.ts'
import styles from './status-menu.module.css'
import { useEventActions } from './use-event-actions.ts'

/** Dropdown lists show at most five rows (document 1 section 9). */
const LIST_HEIGHT = 5 * 32

/** Who owns the event, and the list to give it to: 'Assign to me' first, everybody else searchable by name. */
export function OwnerPicker({ event, viewer }: { event: ServiceEvent; viewer: Viewer }) {
  const { data: users = [], isError } = useQuery(usersQuery())
  const [search, setSearch] = useState('')
  const { assign, isPending, pendingOwner } = useEventActions(viewer)
  const combobox = useCombobox({
    onDropdownClose: () => {
      combobox.resetSelectedOption()
      setSearch('')
    },
    onDropdownOpen: () => combobox.focusSearchInput(),
  })
  const chosen = pendingOwner === null ? undefined : users.find(({ id }) => id === pendingOwner)
  const owner = chosen ? (chosen.id === viewer.id ? 'Me' : chosen.name) : ownerLabel(event, viewer)

  if (!mayChangeOwner(event))
    return (
      <span title="A closed event keeps its owner" className={styles.blocked}>
        <Button variant="default" disabled aria-label={`Owner: ${owner}`}>
          Owner: {owner}
        </Button>
      </span>
    )

  const me = mayAssignToMe(event, viewer, users) ? users.find(({ id }) => id === viewer.id) : undefined
  const others = assignableUsers(users, event, search).filter(({ id }) => id !== viewer.id)

  function handleChoice(userId: string) {
    const user = users.find(({ id }) => id === userId)
    combobox.closeDropdown()
    if (user !== undefined) void assign(event, user)
  }

  return (
    <Combobox store={combobox} keepMounted={false} onOptionSubmit={handleChoice} position="bottom-end" width={240}>
      <Combobox.Target targetType="button">
        <Button
          variant="default"
          loading={isPending}
          onClick={() => combobox.toggleDropdown()}
          aria-label={`Owner: ${owner}`}
        >
          Owner: {owner} ▾
        </Button>
      </Combobox.Target>
      <Combobox.Dropdown>
        <div role="dialog" aria-label="Choose an owner">
          <Combobox.Search
            role="combobox"
            aria-expanded={combobox.dropdownOpened}
            value={search}
            onChange={({ currentTarget }) => setSearch(currentTarget.value)}
            placeholder="Search by name"
            aria-label="Search by name"
            classNames={{ input: styles.search }}
          />
          <Combobox.Options mah={LIST_HEIGHT} style={{ overflowY: 'auto' }} aria-label="Owners to choose from">
            {me !== undefined && search === '' && <Combobox.Option value={me.id}>Assign to me</Combobox.Option>}
            {others.map((user: User) => (
              <Combobox.Option key={user.id} value={user.id}>
                {user.name}
              </Combobox.Option>
            ))}
            {others.length === 0 && me === undefined && (
              <Combobox.Empty>{isError ? 'Could not get users' : 'Nobody found'}</Combobox.Empty>
            )}
          </Combobox.Options>
        </div>
      </Combobox.Dropdown>
    </Combobox>
  )
}
