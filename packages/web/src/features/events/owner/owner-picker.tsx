import type { ServiceEvent } from '@benchwatch/contract/events/events'
import type { User } from '@benchwatch/contract/users/users'
import { Button, Combobox, useCombobox } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useId, useState } from 'react'
import { BlockedButton } from '../../../ui/overlay/blocked-button.tsx'
import { Chevron } from '../../../ui/text/chevron.tsx'
import { RetryLine } from '../../../ui/text/notice.tsx'
import { usersQuery } from '../../users/users.api.ts'
import { useEventActions } from '../use-event-actions.ts'
import { assignableUsers, mayAssignToMe, mayChangeOwner, ownerLabel, type Viewer } from './event-owner.ts'
import styles from './owner-picker.module.css'

/** Shows the owner and the list of users to assign: 'Assign to me' first, all others searchable by name. */
export function OwnerPicker({ event, viewer }: { event: ServiceEvent; viewer: Viewer }) {
  const { data: users, isError, refetch } = useQuery(usersQuery())
  const [search, setSearch] = useState('')
  const listId = useId()
  const { assign, isPending, pendingOwner } = useEventActions(viewer)
  const combobox = useCombobox({
    onDropdownClose: () => {
      combobox.resetSelectedOption()
      setSearch('')
    },
    onDropdownOpen: () => combobox.focusSearchInput(),
  })
  // Enter takes the first option after typing.
  const selectFirst = useEffectEvent(() => combobox.selectFirstOption())
  useEffect(() => {
    if (search !== '') selectFirst()
  }, [search])
  const chosen = pendingOwner === null ? undefined : users?.find(({ id }) => id === pendingOwner)
  const owner = chosen ? (chosen.id === viewer.id ? 'Me' : chosen.name) : ownerLabel(event, viewer)
  const face = (
    <>
      <span className={styles.word}>Owner:</span> <bdi className={styles.name}>{owner}</bdi>
    </>
  )

  if (!mayChangeOwner(event))
    return (
      <BlockedButton reason="A closed event keeps its owner." label={`Owner: ${owner}`}>
        {face}
      </BlockedButton>
    )

  function handleChoice(userId: string) {
    const user = users?.find(({ id }) => id === userId)
    combobox.closeDropdown()
    combobox.focusTarget()
    if (user !== undefined) void assign(event, user)
  }

  return (
    <Combobox store={combobox} keepMounted={false} onOptionSubmit={handleChoice} position="bottom-start" width={260}>
      <Combobox.Target targetType="button">
        <Button
          variant="default"
          aria-busy={isPending}
          onClick={() => !isPending && combobox.toggleDropdown()}
          aria-label={`Owner: ${owner}`}
        >
          {face}
          <Chevron to="down" className={styles.arrow} />
        </Button>
      </Combobox.Target>
      <Combobox.Dropdown>
        <div role="dialog" aria-label="Choose an owner">
          {users === undefined ? (
            <div className={styles.message}>
              {isError ? (
                <RetryLine onRetry={() => void refetch()}>Could not get users</RetryLine>
              ) : (
                <span role="status">Loading users…</span>
              )}
            </div>
          ) : (
            <>
              <Combobox.Search
                role="combobox"
                aria-expanded={combobox.dropdownOpened}
                aria-controls={listId}
                aria-autocomplete="list"
                value={search}
                onChange={({ currentTarget }) => {
                  setSearch(currentTarget.value)
                  combobox.resetSelectedOption()
                }}
                // Tab chooses nothing. Focus returns to the button, because the popup is the end of the page.
                onKeyDown={(key) => {
                  if (key.key !== 'Tab') return
                  key.preventDefault()
                  combobox.closeDropdown()
                  combobox.focusTarget()
                }}
                placeholder="Search by name"
                aria-label="Search by name"
                classNames={{ input: styles.search }}
              />
              <Combobox.Options id={listId} className={styles.options} aria-label="Owners to choose from">
                <Choices event={event} viewer={viewer} users={users} search={search} />
              </Combobox.Options>
            </>
          )}
        </div>
      </Combobox.Dropdown>
    </Combobox>
  )
}

function Choices(props: { event: ServiceEvent; viewer: Viewer; users: readonly User[]; search: string }) {
  const { event, viewer, users, search } = props
  const me = search === '' && mayAssignToMe(event, viewer, users) ? viewer.id : null
  const others = assignableUsers(users, event, search).filter(({ id }) => id !== me)
  const isShared = (name: string) => users.filter((user) => user.name === name).length > 1
  return (
    <>
      {me !== null && <Combobox.Option value={me}>Assign to me</Combobox.Option>}
      {others.map(({ id, name, email }) => (
        <Combobox.Option key={id} value={id} className={styles.option}>
          <bdi className={styles.optionName}>{name}</bdi>
          {/* Distinguishes users of the same name, where addresses may be shown. */}
          {email !== null && isShared(name) && <span className={styles.email}>{email}</span>}
        </Combobox.Option>
      ))}
      {others.length === 0 && me === null && <Combobox.Empty>No users found</Combobox.Empty>}
    </>
  )
}
