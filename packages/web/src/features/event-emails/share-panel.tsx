import type { User } from '@benchwatch/contract/users/users'
import { limits } from '@benchwatch/contract/vocabulary'
import { Button, Group, MultiSelect, Stack, Text, Textarea, Title } from '@mantine/core'
import '@mantine/core/styles/Pill.layer.css'
import '@mantine/core/styles/PillsInput.layer.css'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { folded } from '../../lib/folded.ts'
import { usersQuery } from '../users/users.api.ts'
import { canShare, commentLength, isCommentTooLong, type ShareForm } from './share-form.ts'

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
      style={{ padding: 4 }}
      onSubmit={(submit) => {
        submit.preventDefault()
        if (canShare(form) && !isPending) props.onShare()
      }}
    >
      <Stack gap="sm">
        <Title order={2} size="h2">
          Email Event
        </Title>
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
          // Twenty chips scroll instead of pushing the comment down; five people are visible (document 1 section 9).
          styles={{
            input: { maxHeight: 122, overflowY: 'auto' },
            // The frame shows the focus.
            inputField: { outline: 'none' },
            pill: { maxWidth: '100%' },
            options: { maxHeight: 160, overflowY: 'auto' },
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
          <Text span size="xs" c={isTooLong ? 'var(--bw-danger)' : 'dimmed'}>
            {count.format(commentLength(form))} / {count.format(limits.shareMessage)}
          </Text>
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
    <Group component="span" justify="space-between" wrap="nowrap" gap={12} flex={1} miw={0}>
      <Text span flex="none" maw="60%" truncate="end">
        <bdi>{name}</bdi>
      </Text>
      {address !== null && (
        <Text span size="xs" c="dimmed" truncate="end">
          {address}
        </Text>
      )}
    </Group>
  )
}

function emptyLabel({ isPending, isError }: { isPending: boolean; isError: boolean }): string {
  if (isPending) return 'Loading…'
  return isError ? 'Could not get users' : 'No users found'
}
