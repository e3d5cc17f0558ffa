import type { InstrumentTimeline } from '@benchwatch/contract/instruments/instrument-timeline'
import { MantineProvider } from '@mantine/core'
import { act, cleanup, render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { readingAt, TimelinePlot, windowLabel } from './timeline-plot.tsx'

afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
  localStorage.clear()
})

const now = new Date('2026-11-24T12:00:00').getTime()
const span = { from: new Date('2026-11-18T00:00:00').getTime(), to: new Date('2026-11-25T00:00:00').getTime() }

/** Shows the plot; `measure` gives everything in it this size. */
function show(timeline?: InstrumentTimeline) {
  const resized: ResizeObserverCallback[] = []
  const observer = { observe: () => undefined, unobserve: () => undefined, disconnect: () => undefined }
  vi.stubGlobal(
    'ResizeObserver',
    class {
      constructor(callback: ResizeObserverCallback) {
        resized.push(callback)
        Object.assign(this, observer)
      }
    },
  )
  const { container } = render(
    <MantineProvider env="test">
      <TimelinePlot
        timeline={timeline}
        span={span}
        now={now}
        siteZone="UTC"
        customer="Helix Biologics"
        installedProductId="IP-20431187"
        limits={{ shortest: 0, longest: Number.POSITIVE_INFINITY, latest: now }}
        onSelect={() => undefined}
        onMove={() => undefined}
      />
    </MantineProvider>,
  )
  const measure = (width: number, height: number) =>
    act(async () => {
      const entry = { contentRect: { width, height } } as ResizeObserverEntry
      for (const resize of resized) resize([entry], observer)
      await new Promise((done) => requestAnimationFrame(done))
    })
  return { container, measure }
}

it('names only days for which the measured width has room, from the first picture on', async () => {
  const { container, measure } = show()
  const labels = () =>
    [...container.querySelectorAll('[aria-hidden] > span > span')].map(({ textContent }) => textContent)
  expect(labels()).toEqual([])
  await measure(280, 200)
  expect(labels()).toEqual(['19 Nov', '21 Nov', '23 Nov'])
  await measure(840, 200)
  expect(labels()).toHaveLength(7)
})

it('folds a legend of several lines, and remembers that it was opened', async () => {
  const statuses = [{ from: new Date(span.from).toISOString(), instrumentStatus: 'ready' as const }]
  const timeline = { statuses, runs: [], connections: [], maintenances: [], runtimes: [], events: [] } as unknown
  const person = userEvent.setup()
  const { measure } = show(timeline as InstrumentTimeline)
  await measure(280, 20)
  expect(screen.queryByRole('button', { name: /legend$/ })).toBeNull()
  await measure(280, 40)
  await person.click(screen.getByRole('button', { name: 'Show whole legend' }))
  cleanup()
  const { measure: measureAgain } = show(timeline as InstrumentTimeline)
  await measureAgain(280, 40)
  await person.click(screen.getByRole('button', { name: 'Fold legend' }))
  expect(screen.getByRole('button', { name: 'Show whole legend' })).toBeTruthy()
})

describe('timeline moment', () => {
  /** One hour ahead of UTC in winter. */
  beforeAll(() => void vi.stubEnv('TZ', 'Europe/Stockholm'))
  afterAll(() => void vi.unstubAllEnvs())

  const at = (text: string) => new Date(text).getTime()
  const now = at('2026-11-20T14:00:00Z')
  const known = {
    statuses: [
      { value: 'ready' as const, from: at('2026-11-20T06:00:00Z'), to: at('2026-11-20T09:04:00Z') },
      { value: 'method run' as const, from: at('2026-11-20T09:04:00Z'), to: null },
    ],
    runs: [{ value: 'Lot 7', from: at('2026-11-20T09:04:00Z'), to: null }],
    connections: [{ value: 'Connected' as const, from: at('2026-10-01T00:00:00Z'), to: null }],
    maintenances: [{ id: '1', start: '2026-11-20T12:00:00.000Z', end: null, reason: 'Service visit' }],
    runtimes: [
      { day: '2026-11-20', from: at('2026-11-19T23:00:00Z'), to: at('2026-11-20T23:00:00Z'), seconds: 27_000 },
    ],
  }
  const factsAt = (instant: string) =>
    Object.fromEntries(
      readingAt(at(instant), known, { now, siteZone: 'Europe/Stockholm' }).facts.map((fact) => [fact.name, fact.text]),
    )

  it('reads everything that held at an instant', () => {
    expect(factsAt('2026-11-20T13:00:00Z')).toEqual({
      Status: 'method run since 20-Nov-2026 10:04 (4 h 56 min)',
      Connection: 'Connected since 01-Oct-2026 02:00 (50 days 14 h)',
      Run: 'Lot 7 since 20-Nov-2026 10:04 (4 h 56 min)',
      Maintenance: 'since 20-Nov-2026 13:00: Service visit',
      'Run time': '7.5 h on 20-Nov-2026',
    })
  })

  it('says what is not known, and of what is to come its maintenance alone', () => {
    expect(factsAt('2026-09-01T00:00:00Z')).toEqual({
      Status: 'unknown',
      Connection: 'unknown',
      Run: 'none',
      Maintenance: 'none',
      'Run time': 'no data',
    })
    expect(factsAt('2026-11-21T00:00:00Z')).toEqual({ Maintenance: 'since 20-Nov-2026 13:00: Service visit' })
  })

  it('calls a status the last one where the connection was lost', () => {
    const lost = {
      ...known,
      connections: [{ value: 'Edge Issue' as const, from: at('2026-11-20T12:30:00Z'), to: null }],
    }
    const names = readingAt(at('2026-11-20T13:00:00Z'), lost, { now, siteZone: 'UTC' }).facts.map(({ name }) => name)
    expect(names).toEqual(['Last status', 'Connection', 'Run', 'Maintenance', 'Run time'])
  })

  it('tells the time at the site where its clock differs', () => {
    const reading = (siteZone: string) => readingAt(now, known, { now, siteZone })
    expect(reading('Europe/Berlin').siteTime).toBeNull()
    expect(reading('Asia/Tokyo').siteTime).toBe('20-Nov-2026 23:00 (Asia/Tokyo)')
  })

  it('names the day with which a maintenance ends, not the midnight after it', () => {
    const window = { id: '1', start: '2026-11-20T12:00:00.000Z', reason: null }
    expect(windowLabel({ ...window, end: '2026-11-21T23:00:00.000Z' })).toBe(
      '20-Nov-2026 13:00 to the end of 21-Nov-2026',
    )
    expect(windowLabel({ ...window, end: '2026-11-21T22:30:00.000Z' })).toBe('20-Nov-2026 13:00 to 21-Nov-2026 23:30')
  })
})
