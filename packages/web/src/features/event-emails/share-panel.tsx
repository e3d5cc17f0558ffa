import type { User } from '@benchwatch/contract/users'
import { limits } from '@benchwatch/contract/vocabulary'
import { Button, Group, MultiSelect, Stack, Textarea } from '@mantine/core'
import '@mantine/core/styles/Pill.layer.css'
import '@mantine/core/styles/PillsInput.layer.css'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { folded } from '../../lib/folded.ts'
import { usersQuery } from '../users/users.api.ts'
import { canShare, commentLength, isCommentTooLong, type ShareForm } from './share-form.ts'
import styles from './share-panel.module.css'

const count = new Intl.NumberFormat('en')

/** Form for recipients and comment. */
export function SharePanel(props: {
  form: ShareForm
  onChange: (form: ShareForm) => void
  isPending: boolean
  onShare: () => void
  onCancel: () => void
}) {
  const { form, onChange, isPending } = props
  const users = useQuery(usersQuery())
  const receivers = useRef<HTMLInputElement>(null)
  const [isListOpen, setListOpen] = useState(false)
  // The popover looks for its first field before this panel is loaded.
  useEffect(() => receivers.current?.focus(), [])
  const byId = new Map((users.data ?? []).map((user) => [user.id, user]))
  const isFull = form.receiverIds.length >= limits.shareReceivers
  const isTooLong = isCommentTooLong(form)
  return (
    <form
      className={styles.panel}
      onSubmit={(submit) => {
        submit.preventDefault()
        if (canShare(form) && !isPending) props.onShare()
      }}
    >
      <Stack gap="sm">
        <h2 className={styles.title}>Email Event</h2>
        <MultiSelect
          ref={receivers}
          label="Recipients"
          // A list that opens at once would cover the comment.
          openOnFocus={false}
          placeholder={form.receiverIds.length === 0 ? 'Search by name' : ''}
          data={options(users.data ?? [], form.receiverIds)}
          value={form.receiverIds}
          onChange={(receiverIds) => {
            onChange({ ...form, receiverIds })
            // An open list would cover the comment and the button.
            setListOpen(false)
          }}
          dropdownOpened={isListOpen}
          onDropdownOpen={() => setListOpen(true)}
          onDropdownClose={() => setListOpen(false)}
          readOnly={isPending}
          searchable
          role="combobox"
          aria-autocomplete="list"
          hidePickedOptions
          maxValues={limits.shareReceivers}
          withScrollArea={false}
          filter={({ options: all, search }) =>
            all.filter((option) => 'value' in option && folded(option.label).includes(folded(search.trim())))
          }
          renderOption={({ option }) => <Person name={option.label} address={byId.get(option.value)?.email ?? null} />}
          nothingFoundMessage={emptyLabel(users)}
          error={users.isError && 'Could not get users'}
          description={isFull ? `At most ${limits.shareReceivers} at a time.` : undefined}
          // Inside the popover, so that a click on an option is not a click outside it.
          comboboxProps={{ withinPortal: false }}
          classNames={{
            input: styles.receivers,
            inputField: styles.search,
            pill: styles.pill,
            options: styles.options,
          }}
        />
        {users.isError && (
          <Button variant="default" size="compact-sm" w="fit-content" onClick={() => void users.refetch()}>
            Try again
          </Button>
        )}
        <Textarea
          label="Comment (optional)"
          rows={4}
          resize="vertical"
          readOnly={isPending}
          value={form.comment}
          error={isTooLong && `A comment has at most ${count.format(limits.shareMessage)} characters`}
          onChange={({ currentTarget }) => onChange({ ...form, comment: currentTarget.value })}
        />
        <Group justify="space-between" gap="xs">
          <span className={styles.counter} data-over={isTooLong || undefined}>
            {count.format(commentLength(form))} / {count.format(limits.shareMessage)}
          </span>
          <Group gap="xs">
            <Button variant="default" onClick={props.onCancel}>
              Cancel
            </Button>
            <Button type="submit" disabled={!canShare(form)} loading={isPending}>
              Share
            </Button>
          </Group>
        </Group>
      </Stack>
    </form>
  )
}

/** Keeps chosen users even if a reloaded list no longer contains them: their chips need a name. */
function options(users: readonly User[], chosen: readonly string[]) {
  const listed = users.map(({ id, name }) => ({ value: id, label: name }))
  const missing = chosen.filter((id) => !users.some((user) => user.id === id))
  return [...listed, ...missing.map((id) => ({ value: id, label: '(No longer listed)' }))]
}

function Person({ name, address }: { name: string; address: string | null }) {
  return (
    <span className={styles.person}>
      <bdi className={styles.name}>{name}</bdi>
      {address !== null && <span className={styles.address}>{address}</span>}
    </span>
  )
}

function emptyLabel({ isPending, isError }: { isPending: boolean; isError: boolean }): string {
  if (isPending) return 'Loading…'
  return isError ? 'Could not get users' : 'No users found'
}
