import { MantineProvider } from '@mantine/core'
import { cleanup, render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { DataTable } from './data-table.tsx'
import type { Column } from './list-columns.ts'
import { ListFrame, rememberOpened, useReturnToRow } from './list-frame.tsx'
import type { Answer } from './table-card.tsx'

const search = { keyword: '', page: 2, pageSize: 25 } as const
const onSearch = vi.fn()
const refetch = vi.fn()
const nothing: Answer<Gateway> = { data: undefined, error: null, isPlaceholderData: false, refetch }

interface Gateway {
  name: string
}
const uppsala = { name: 'GW-UPP-01' }

afterEach(() => {
  cleanup()
  onSearch.mockReset()
  refetch.mockReset()
})

function show(answer: Partial<Answer<Gateway>>) {
  render(
    <MantineProvider env="test">
      <ListFrame
        searchLabel="Search gateways"
        keywordLength={40}
        search={search}
        onSearch={onSearch}
        label="Gateways"
        columns={[{ key: 'name', label: 'Gateway', cell: ({ name }) => name }]}
        rowKey={({ name }) => name}
        answer={{ ...nothing, ...answer }}
        failureTitle="Could not get gateways"
        empty={<p>none yet</p>}
      />
    </MantineProvider>,
  )
  return userEvent.setup()
}

describe('a paged list', () => {
  it('that could not be read says why and can be tried again', async () => {
    const person = show({ error: new Error('The server could not be reached.') })
    expect(screen.getByRole('alert').textContent).toContain('The server could not be reached.')
    await person.click(screen.getByRole('button', { name: 'Try again' }))
    expect(refetch).toHaveBeenCalledOnce()
  })

  it('keeps what it shows when reading it again fails', () => {
    show({ data: { values: [uppsala], total: 1 }, error: new Error('gone') })
    expect(screen.getByText('GW-UPP-01')).toBeTruthy()
  })

  it('says that there is nothing, but not before it is known', () => {
    show({})
    expect(screen.queryByText('none yet')).toBeNull()
    cleanup()
    show({ data: { values: [], total: 0 } })
    expect(screen.getByText('none yet')).toBeTruthy()
    expect(screen.queryByRole('navigation', { name: 'Pages' })).toBeNull()
  })

  it('leads from a page beyond the end to one that there is', async () => {
    const person = show({ data: { values: [], total: 3 } })
    expect(screen.getByText('This page no longer exists')).toBeTruthy()
    await person.click(screen.getByRole('button', { name: 'Go to the last page' }))
    expect(onSearch).toHaveBeenCalledWith({ keyword: '', page: 1, pageSize: 25 })
  })

  it('has a row for each value, each cell with the label of its column for narrow screens', () => {
    show({ data: { values: [uppsala], total: 1 } })
    expect(screen.getByRole('table', { name: 'Gateways' })).toBeTruthy()
    expect(screen.getByRole('cell', { name: 'GW-UPP-01' }).getAttribute('data-label')).toBe('Gateway')
  })
})

describe('a column', () => {
  const columns: Column<Gateway>[] = [
    { key: 'name', label: 'Name', card: [1, 1], cell: ({ name }) => name },
    { key: 'site', label: 'Site', width: 120, card: [2, 1], cell: () => 'Uppsala' },
    { key: 'seen', label: 'Seen', width: 80, grow: 2, card: [1, 2], cell: () => 'now' },
  ]

  it('declares its width: pixels, a share of what is left, or both', () => {
    render(<DataTable label="Gateways" columns={columns} rows={[uppsala]} rowKey={({ name }) => name} />)
    const { style } = screen.getByRole('table')
    expect(style.getPropertyValue('--tracks')).toBe('minmax(0px, 1fr) 120px minmax(80px, 2fr)')
  })

  it('declares its place on a card; the last place of a shared line is at its end', () => {
    render(<DataTable label="Gateways" columns={columns} rows={[uppsala]} rowKey={({ name }) => name} />)
    expect(screen.getByRole('table').style.getPropertyValue('--card')).toBe(
      '"line1-1 line1-2" auto "line2-1 line2-1" auto / minmax(0, 1fr) auto',
    )
    expect(screen.getAllByRole('cell').map((cell) => cell.hasAttribute('data-end'))).toEqual([false, false, true])
  })
})

describe('use return to row', () => {
  const goTo = vi.fn()

  function List({ isLoaded }: { isLoaded: boolean }) {
    useReturnToRow('events', { isLoaded, goTo })
    return <input aria-label="Search" />
  }

  afterEach(() => {
    cleanup()
    sessionStorage.clear()
    goTo.mockClear()
  })

  it('back from an event, the list goes to its row once the rows are there, and not again', () => {
    rememberOpened('events', '104882')
    const { rerender, unmount } = render(<List isLoaded={false} />)
    expect(goTo).not.toHaveBeenCalled()
    rerender(<List isLoaded />)
    expect(goTo.mock.calls).toEqual([['104882']])
    unmount()
    render(<List isLoaded />)
    expect(goTo).toHaveBeenCalledOnce()
  })

  it('takes the focus from nobody who already searches', () => {
    rememberOpened('events', '104882')
    const { rerender, getByLabelText } = render(<List isLoaded={false} />)
    getByLabelText('Search').focus()
    rerender(<List isLoaded />)
    expect(goTo).not.toHaveBeenCalled()
  })

  it('takes it from the screen as a whole, which has it after the way back', () => {
    rememberOpened('events', '104882')
    const { rerender, getByRole } = render(
      <main id="content" tabIndex={-1}>
        <List isLoaded={false} />
      </main>,
    )
    getByRole('main').focus()
    rerender(
      <main id="content" tabIndex={-1}>
        <List isLoaded />
      </main>,
    )
    expect(goTo.mock.calls).toEqual([['104882']])
  })
})
