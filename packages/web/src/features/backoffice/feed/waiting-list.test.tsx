import { MantineProvider } from '@mantine/core'
import { cleanup, render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, describe, expect, it, vi } from 'vitest'
import type { ListPlace } from '../../../lib/list/list-address.ts'
import { WaitingList } from './waiting-list.tsx'

afterEach(cleanup)

const onPlace = vi.fn<(place: ListPlace) => void>()

function show(values: readonly string[], page: number) {
  render(
    <MantineProvider env="test">
      <WaitingList
        label="Parked items"
        states={[{ value: 'open', label: 'Waiting' }]}
        state="open"
        onState={() => undefined}
        place={{ page, pageSize: 25 }}
        onPlace={onPlace}
        columns={[{ key: 'item', label: 'Item', cell: (item) => item }]}
        rowKey={(item) => item}
        answer={{ data: { values, total: 25 }, error: null, isPlaceholderData: false, refetch: () => undefined }}
        failureTitle="Could not get items"
        empty="Nothing waits"
      />
    </MantineProvider>,
  )
}

describe('a list of what waits for a person', () => {
  it('leads back when the last item of the last page is dealt with', async () => {
    show([], 2)
    await userEvent.setup().click(screen.getByRole('button', { name: 'Go to the last page' }))
    expect(onPlace).toHaveBeenCalledWith({ page: 1, pageSize: 25 })
  })

  it('shows the items of a page that is there', () => {
    show(['item 7'], 1)
    expect(screen.getByText('item 7')).toBeTruthy()
    expect(screen.queryByText('This page no longer exists')).toBeNull()
  })
})
