import type { ServiceEvent } from '@benchwatch/contract/events/events'
import { aListedServiceEvent } from '@benchwatch/samples/service-event'
import { MantineProvider } from '@mantine/core'
import { cleanup, render as renderBare, screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import type { ReactNode } from 'react'
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { nothingSelected, setSelected } from '../../../lib/list/selection.ts'
import { formatClock, formatTooltipTime } from '../../../lib/time/dates.ts'
import { type HeadBox, ListTable, type RowMarks } from '../../../ui/list/list-table.tsx'
import type { ListedServiceEvent } from '../event-cache.ts'
import { type EventColumn, type EventLook, eventColumns } from './event-list.columns.tsx'

/** The control pressed last, its row, and whether Shift was held. */
const press = vi.fn<(action: string | null, id: string, shift: boolean, pressed: HTMLElement | null) => void>()
const pressHead = vi.fn()
const unmarked: RowMarks = { expanded: new Set(), current: null, selection: nothingSelected, open: null }
const look: EventLook = {
  viewer: { id: '1', role: 'service' },
  types: undefined,
  now: 0,
  mayOwn: true,
  statusesAsOf: null,
}

function render(table: ReactNode) {
  return renderBare(table, { wrapper: ({ children }) => <MantineProvider env="test">{children}</MantineProvider> })
}

beforeEach(() => vi.clearAllMocks())
afterEach(cleanup)

function table(
  rows: readonly ListedServiceEvent[],
  props: { marked?: Partial<RowMarks>; columns?: readonly EventColumn[]; head?: HeadBox['state'] } = {},
) {
  return (
    <ListTable
      list={eventColumns}
      rows={rows}
      columns={props.columns ?? eventColumns.all}
      look={look}
      sort={{ order: 'DESC', orderBy: 'createdAt' }}
      onSort={() => undefined}
      headBox={{ state: props.head ?? 'none', onPress: pressHead }}
      marks={{ ...unmarked, ...props.marked }}
      onPress={({ action, id, click, pressed }) => press(action, id, click.shiftKey, pressed)}
    />
  )
}

const rows = ['1', '2', '3'].map((id) => ({ alarm: aListedServiceEvent({ id, eventId: id }) }))

describe('the columns', () => {
  it('are in the chosen order, in the head and in every row', () => {
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
    expect(press.mock.lastCall?.slice(0, 3)).toEqual(['select', '1', false])
    await person.keyboard('{Shift>}')
    await person.click(screen.getByRole('checkbox', { name: 'Select ORC-3' }))
    expect(press.mock.lastCall?.slice(0, 3)).toEqual(['select', '3', true])
    expect(press).toHaveBeenCalledTimes(2)
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
    render(table(rows, { marked: { open: '2' } }))
    const buttons = screen.getAllByRole('button', { name: rows[0]?.alarm.description ?? '' })
    expect(buttons.map((button) => button.getAttribute('aria-expanded'))).toEqual(['false', 'true', 'false'])
    await person.click(buttons[2] as HTMLElement)
    expect(press).toHaveBeenCalledExactlyOnceWith('describe', '3', false, buttons[2])
  })
})

describe('event row', () => {
  const now = Date.parse('2026-11-20T14:02:23.000Z')

  afterEach(cleanup)

  function show(
    changes: Partial<ServiceEvent> = {},
    { removed = false, statusesAsOf = null as number | null } = {},
  ): HTMLElement {
    const alarm = aListedServiceEvent(changes)
    render(
      <ListTable
        list={eventColumns}
        rows={[removed ? { alarm, removed } : { alarm }]}
        columns={eventColumns.all}
        look={{ ...look, now, statusesAsOf }}
        sort={{ order: 'DESC', orderBy: 'createdAt' }}
      />,
    )
    return screen.getAllByRole('row')[1] as HTMLElement
  }

  describe('a row of the list', () => {
    it.each([
      ['high', 'HIGH'],
      ['medium', 'MED'],
      ['low', 'LOW'],
    ] as const)('shows the severity %s as %s', (severity, word) => {
      expect(show({ severity }).textContent).toContain(word)
    })

    it('shows the event id with ORC- before it, leading to /events/{eventId}', () => {
      show()
      expect(screen.getByRole('link', { name: 'ORC-104882' }).getAttribute('href')).toBe('/events/104882')
    })

    it('shows the age counted from createdAt, with the full time on hover', () => {
      show({ siteTimeZone: null })
      const age = screen.getByText('4 min')
      expect(age.title).toBe(formatTooltipTime('2026-11-20T13:58:23.000Z'))
    })

    it('tells the time at the instrument, too, where its clock differs', () => {
      show({ siteTimeZone: 'Asia/Tokyo' })
      expect(screen.getByText('4 min').title).toBe(
        `${formatTooltipTime('2026-11-20T13:58:23.000Z')}\nAt the instrument: Nov 20, 2026 @ 22:58 (Asia/Tokyo)`,
      )
    })

    it.each([
      ['1_NEW', 'N', 'New'],
      ['2_IN_PROGRESS', 'P', 'In progress'],
      ['3_CLOSED', 'C', 'Closed'],
    ] as const)('shows %s as a block %s', (alertStatus, letter, name) => {
      show({ alertStatus })
      expect(screen.getByRole('img', { name }).dataset['letter']).toBe(letter)
    })

    it.each([
      ['method run', 'green'],
      ['wash', 'blue'],
      ['alarms and errors', 'red'],
      ['Unknown', 'unknown'],
    ] as const)('shows the instrument status %s as %s', (instrumentStatus, colour) => {
      show({ instrumentStatus })
      const dot = screen.getByRole('img', { name: `Instrument status: ${instrumentStatus}` })
      expect(dot.dataset['colour']).toBe(colour)
      expect(dot.textContent).toBe(colour === 'unknown' ? '?' : '')
    })

    it('says since when a status could not be confirmed', () => {
      const since = Date.parse('2026-11-20T13:58:00.000Z')
      show({ instrumentStatus: 'wash' }, { statusesAsOf: since })
      const clock = formatClock(new Date(since).toISOString())
      expect(screen.getByRole('img', { name: `Instrument status: wash, as of ${clock}` })).toBeTruthy()
    })

    it('marks what happened during maintenance', () => {
      expect(show().textContent).not.toContain('maintenance')
      cleanup()
      expect(show({ duringMaintenance: true }).textContent).toContain('maintenance')
    })

    it('marks what was stored an hour or more after it was generated as delayed', () => {
      expect(show().textContent).not.toContain('delayed')
      cleanup()
      expect(show({ logGeneratedAt: '2026-11-20T12:58:23.000Z' }).textContent).toContain('delayed')
    })

    it('marks a 24-hour contract, a repeat and a deletion', () => {
      const plain = show({ fullSupport: false }).textContent
      for (const mark of ['24 h', '×', 'deleted']) expect(plain).not.toContain(mark)
      cleanup()
      const row = show({ fullSupport: true, latchedCount: 12_344 }, { removed: true })
      for (const mark of ['24 h', '×12,345', 'deleted']) expect(row.textContent).toContain(mark)
    })

    it('marks what is still active, until it returns to normal or is closed', () => {
      const isActive = (row: HTMLElement) => within(row).queryByRole('img', { name: 'Still active' }) !== null
      expect(isActive(show({ clearedAt: null }))).toBe(true)
      cleanup()
      expect(isActive(show({ clearedAt: '2026-11-20T14:00:00.000Z' }))).toBe(false)
      cleanup()
      expect(isActive(show({ clearedAt: null, alertStatus: '3_CLOSED' }))).toBe(false)
    })

    it('offers one action: to claim, to take over or to close, and none of a closed event', () => {
      const offered = (row: HTMLElement) =>
        row.querySelector('[data-action="primary"]')?.getAttribute('aria-label') ?? null
      expect(offered(show({ claimedBy: null, alertStatus: '1_NEW' }))).toBe('Assign to me ORC-104882')
      cleanup()
      expect(offered(show({ claimedBy: '2', alertStatus: '2_IN_PROGRESS' }))).toBe('Take over ORC-104882')
      cleanup()
      expect(offered(show({ claimedBy: '1', alertStatus: '2_IN_PROGRESS' }))).toBe('Close… ORC-104882')
      cleanup()
      expect(offered(show({ claimedBy: '1', alertStatus: '3_CLOSED' }))).toBeNull()
    })

    it('has the time left on a running contract clock, and nothing where none runs', () => {
      const place = eventColumns.all.findIndex(({ key }) => key === 'timeLeft')
      const cell = (changes: Partial<ServiceEvent>) =>
        show({ createdAt: new Date(now - 4 * 3_600_000).toISOString(), ...changes }).querySelectorAll('td')[place + 2]
      const running = { fullSupport: true, claimedBy: null, alertStatus: '1_NEW' } as const
      expect(cell(running)?.textContent).toBe('20 h')
      for (const changes of [{ claimedBy: '7' }, { fullSupport: false }, { alertStatus: '3_CLOSED' }] as const) {
        cleanup()
        expect(cell({ ...running, ...changes })?.textContent).toBe('')
      }
    })

    it('of an edge issue names its gateway, and asks for nothing', () => {
      const fetched = vi.fn()
      vi.stubGlobal('fetch', fetched)
      onTestFinished(() => void vi.unstubAllGlobals())
      expect(show({ isEdgeIssue: true, gatewayName: 'GW-COP-03' }).textContent).toContain('GW-COP-03')
      expect(fetched).not.toHaveBeenCalled()
    })

    it('has the e-mail icon only when an e-mail was sent', () => {
      expect(show().querySelector('td:last-child svg')).toBeNull()
      cleanup()
      expect(show({ automaticEmailSentAt: '2026-11-20T14:00:00.000Z' }).querySelector('td:last-child svg')).toBeTruthy()
    })

    it('shows location, customer and owner, and a dash or None where there is nothing', () => {
      expect(show({ claimedBy: '1', claimedByName: 'Anna Lind' }).textContent).toMatch(
        /Uppsala, Sweden.*Helix Biologics.*Me/,
      )
      cleanup()
      expect(show({ siteCity: null, siteCountry: null }).textContent).toMatch(/–.*None/)
    })
  })
})
