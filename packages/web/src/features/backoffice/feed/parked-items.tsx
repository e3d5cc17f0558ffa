import type { ParkedItem } from '@benchwatch/contract/administration/backoffice'
import { DISCARDED } from '@benchwatch/contract/vocabulary'
import { Button, Group, Stack, Text, Textarea, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { counted, reasonOf } from '../../../lib/folded.ts'
import type { ListPlace } from '../../../lib/list/list-address.ts'
import { readableReason } from '../../../lib/readable-reason.ts'
import { formatEventTime } from '../../../lib/time/dates.ts'
import { NativeSelect } from '../../../ui/form/native-select.tsx'
import { mayLeave, useLeaveGuard } from '../../../ui/form/record-form.tsx'
import type { Column } from '../../../ui/list/list-columns.ts'
import { Dialog } from '../../../ui/overlay/dialog.tsx'
import { showFailure, showSuccess } from '../../../ui/overlay/toasts.ts'
import { TwoLines } from '../../../ui/text/fact.tsx'
import { EmptyState, Notice } from '../../../ui/text/notice.tsx'
import {
  gatewayFeedsQuery,
  parkedItemsQuery,
  useDiscardParkedItem,
  useRetryParkedItem,
  useRetryParkedItems,
} from '../backoffice.api.ts'
import { WaitingList } from './waiting-list.tsx'

/**
 * Lists items that gateways sent and the server could not process, to fix, retry or discard them. `gateway` is empty
 * for all.
 */
export function ParkedItems({ gateway, onGateway }: { gateway: string; onGateway: (gateway: string) => void }) {
  const [state, setState] = useState<'open' | 'resolved'>('open')
  const [place, setPlace] = useState<ListPlace>({ page: 1, pageSize: 25 })
  const [opened, setOpened] = useState<ParkedItem | null>(null)
  const items = useQuery(parkedItemsQuery({ ...place, state, gateway }))
  const feeds = useQuery(gatewayFeedsQuery())
  const retry = useRetryParkedItems()
  const names = [...new Set([...(feeds.data ?? []).map((feed) => feed.gateway), ...(gateway === '' ? [] : [gateway])])]

  async function handleRetry() {
    try {
      const { resolved, parked } = await retry.mutateAsync(gateway)
      const title = `${counted(resolved, 'item')} processed`
      if (parked === 0) showSuccess({ title, message: 'Nothing stays parked.' })
      else showFailure({ title, message: `${counted(parked, 'item')} could not be processed. The list says why.` })
    } catch (error) {
      showFailure({ title: 'Could not retry all items', message: reasonOf(error) })
    }
  }

  const columns: Column<ParkedItem>[] = [
    {
      key: 'gateway',
      label: 'Gateway',
      grow: 1.1,
      cell: ({ gateway: name, itemId }) => (
        <TwoLines second={itemId ?? 'no ID'}>
          <strong>{name}</strong>
        </TwoLines>
      ),
    },
    {
      key: 'reason',
      label: 'Reason',
      grow: 2.4,
      cell: ({ code, reason }) => <TwoLines second={<code>{code}</code>}>{readableReason(reason)}</TwoLines>,
    },
    { key: 'received', label: 'Received', cell: ({ receivedAt }) => formatEventTime(receivedAt) },
    ...(state === 'resolved'
      ? [
          {
            key: 'resolved',
            label: 'Resolved',
            cell: ({ resolvedAt }: ParkedItem) => formatEventTime(resolvedAt),
          },
        ]
      : []),
    {
      key: 'action',
      label: 'Action',
      width: 96,
      cell: (item) => (
        <Button
          variant="default"
          size="compact-sm"
          aria-label={`Open item ${item.itemId ?? item.id} of ${item.gateway}`}
          onClick={() => setOpened(item)}
        >
          Open
        </Button>
      ),
    },
  ]

  return (
    <>
      <WaitingList
        label="Parked items"
        columns={columns}
        rowKey={({ id }) => id}
        states={[
          { value: 'open', label: 'Waiting' },
          { value: 'resolved', label: 'Resolved' },
        ]}
        state={state}
        onState={setState}
        filters={
          <Group gap={8}>
            {state === 'open' && items.data !== undefined && items.data.total > 1 && (
              <Button variant="default" loading={retry.isPending} onClick={() => void handleRetry()}>
                Try all {items.data.total.toLocaleString('en')} again
              </Button>
            )}
            <NativeSelect
              aria-label="Gateway"
              value={gateway}
              onChange={({ currentTarget }) => {
                onGateway(currentTarget.value)
                setPlace((known) => ({ ...known, page: 1 }))
              }}
            >
              <option value="">All gateways</option>
              {names.map((name) => (
                <option key={name} value={name}>
                  {name}
                </option>
              ))}
            </NativeSelect>
          </Group>
        }
        place={place}
        onPlace={setPlace}
        answer={items}
        failureTitle="Could not get parked items"
        empty={
          state === 'open' ? (
            <EmptyState title="No parked items">All received items were processed.</EmptyState>
          ) : (
            <EmptyState title="No resolved items yet" />
          )
        }
      />
      {opened !== null && <ParkedItemDialog key={opened.id} item={opened} onClose={() => setOpened(null)} />}
    </>
  )
}

/** Shows an item as it was received, to fix and retry it or to discard it. Closes when the item is resolved. */
export function ParkedItemDialog({ item, onClose }: { item: ParkedItem; onClose: () => void }) {
  const [original] = useState(() => readableJson(item.item))
  const [text, setText] = useState(original)
  const [refused, setRefused] = useState<{ code: string; reason: string } | null>(null)
  const [isConfirming, setConfirming] = useState(false)
  const [isDiscarding, setDiscarding] = useState(false)
  const retry = useRetryParkedItem()
  const isOpen = item.resolvedAt === null
  const problem = jsonProblem(text)
  const cause = refused ?? item
  const isEdited = text !== original
  useLeaveGuard(isEdited && !retry.isPending, () => true)

  async function handleClose() {
    // The Escape key that closes the question also reaches this dialog.
    if (isConfirming) return
    setConfirming(true)
    const isSure = !isEdited || (await mayLeave())
    setConfirming(false)
    if (isSure) onClose()
  }

  async function handleSubmit(submit: FormEvent) {
    submit.preventDefault()
    if (retry.isPending || problem !== null) return
    const name = item.itemId ?? item.id
    try {
      const answer = await retry.mutateAsync({ id: item.id, item: isEdited ? text : undefined })
      if (answer.resolvedAt === null) return setRefused(answer)
      showSuccess({ title: `Item ${name} processed`, message: `From ${item.gateway}.` })
      onClose()
    } catch (error) {
      showFailure({ title: `Could not retry item ${name}`, message: reasonOf(error) })
    }
  }

  if (isDiscarding) return <DiscardDialog item={item} onCancel={() => setDiscarding(false)} onDone={onClose} />

  return (
    <Dialog onClose={() => void handleClose()} size={760} title={isOpen ? 'Fix parked item' : 'Resolved item'}>
      <form noValidate onSubmit={(submit) => void handleSubmit(submit)}>
        <Stack gap="md">
          <Text c="dimmed">
            {item.gateway} · {item.itemId ?? 'no ID'} · received {formatEventTime(item.receivedAt)}
            {item.resolvedAt !== null &&
              ` · ${item.code === DISCARDED ? 'discarded' : 'resolved'} ${formatEventTime(item.resolvedAt)}`}
          </Text>
          {item.code === DISCARDED && <p>Reason: {item.reason}</p>}
          {isOpen && (
            <Notice key={cause.reason} tone={refused === null ? 'warning' : 'danger'}>
              {refused !== null && 'Still not valid. '}
              {readableReason(cause.reason)}{' '}
              <Text component="code" size="xs" c="dimmed">
                {cause.code}
              </Text>
            </Notice>
          )}
          <Textarea
            label="Item (JSON)"
            autosize
            minRows={8}
            maxRows={20}
            maxLength={200_000}
            spellCheck={false}
            readOnly={!isOpen}
            styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)', fontSize: 12.5 } }}
            value={text}
            error={problem}
            onChange={({ currentTarget }) => setText(currentTarget.value)}
          />
          <Group justify="flex-end" gap={8}>
            {isOpen && (
              <Button
                variant="subtle"
                color="gray"
                c="var(--bw-danger)"
                mr="auto"
                disabled={retry.isPending}
                onClick={() => setDiscarding(true)}
              >
                Discard…
              </Button>
            )}
            <Button variant="default" onClick={() => void handleClose()}>
              {isOpen ? 'Cancel' : 'Close'}
            </Button>
            {isOpen && (
              <Button type="submit" loading={retry.isPending} disabled={problem !== null}>
                {isEdited ? 'Try again with changes' : 'Try again'}
              </Button>
            )}
          </Group>
        </Stack>
      </form>
    </Dialog>
  )
}

/** Asks for the reason, which is also the confirmation. */
function DiscardDialog({ item, ...props }: { item: ParkedItem; onCancel: () => void; onDone: () => void }) {
  const [reason, setReason] = useState('')
  const discard = useDiscardParkedItem()
  const name = item.itemId ?? item.id

  async function handleSubmit(submit: FormEvent) {
    submit.preventDefault()
    if (discard.isPending || reason.trim() === '') return
    try {
      await discard.mutateAsync({ id: item.id, reason })
      showSuccess({ title: `Item ${name} discarded`, message: `From ${item.gateway}.` })
      props.onDone()
    } catch (error) {
      showFailure({ title: `Could not discard item ${name}`, message: reasonOf(error) })
    }
  }

  return (
    <Dialog onClose={props.onCancel} title="Discard parked item">
      <form noValidate onSubmit={(submit) => void handleSubmit(submit)}>
        <Stack gap="md">
          <p>
            Item {name} of {item.gateway} will not be processed. This cannot be undone. The audit log keeps your reason.
          </p>
          <TextInput
            label="Reason"
            required
            data-autofocus
            maxLength={200}
            autoComplete="off"
            value={reason}
            onChange={({ currentTarget }) => setReason(currentTarget.value)}
          />
          <Group justify="flex-end" gap={8}>
            <Button variant="default" onClick={props.onCancel}>
              Cancel
            </Button>
            <Button
              type="submit"
              color="var(--bw-danger)"
              c={reason.trim() === '' ? undefined : 'var(--bw-on-accent)'}
              loading={discard.isPending}
              disabled={reason.trim() === ''}
            >
              Discard item
            </Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  )
}

/** Indents JSON; other text stays as it is. */
export function readableJson(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2)
  } catch {
    return text
  }
}

/** Returns why the text cannot be sent; null for valid JSON. */
export function jsonProblem(text: string): string | null {
  if (text.trim() === '') return 'Item cannot be empty.'
  try {
    JSON.parse(text)
    return null
  } catch (error) {
    return `This is not valid JSON: ${reasonOf(error)}.`
  }
}
