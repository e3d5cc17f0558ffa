import type { User } from '@benchwatch/contract/users'
import { limits } from '@benchwatch/contract/vocabulary'
import { Button, Group, MultiSelect, Stack, Textarea } from '@mantine/core'
import '@mantine/core/styles/Pill.layer.css'
import '@mantine/core/styles/PillsInput.layer.css'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { folded } from '../../lib/folded.ts'
import { hintBelow } from '../../ui/form/code-field.tsx'
import { usersQuery } from '../users/users.api.ts'
import styles from './share-panel.module.css'

/** What has been entered to share an event: document 1 section 5. */
interface ShareForm {
  receiverIds: string[]
  comment: string
}

export const emptyShareForm: ShareForm = { receiverIds: [], comment: '' }

const count = new Intl.NumberFormat('en')

/** Whom to mail the event to, and what to say with it. */
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
  // The popover looks for what to focus before this panel is loaded.
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
          // A list at once would cover the comment.
          openOnFocus={false}
          placeholder={form.receiverIds.length === 0 ? 'Search by name' : ''}
          data={options(users.data ?? [], form.receiverIds)}
          value={form.receiverIds}
          onChange={(receiverIds) => {
            onChange({ ...form, receiverIds })
            // It would stay over the comment and the button.
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
          inputWrapperOrder={hintBelow}
          // Inside the popover: a click on an option is no click outside it.
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

/** Chosen people stay, also while the list is read anew or when they have left it: their chips must keep a name. */
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
  return isError ? 'Could not get users' : 'Nobody found'
}

/** The comment as it is sent: null for none. */
export function shareMessage({ comment }: ShareForm): string | null {
  const message = comment.trim()
  return message === '' ? null : message
}

/** Counted as the server counts it, without the spaces around it. */
export function commentLength(form: ShareForm): number {
  return shareMessage(form)?.length ?? 0
}

export function isCommentTooLong(form: ShareForm): boolean {
  return commentLength(form) > limits.shareMessage
}

/** Disabled until at least one recipient is selected; a comment is optional. */
export function canShare(form: ShareForm): boolean {
  const { length } = form.receiverIds
  return length > 0 && length <= limits.shareReceivers && !isCommentTooLong(form)
}
