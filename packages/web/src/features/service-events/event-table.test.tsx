import type { ServiceEvent } from '@benchwatch/contract/service-events'
import { aListedServiceEvent } from '@benchwatch/samples/service-event'
import { cleanup, render, screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { nothingSelected, setSelected } from '../../lib/selection.ts'
import type { HeadBox } from '../../ui/list-table.tsx'
import { type EventColumn, eventColumns } from './event-list.columns.ts'
import { EventTable, type MarkedRows } from './event-table.tsx'
import type { ListedServiceEvent } from './service-event-cache.ts'

const actions = { toggle: vi.fn(), open: vi.fn(), focus: vi.fn(), select: vi.fn(), describe: vi.fn() }
const pressHead = vi.fn()
const unmarked: MarkedRows = { expanded: new Set(), current: null, selection: nothingSelected, described: null }
const viewer = { id: '1', role: 'service' } as const

beforeEach(() => vi.clearAllMocks())
afterEach(cleanup)

function table(
  rows: readonly ListedServiceEvent[],
  props: { marked?: Partial<MarkedRows>; columns?: readonly EventColumn[]; head?: HeadBox['state'] } = {},
) {
  return (
    <EventTable
      rows={rows}
      columns={props.columns ?? eventColumns.all}
      isChosen={false}
      viewer={viewer}
      now={0}
      statusesAsOf={null}
      sort={{ order: 'DESC', orderBy: 'createdAt' }}
      onSort={() => undefined}
      headBox={{ state: props.head ?? 'none', onPress: pressHead }}
      marked={{ ...unmarked, ...props.marked }}
      actions={actions}
    />
  )
}

const rows = ['1', '2', '3'].map((id) => ({ alarm: aListedServiceEvent({ id, eventId: id }) }))

describe('the columns', () => {
  it('stand in the order chosen, in the head and in every row', () => {
    const columns = (['status', 'eventId', 'customer'] as const).flatMap((name) =>
      eventColumns.all.filter(({ key }) => key === name),
    )
    render(table(rows, { columns }))
    const heads = screen.getAllByRole('columnheader').map(({ textContent }) => textContent?.replace(/[↑↓↕]/, ''))
    expect(heads).toEqual(['', 'Expand', 'Status', 'Event', 'Customer'])
    const cells = within(screen.getAllByRole('row')[1] as HTMLElement).getAllByRole('cell')
    expect(cells[3]?.textContent).toBe('ORC-1')
    expect(cells[4]?.textContent).toContain('Helix Biologics')
  })
})

describe('the boxes', () => {
  it('select a row, with shift up to it', async () => {
    const person = userEvent.setup()
    render(table(rows))
    await person.click(screen.getByRole('checkbox', { name: 'Select ORC-1' }))
    expect(actions.select).toHaveBeenLastCalledWith('1', { range: false })
    await person.keyboard('{Shift>}')
    await person.click(screen.getByRole('checkbox', { name: 'Select ORC-3' }))
    expect(actions.select).toHaveBeenLastCalledWith('3', { range: true })
    expect(actions.select).toHaveBeenCalledTimes(2)
  })

  it('show what is selected; the one in the head shows a mixed state', async () => {
    const person = userEvent.setup()
    const { rerender } = render(
      table(rows, { head: 'some', marked: { selection: setSelected(nothingSelected, ['2'], true) } }),
    )
    const checked = screen.getAllByRole<HTMLInputElement>('checkbox').map((box) => box.checked)
    expect(checked).toEqual([false, false, true, false])
    const head = screen.getByRole<HTMLInputElement>('checkbox', { name: 'Select all events' })
    expect(head.indeterminate).toBe(true)
    rerender(table(rows, { head: 'all', marked: { selection: { mode: 'exclude', ids: new Set() } } }))
    expect(screen.getAllByRole<HTMLInputElement>('checkbox').every((box) => box.checked)).toBe(true)
    expect(head.indeterminate).toBe(false)
    await person.click(head)
    expect(pressHead).toHaveBeenCalledOnce()
  })

  it('of a deleted event can not be pressed', () => {
    render(table([{ ...rows[0], removed: true } as ListedServiceEvent]))
    expect(screen.getByRole<HTMLInputElement>('checkbox', { name: 'Select ORC-1' }).disabled).toBe(true)
  })
})

describe('the rows', () => {
  it('are painted again only where something changed', () => {
    let reads = 0
    const counted = rows.map(({ alarm }) => ({
      alarm: Object.defineProperty({ ...alarm }, 'description', {
        get: () => {
          reads++
          return alarm.description
        },
      }) as ServiceEvent,
    }))
    const { rerender } = render(table(counted))
    const ofOneRow = reads / counted.length
    reads = 0
    rerender(table(counted, { marked: { selection: setSelected(nothingSelected, ['2'], true) } }))
    expect(reads).toBe(ofOneRow)
    reads = 0
    rerender(table(counted, { marked: { selection: setSelected(nothingSelected, ['2'], true), current: '3' } }))
    expect(reads).toBe(ofOneRow)
  })

  it('open the description below what was pressed', async () => {
    const person = userEvent.setup()
    render(table(rows, { marked: { described: '2' } }))
    const buttons = screen.getAllByRole('button', { name: rows[0]?.alarm.description ?? '' })
    expect(buttons.map((button) => button.getAttribute('aria-expanded'))).toEqual(['false', 'true', 'false'])
    await person.click(buttons[2] as HTMLElement)
    expect(actions.describe).toHaveBeenCalledExactlyOnceWith('3', buttons[2])
  })
})
