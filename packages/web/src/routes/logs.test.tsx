import type { LogHit } from '@benchwatch/contract/instruments/logs'
import { aServiceEvent } from '@benchwatch/samples/service-event'
import { MantineProvider } from '@mantine/core'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { createMemoryHistory, createRootRoute, createRoute, createRouter, RouterProvider } from '@tanstack/react-router'
import { cleanup, fireEvent, render, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { setCredentials } from '../lib/http.ts'
import { readQueryString, writeQueryString } from '../lib/list/list-address.ts'
import { LogsScreen } from './logs.tsx'

const event = aServiceEvent()
const eventAt = Date.parse(event.logGeneratedAt)
const client = 'UNICORNCLIENT:PC-012'

/** The fake server: lines by log, and logs that fail. */
let logs: Record<string, LogHit[]>
let failing: Set<string>
const requests: URLSearchParams[] = []

function line(seconds: number, message: string, id: string): LogHit {
  const at = eventAt + seconds * 1000
  const nothing = {
    module: null,
    'log.level': null,
    'event.code': null,
    'winlog.user.name': null,
    'host.hostname': null,
  }
  return {
    _index: 'logs',
    _id: id,
    sort: [at, id],
    _source: { '@timestamp': new Date(at).toISOString(), message, ...nothing },
    highlight: null,
  }
}

/** Pages like the server: by window, cursor and search words. */
function answer(query: URLSearchParams): LogHit[] {
  const name = [query.get('logType'), query.get('computerName')].filter(Boolean).join(':')
  const [from, to] = ['timeGreaterThan', 'timeLessThan'].map((bound) => Date.parse(query.get(bound) ?? ''))
  const words = query.get('searchString')
  const cursor = query.get('openSearchTimeStamp')
  const isDown = query.get('order') === 'DESC'
  const found = (logs[name] ?? [])
    .filter(({ sort: [at] }) => !(at < (from ?? 0)) && !(at >= (to ?? 0)))
    .filter(({ sort: [at] }) => cursor === null || (isDown ? at < Number(cursor) : at > Number(cursor)))
    .filter(({ _source: { message } }) => words === null || message.includes(words))
    .map((hit) => (words === null ? hit : marked(hit, words)))
  return (isDown ? found.toReversed() : found).slice(0, Number(query.get('size')))
}

function marked(hit: LogHit, words: string): LogHit {
  return { ...hit, highlight: { message: [hit._source.message.replace(words, `<em>${words}</em>`)] } }
}

beforeEach(() => {
  logs = {
    VID: [line(-30, 'Flow steady', '1'), line(0, 'Pressure limit reached', '2'), line(30, 'Pump stopped', '3')],
    [client]: [line(-200, 'Method started', '4'), line(90.4, 'Dialog: limit', '5')],
  }
  failing = new Set()
  requests.length = 0
  setCredentials({ token: () => 'token', renew: async () => 'token', expire: () => undefined })
  vi.stubGlobal('scrollTo', () => undefined)
  // happy-dom has no layout; a table without height would show no rows.
  vi.spyOn(HTMLElement.prototype, 'offsetHeight', 'get').mockReturnValue(600)
  vi.spyOn(HTMLElement.prototype, 'offsetWidth', 'get').mockReturnValue(1000)
  vi.stubGlobal('fetch', async (address: string) => {
    const { pathname, searchParams } = new URL(address, 'http://console.example')
    if (pathname.endsWith('/available')) {
      const values = [
        { logType: 'VID', computerName: null, newest: event.createdAt },
        { logType: 'COMM', computerName: null, newest: event.createdAt },
        { logType: 'UNICORNCLIENT', computerName: 'PC-012', newest: event.createdAt },
        { logType: 'UNICORNCLIENT', computerName: 'PC-013', newest: null },
      ]
      return Response.json({ values, runs: [], completeFrom: null })
    }
    if (pathname.startsWith('/api/instrument-logs')) {
      requests.push(searchParams)
      if (failing.has(searchParams.get('logType') ?? '')) return Response.json({ ErrorBody: 'No' }, { status: 400 })
      const hits = answer(searchParams)
      return Response.json({ body: { hits: { total: { value: hits.length }, hits } }, completeFrom: null })
    }
    return Response.json(event)
  })
})

afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
  setCredentials(null)
})

function open(query: string) {
  const root = createRootRoute()
  const screens = [
    createRoute({ getParentRoute: () => root, path: '/logs/$installedProductId', component: LogsScreen }),
    createRoute({ getParentRoute: () => root, path: '/instruments/$instrumentId', component: () => null }),
    createRoute({ getParentRoute: () => root, path: '/events/$eventId', component: () => null }),
  ]
  const router = createRouter({
    routeTree: root.addChildren(screens),
    history: createMemoryHistory({
      initialEntries: [`/logs/${event.instrumentInstalledProductId}?${query}`],
    }),
    parseSearch: readQueryString,
    stringifySearch: writeQueryString,
  })
  render(
    <MantineProvider env="test">
      <QueryClientProvider client={new QueryClient({ defaultOptions: { queries: { retry: false } } })}>
        {/* The type of the product's own router is registered; this one has other routes. */}
        <RouterProvider router={router as never} />
      </QueryClientProvider>
    </MantineProvider>,
  )
  return { person: userEvent.setup(), address: () => decodeURIComponent(router.state.location.href) }
}

const pair = `first=VID&second=${client}&event=${event.eventId}`
const rowOf = async (text: string) => {
  const found = (await screen.findByText(text)).closest<HTMLElement>('[role="row"]')
  if (found === null) throw new Error(`“${text}” is in no row`)
  return found
}
const cells = (row: HTMLElement) =>
  within(row)
    .getAllByRole('cell')
    .map(({ textContent }) => textContent ?? '')

describe('two logs side by side', () => {
  it('have the event’s moment marked between their lines', async () => {
    open(pair)
    await rowOf('Pressure limit reached')
    const rows = screen.getAllByRole('row').map(({ textContent }) => textContent ?? '')
    const place = rows.findIndex((text) => text.includes(`ORC-${event.eventId} was generated`))
    expect(rows[place - 1]).toMatch(/without lines$|Flow steady/)
    expect(rows[place + 1]).toContain('Pressure limit reached')
  })

  it('are read once on either side of the event, and of nothing else', async () => {
    open(pair)
    await rowOf('Pressure limit reached')
    const windows = requests.map((query) =>
      [query.get('logType'), query.get('order'), query.get('computerName')].join(' '),
    )
    expect(windows.toSorted()).toEqual([
      'UNICORNCLIENT ASC PC-012',
      'UNICORNCLIENT DESC PC-012',
      'VID ASC ',
      'VID DESC ',
    ])
    expect(new Set(requests.map((query) => query.get('timeLessThan') ?? query.get('timeGreaterThan')))).toEqual(
      new Set([event.logGeneratedAt]),
    )
  })

  it('show a line of a corrected clock beside the other one of the same second, without reading again', async () => {
    const { person, address } = open(pair)
    expect(cells(await rowOf('Pressure limit reached'))[1]).toBe('')
    const before = requests.length
    await person.click(screen.getByRole('button', { name: 'Clocks' }))
    await person.type(await screen.findByLabelText('Ahead by'), '90')
    await person.click(screen.getByRole('button', { name: 'Correct' }))
    await waitFor(async () => expect(cells(await rowOf('Pressure limit reached'))[1]).toContain('Dialog: limit'))
    expect((await screen.findAllByText('PC-012: clock 1 min 30 s ahead, corrected')).length).toBeGreaterThan(0)
    expect(address()).toContain('ahead=90')
    expect(requests.length).toBe(before)
  })

  it('refuse a difference that is none, and say what to type', async () => {
    const { person, address } = open(pair)
    await rowOf('Pressure limit reached')
    await person.click(screen.getByRole('button', { name: 'Clocks' }))
    await person.type(await screen.findByLabelText('Ahead by'), 'much')
    await person.click(screen.getByRole('button', { name: 'Correct' }))
    expect(await screen.findByText('Enter seconds such as 90, or a duration such as -1:30.')).toBeTruthy()
    expect(address()).not.toContain('ahead')
  })

  it('have what a search found marked in both, while its neighbours stay', async () => {
    open(`${pair}&search=limit`)
    await waitFor(() => expect(screen.getAllByText('limit').map(({ tagName }) => tagName)).toEqual(['MARK', 'MARK']))
    expect(screen.getAllByText('1 match')).toHaveLength(2)
    expect(screen.getByText('Pump stopped')).toBeTruthy()
  })

  it('change places, and the correction stays with the client’s PC', async () => {
    const { person, address } = open(`${pair}&ahead=90`)
    await rowOf('Dialog: limit')
    await person.click(screen.getByRole('button', { name: 'Swap the two logs' }))
    await waitFor(() => expect(address()).toContain(`first=${client}&second=VID`))
    expect(address()).toContain('ahead=90')
    await waitFor(async () => expect(cells(await rowOf('Dialog: limit'))[0]).toContain('Dialog: limit'))
  })

  it('go to a time on the strip above their lines', async () => {
    const { address } = open(pair)
    await rowOf('Pressure limit reached')
    const strip = screen.getByLabelText('Lines over time. Enter shows the lines of a time')
    fireEvent.change(strip, { target: { value: '0' } })
    expect(strip.getAttribute('aria-valuetext')).toBe('Fri 20-Nov-2026 13:55:01–13:55:02')
    fireEvent.keyDown(strip, { key: 'Enter' })
    // The start of the first of 160 parts, which is the client's first line.
    await waitFor(() => expect(address()).toContain('at=2026-11-20T13:55:01.000Z'))
  })

  it('offer no second client log beside the first', async () => {
    open(pair)
    const first = await screen.findByLabelText<HTMLSelectElement>('First log')
    await waitFor(() => expect(first.options).toHaveLength(4))
    const refused = [...first.options].filter(({ disabled }) => disabled).map(({ text }) => text)
    expect(refused).toEqual(['Client Log – PC-012', 'Client Log – PC-013'])
  })
})

it('of no event in particular lead back to the instrument', async () => {
  open(`first=VID&second=${client}`)
  const back = await screen.findByRole('link', { name: event.instrumentInstalledProductId })
  expect(back.getAttribute('href')).toBe(`/instruments/${event.instrumentInstalledProductId}`)
})

describe('what can’t be shown', () => {
  it('of one log leaves the other, and is read again on request', async () => {
    failing.add('VID')
    const { person } = open(pair)
    await rowOf('Dialog: limit')
    expect(screen.getByText('Could not get logs')).toBeTruthy()
    failing.clear()
    await person.click(screen.getByRole('button', { name: 'Try again' }))
    await rowOf('Pressure limit reached')
    expect(screen.queryByText('Could not get logs')).toBeNull()
  })

  it('is said where neither log has a line', async () => {
    logs = {}
    open('first=VID&second=COMM')
    expect(await screen.findByText('No logs found - Try a different timespan, text-search or log-type')).toBeTruthy()
  })

  it('is named for an address, beside its valid parts', async () => {
    const { address } = open(`first=VID&second=DIARY&event=${event.eventId}`)
    await rowOf('Pressure limit reached')
    expect(screen.getByText(/“DIARY” in the address is not a log/)).toBeTruthy()
    // The notice stays although the address no longer contains the value.
    await waitFor(() => expect(address()).toMatch(/\?first=VID&event=\d+$/))
    expect(screen.getByText(/“DIARY” in the address is not a log/)).toBeTruthy()
  })
})
