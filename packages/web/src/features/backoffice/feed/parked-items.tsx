import type { ParkedItem } from '@benchwatch/contract/administration/backoffice'
import { Button, Group } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { counted, reasonOf } from '../../../lib/folded.ts'
import type { ListPlace } from '../../../lib/list/list-address.ts'
import { readableReason } from '../../../lib/readable-reason.ts'
import { formatEventTime } from '../../../lib/time/dates.ts'
import { NativeSelect } from '../../../ui/form/native-select.tsx'
import type { Column } from '../../../ui/list/list-columns.ts'
import { showFailure, showSuccess } from '../../../ui/overlay/toasts.ts'
import { TwoLines } from '../../../ui/text/fact.tsx'
import { EmptyState } from '../../../ui/text/notice.tsx'
import { gatewayFeedsQuery, parkedItemsQuery, useRetryParkedItems } from '../backoffice.api.ts'
import { ParkedItemDialog } from './parked-item-dialog.tsx'
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
