import type { DailyRuntime } from '@benchwatch/contract/instruments/usage'
import { MantineProvider } from '@mantine/core'
import { Notifications, notifications } from '@mantine/notifications'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { act, cleanup, fireEvent, render, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { setCredentials } from '../../../lib/http.ts'
import { formatInstrumentDate } from '../../../lib/time/dates.ts'
import { addDays } from '../../../lib/time/zone-clock.ts'
import { todayAt } from './runtime-axis.ts'
import { RuntimeCard } from './runtime-card.tsx'

const zone = 'Asia/Tokyo'
const today = todayAt(zone, Date.now())
const ago = (days: number) => formatInstrumentDate(addDays(today, -days))

let isOn: boolean
let answer: (numberOfDays: string | null) => Response
/** Requested addresses. */
const asked: string[] = []
const points: DailyRuntime[] = [
  { time: addDays(today, -3), value: 7 * 3600 },
  { time: addDays(today, -1), value: 0 },
  { time: today, value: 5400 },
]

// Preloads the chart, so that no test waits for it.
beforeAll(() => import('./runtime-chart.tsx'))

beforeEach(() => {
  isOn = true
  answer = () => Response.json(points)
  setCredentials({ token: () => 'token', renew: async () => 'token', expire: () => undefined })
  vi.stubGlobal('fetch', async (address: string) => {
    asked.push(address)
    if (address.endsWith('/features'))
      return Response.json([{ key: 'FETCH_INSTRUMENT_DAILY_RUNTIMES', value: `${isOn}` }])
    return answer(new URL(address, 'http://x').searchParams.get('numberOfDays'))
  })
})

afterEach(() => {
  cleanup()
  notifications.clean()
  vi.unstubAllGlobals()
  setCredentials(null)
  asked.length = 0
})

function show() {
  render(
    <MantineProvider env="test">
      <QueryClientProvider client={new QueryClient({ defaultOptions: { queries: { retry: false } } })}>
        <Notifications />
        <RuntimeCard instrument={{ id: '47', instrumentTimeZone: zone }} />
      </QueryClientProvider>
    </MantineProvider>,
  )
  return userEvent.setup({ delay: null })
}

const chart = () => screen.findByRole('slider', { name: 'Run time of each day' })

describe('the card of daily run times', () => {
  it('is not there without its flag, and nothing is asked for', async () => {
    isOn = false
    show()
    await waitFor(() => expect(asked).toHaveLength(1))
    await act(async () => {})
    expect(screen.queryByRole('region')).toBeNull()
    expect(asked).toEqual(['/api/users/me/features'])
  })

  it('shows the last week first, and the last month and year on a press', async () => {
    const person = show()
    await chart()
    expect((screen.getByRole('radio', { name: 'Last week' }) as HTMLInputElement).checked).toBe(true)
    await person.click(screen.getByRole('radio', { name: 'Last month' }))
    await person.click(screen.getByRole('radio', { name: 'Last year' }))
    expect(asked.slice(1)).toEqual(
      [7, 30, 365].map((days) => `/api/instruments/daily-runtimes/47?numberOfDays=${days}`),
    )
  })

  it('shows the zone of the site, the sum, the mean of whole days and the days without data', async () => {
    show()
    await chart()
    expect(screen.getByText('Days in site time (Asia/Tokyo)')).toBeTruthy()
    expect(
      within(screen.getByRole('list', { name: 'Total and average' }))
        .getAllByRole('listitem')
        .map((item) => item.textContent),
    ).toEqual(['Total 8.5 h', 'average 3.5 h/day over 2 days', '4 days without data'])
  })

  it('is read day by day: today so far, no running, and no data are different things', async () => {
    show()
    const slider = await chart()
    expect(slider.getAttribute('aria-valuetext')).toBe(`${ago(0)}: 1.5 h so far`)
    fireEvent.change(slider, { target: { value: '5' } })
    expect(slider.getAttribute('aria-valuetext')).toBe(`${ago(1)}: 0 h`)
    fireEvent.change(slider, { target: { value: '4' } })
    expect(slider.getAttribute('aria-valuetext')).toBe(`${ago(2)}: No data`)
  })

  it('has an axis from 0 to 24 hours, on which no data are a gap and 0 hours a line', async () => {
    show()
    await chart()
    const hours = [...document.querySelectorAll('.recharts-yAxis-tick-labels text')]
    expect(hours.map(({ textContent }) => textContent)).toEqual(['0', '6', '12', '18', '24 h'])
    // A day is 168 px high.
    const bars = [...document.querySelectorAll('.recharts-bar-rectangle path')]
    expect(bars.map((bar) => Number(bar.getAttribute('height')))).toEqual([49, 2, 10.5])
    expect(document.querySelectorAll('.recharts-reference-area')).toHaveLength(2)
  })

  it('draws bars of days, today as an outline, and the area of a year, broken by gaps', async () => {
    const person = show()
    await chart()
    const bars = () => [...document.querySelectorAll('.recharts-bar-rectangle path')]
    expect(bars().map((bar) => bar.hasAttribute('stroke-dasharray'))).toEqual([false, false, true])
    await person.click(screen.getByRole('radio', { name: 'Last month' }))
    await waitFor(async () => expect((await chart()).getAttribute('max')).toBe('29'))
    expect(bars()).toHaveLength(3)
    const area = () => document.querySelector('.recharts-area-curve')
    expect(area()).toBeNull()
    await person.click(screen.getByRole('radio', { name: 'Last year' }))
    await waitFor(() => expect(area()).not.toBeNull())
    expect(area()?.getAttribute('d')?.match(/M/g), 'a line for each stretch of days').toHaveLength(2)
    expect(bars()).toEqual([])
  })

  it('is drawn as wide as paper while it is printed', async () => {
    show()
    await chart()
    const box = () => document.querySelector('.recharts-surface')?.getAttribute('viewBox')
    expect(box()).toBe('0 0 600 200')
    act(() => void window.dispatchEvent(new Event('beforeprint')))
    expect(box()).toBe('0 0 720 200')
    act(() => void window.dispatchEvent(new Event('afterprint')))
    expect(box()).toBe('0 0 600 200')
  })

  it('can be read as a table', async () => {
    const person = show()
    await chart()
    await person.click(screen.getByRole('button', { name: 'Show as table' }))
    const rows = screen.getAllByRole('row').map(({ textContent }) => textContent)
    expect(rows.slice(0, 5)).toEqual([
      'DayRun time',
      `${ago(0)}1.5 h so far`,
      `${ago(1)}0 h`,
      `${ago(2)}No data`,
      `${ago(3)}7 h`,
    ])
    await person.click(screen.getByRole('button', { name: 'Show as chart' }))
    expect(await chart()).toBeTruthy()
  })

  it('says by a toast and in its place that they could not be loaded, and tries again', async () => {
    answer = () => Response.json({ ErrorBody: 'Down.' }, { status: 400 })
    const person = show()
    expect(await screen.findAllByText('Daily run times could not be loaded.')).toHaveLength(2)
    answer = () => Response.json(points)
    await person.click(screen.getByRole('button', { name: 'Try again' }))
    expect(await chart()).toBeTruthy()
  })
})
