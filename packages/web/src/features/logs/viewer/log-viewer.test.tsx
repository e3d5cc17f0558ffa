import type { LogHit } from '@benchwatch/contract/instruments/logs'
import { aLogHit } from '@benchwatch/samples/log-hit'
import { aServiceEvent } from '@benchwatch/samples/service-event'
import { MantineProvider } from '@mantine/core'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { cleanup, fireEvent, render, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { useState } from 'react'
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { setCredentials } from '../../../lib/http.ts'
import { formatEventTime } from '../../../lib/time/dates.ts'
import type { LogChoice } from '../log-labels.ts'
import { LogViewer } from './log-viewer.tsx'

const event = aServiceEvent({ logGeneratedAt: '2026-11-20T12:00:00.000Z' })
const MOMENT = Date.parse(event.logGeneratedAt)
let stored: LogHit[]
let isDown: boolean
let isUncounted: boolean
/** While older lines cannot be read: the moment from which on the stored ones are all. */
let completeFrom: string | null
const asked: URLSearchParams[] = []
const counted: URLSearchParams[] = []
const onClose = vi.fn<() => void>()

beforeEach(() => {
  isDown = false
  isUncounted = false
  completeFrom = null
  asked.length = 0
  counted.length = 0
  // One line per minute; the 21st is half a minute after the event.
  stored = Array.from({ length: 40 }, (_, index) =>
    aLogHit({ id: index + 1, at: MOMENT + (index - 19.5) * 60_000, message: `minute ${index + 1}` }),
  )
  setCredentials({ token: () => 'token', renew: async () => 'token', expire: () => undefined })
  vi.stubGlobal('fetch', async (address: string) => {
    const { pathname, searchParams } = new URL(address, 'http://here')
    if (pathname === '/api/instrument-logs/available') {
      const newest = event.logGeneratedAt
      const values = ['VID', 'COMM'].map((logType) => ({ logType, computerName: null, newest }))
      const at = (minutes: number) => new Date(MOMENT + minutes * 60_000).toISOString()
      const runs = [{ run: 'Lot 7', from: at(-19.5), to: at(-9.5) }]
      return Response.json({ values, runs, completeFrom })
    }
    if (pathname === '/api/instrument-logs/counts') {
      counted.push(searchParams)
      if (isUncounted) return Response.json({ ErrorBody: 'The lines are not counted.' }, { status: 400 })
      const counts = Array.from({ length: Number(searchParams.get('parts')) }, (_, part) => ({
        ...{ lines: part, errors: part === 30 ? 2 : 0, warnings: part === 31 ? 1 : 0 },
      }))
      return Response.json({ counts, countedFrom: null })
    }
    asked.push(searchParams)
    if (isDown) return Response.json({ ErrorBody: 'The logs are not there.' }, { status: 400 })
    return Response.json(answer(searchParams))
  })
})

afterEach(() => {
  cleanup()
  onClose.mockReset()
  vi.unstubAllGlobals()
  setCredentials(null)
})

/** Answers as the server would, from the stored lines. */
function answer(query: URLSearchParams) {
  const word = query.get('searchString')
  const [from, to] = [query.get('timeGreaterThan'), query.get('timeLessThan')]
  const found = stored
    .filter(({ sort, _source }) => {
      const isWithin = (from === null || sort[0] >= Date.parse(from)) && (to === null || sort[0] < Date.parse(to))
      return isWithin && (word === null || _source.message.includes(word))
    })
    .map((hit) =>
      word === null
        ? hit
        : { ...hit, highlight: { message: [hit._source.message.replaceAll(word, (all) => `<em>${all}</em>`)] } },
    )
  const place = query.get('openSearchTimeStamp') === null ? null : Number(query.get('openSearchTimeStamp'))
  const id = Number(query.get('openSearchLogId'))
  const isAfter = ({ sort }: LogHit) => place === null || sort[0] > place || (sort[0] === place && Number(sort[1]) > id)
  const isBefore = ({ sort }: LogHit) =>
    place === null || sort[0] < place || (sort[0] === place && Number(sort[1]) < id)
  const hits = query.get('order') === 'ASC' ? found.filter(isAfter) : found.filter(isBefore).reverse()
  return {
    body: { hits: { total: { value: found.length }, hits: hits.slice(0, Number(query.get('size'))) } },
    completeFrom,
  }
}

function Viewer() {
  const [log, setLog] = useState<LogChoice>({ logType: 'VID', computerName: null })
  return <LogViewer event={event} place="details" log={log} onLog={setLog} onClose={onClose} />
}

async function open() {
  render(
    <MantineProvider env="test">
      <QueryClientProvider client={new QueryClient({ defaultOptions: { queries: { retry: false } } })}>
        <Viewer />
      </QueryClientProvider>
    </MantineProvider>,
  )
  await screen.findByRole('dialog', { name: /^VID Service/ })
  return userEvent.setup({ delay: null })
}

const lines = () => [...document.querySelectorAll('[data-line]')].map((line) => line.getAttribute('data-line'))
const span = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, index) => String(from + index))
const untilLines = (expected: string[]) => waitFor(() => expect(lines()).toEqual(expected))
const button = (name: string | RegExp) => screen.getByRole('button', { name })
const searchBox = () => screen.getByRole('searchbox', { name: 'Search logs' })

describe('the log viewer', () => {
  it('opens with six lines around the event, and the moment between them', async () => {
    await open()
    await untilLines(span(18, 23))
    const rows = screen.getAllByRole('row').map((row) => row.getAttribute('data-line') ?? row.textContent)
    expect(rows.indexOf('20') + 1).toBe(rows.findIndex((row) => row?.includes('ORC-104882 was generated')))
    expect(screen.getByText('6 of 40 log lines')).toBeTruthy()
    expect(screen.getAllByRole('columnheader').map((head) => head.textContent)).toEqual([
      ...['Time', 'Level', 'Module', 'Code', 'Message', 'Actions'],
    ])
  })

  it('shows the lines of a run that is chosen, and those around the event again', async () => {
    const person = await open()
    const choice = await screen.findByRole('combobox', { name: 'Run' })
    await person.selectOptions(choice, within(choice).getByRole('option', { name: /^Run Lot 7, / }))
    await untilLines(span(1, 10))
    expect(screen.getByText('10 log lines')).toBeTruthy()
    await person.selectOptions(choice, 'Around the event')
    await untilLines(span(18, 23))
  })

  it('loads five older and five newer ones in turn, until there are no more', async () => {
    const person = await open()
    await untilLines(span(18, 23))
    await person.click(button('Load +5 older logs'))
    await untilLines(span(13, 23))
    await person.click(button('Load +5 newer logs'))
    await untilLines(span(13, 28))
    for (const first of [8, 3, 1]) {
      await person.click(button('Load +5 older logs'))
      await untilLines(span(first, 28))
    }
    expect(screen.getByText('No older logs in this timespan')).toBeTruthy()
    expect(button('Load +5 older logs').getAttribute('aria-disabled')).toBe('true')
    const count = asked.length
    await person.click(button('Load +5 older logs'))
    expect(asked).toHaveLength(count)
  })

  it('says where older lines are missing that cannot be read, and reads them again on request', async () => {
    completeFrom = new Date(MOMENT - 19.5 * 60_000).toISOString()
    const person = await open()
    await untilLines(span(18, 23))
    expect(screen.queryByRole('alert')).toBeNull()
    for (const first of [13, 8, 3, 1]) {
      await person.click(button('Load +5 older logs'))
      await untilLines(span(first, 23))
    }
    expect(screen.getByRole('alert').textContent).toBe(
      `Log lines before ${formatEventTime(completeFrom)} can’t be read at the moment. Try again`,
    )
    expect(screen.queryByText(/No older logs/)).toBeNull()
    expect(screen.getByText('23 of at least 40 log lines')).toBeTruthy()
    completeFrom = null
    await person.click(button('Try again'))
    await untilLines(span(18, 23))
    expect(screen.queryByRole('alert')).toBeNull()
    expect(screen.getByText('6 of 40 log lines')).toBeTruthy()
  })

  it('does not say that a log is empty whose lines cannot be read', async () => {
    completeFrom = new Date(MOMENT + 86_400_000).toISOString()
    const all = stored
    stored = []
    const person = await open()
    const alert = await screen.findByRole('alert')
    expect(alert.textContent).toContain('can’t be read at the moment')
    expect(screen.queryByText(/No logs found/)).toBeNull()
    stored = all
    completeFrom = null
    await person.click(button('Try again'))
    await untilLines(span(18, 23))
  })

  it('searches half a second after the last key, in lines around the event, and marks what it found', async () => {
    const person = await open()
    await untilLines(span(18, 23))
    await person.type(searchBox(), 'minute ')
    const typedAt = performance.now()
    await person.type(searchBox(), '1')
    await waitFor(() => expect(asked.some((query) => query.has('searchString'))).toBe(true))
    expect(performance.now() - typedAt).toBeGreaterThanOrEqual(499)
    await waitFor(() => expect(document.querySelectorAll('mark').length).toBeGreaterThan(0))
    expect(lines()).toEqual(['1', ...span(10, 19)].slice(-10))
    expect(screen.getByText('10 of 11 matches')).toBeTruthy()
    expect(asked.filter((query) => query.has('searchString')).map((query) => query.get('searchString'))).toEqual([
      ...['minute 1', 'minute 1'],
    ])
  })

  it('shows a find among its neighbours, three on either side, and leads back', async () => {
    const person = await open()
    await person.type(searchBox(), 'minute 30')
    await untilLines(['30'])
    await person.click(button('Show in context'))
    await untilLines(span(27, 33))
    expect(document.activeElement).toBe(screen.getByRole('region', { name: 'Lines of VID Service' }))
    expect(document.querySelector('[data-line="30"]')?.hasAttribute('data-marked')).toBe(true)
    await person.click(button('Load +5 newer logs'))
    await untilLines(span(27, 38))
    await person.click(button('Back to search'))
    await untilLines(['30'])
    expect(searchBox()).toHaveProperty('value', 'minute 30')
  })

  it('says that nothing was found, and what to try', async () => {
    const person = await open()
    await untilLines(span(18, 23))
    await person.type(searchBox(), 'nothing')
    expect(await screen.findByText('No logs found - Try a different timespan, text-search or log-type')).toBeTruthy()
  })

  it('keeps what is shown when more cannot be read', async () => {
    const person = await open()
    await untilLines(span(18, 23))
    isDown = true
    await person.click(button('Load +5 newer logs'))
    expect(await screen.findByText('Could not get logs')).toBeTruthy()
    await person.type(searchBox(), 'minute 3{Enter}')
    await waitFor(() => expect(screen.getByRole('table').hasAttribute('data-stale')).toBe(true))
    await screen.findByText('Could not get logs')
    expect(lines()).toEqual(span(18, 23))
    isDown = false
    await person.click(button('Try again'))
    await untilLines(['3', ...span(30, 38)])
  })

  it('offers to try again when nothing could be read', async () => {
    isDown = true
    const person = await open()
    expect(await screen.findByText('The logs are not there.')).toBeTruthy()
    isDown = false
    await person.click(button('Try again'))
    await untilLines(span(18, 23))
  })

  it('reads ten lines of a chosen time, the newest where the event is not in it', async () => {
    const person = await open()
    await untilLines(span(18, 23))
    await person.click(button(/^Date range/))
    const [from, to] = [await screen.findByLabelText('From'), screen.getByLabelText('To')]
    const typed = (minutes: number) => {
      const at = new Date(MOMENT + minutes * 60_000)
      const two = (value: number) => String(value).padStart(2, '0')
      return `20 Nov 2026 ${two(at.getHours())}:${two(at.getMinutes())}`
    }
    await person.clear(from)
    await person.type(from, typed(-30))
    await person.clear(to)
    await person.type(to, `${typed(-6)}{Enter}`)
    await untilLines(span(6, 15))
    await person.click(button('To the event'))
    await untilLines(span(18, 23))
  })

  it('offers to count the lines again when that has failed', async () => {
    isUncounted = true
    const person = await open()
    const line = await screen.findByText(/^The number of lines over time could not be read/)
    isUncounted = false
    await person.click(within(line).getByRole('button', { name: 'Try again' }))
    expect(await screen.findByRole('slider', { name: /^Lines over time/ })).toBeTruthy()
  })

  it('draws the lines of the window over time, and Enter on a part shows its lines', async () => {
    const person = await open()
    await untilLines(span(18, 23))
    const strip = await screen.findByRole('slider', { name: /^Lines over time/ })
    expect(screen.getByText('2 errors')).toBeTruthy()
    expect(screen.getByText('1 warning')).toBeTruthy()
    const from = Date.parse(counted[0]?.get('timeGreaterThan') ?? '')
    const part = (Date.parse(counted[0]?.get('timeLessThan') ?? '') - from) / 48
    const at = Number((strip as HTMLInputElement).value)
    expect(at).toBe(Math.floor((MOMENT - from) / part))
    // Two parts back: an hour, beyond the oldest line.
    strip.focus()
    fireEvent.change(strip, { target: { value: String(at - 2) } })
    expect(strip.getAttribute('aria-valuetext')).toMatch(new RegExp(`: ${at - 2} lines`))
    await person.keyboard('{Enter}')
    await untilLines(span(1, 6))
    await person.click(button('To the event'))
    await untilLines(span(18, 23))
    await person.type(searchBox(), 'minute 3{Enter}')
    await waitFor(() => expect(counted.at(-1)?.get('searchString')).toBe('minute 3'))
  })

  it('fills itself and reads on where one scrolls near an end', async () => {
    stored = Array.from({ length: 200 }, (_, index) =>
      aLogHit({ id: index + 1, at: MOMENT + (index - 99.5) * 10_000, message: `line ${index + 1}` }),
    )
    // This environment has no layout: a line is 20 px high, the viewer shows thirty.
    const heights = [
      vi.spyOn(HTMLElement.prototype, 'clientHeight', 'get').mockReturnValue(600),
      vi
        .spyOn(HTMLElement.prototype, 'scrollHeight', 'get')
        .mockImplementation(() => Math.max(600, 20 * document.querySelectorAll('[data-line]').length)),
    ]
    onTestFinished(() => {
      for (const height of heights) height.mockRestore()
    })
    await open()
    await waitFor(() => expect(lines()).toContain('48'))
    const region = screen.getByRole('region', { name: 'Lines of VID Service' })
    region.scrollTop = region.scrollHeight - 600
    fireEvent.scroll(region)
    await waitFor(() => expect(lines()).toContain('153'))
    region.scrollTop = 0
    fireEvent.scroll(region)
    await waitFor(() => expect(lines()[0]).toBe('1'))
    expect(new Set(lines()).size).toBe(lines().length)
  })

  it('goes to another log with the same search', async () => {
    const person = await open()
    await person.type(searchBox(), 'minute 30{Enter}')
    await untilLines(['30'])
    await person.selectOptions(screen.getByRole('combobox', { name: 'Log' }), 'VID Com')
    await screen.findByRole('dialog', { name: /^VID Com/ })
    await waitFor(() => expect(asked.at(-1)?.get('logType')).toBe('COMM'))
    expect(asked.at(-1)?.get('searchString')).toBe('minute 30')
  })

  it('copies a line, and all that are shown', async () => {
    const person = await open()
    await untilLines(span(18, 23))
    await person.click(screen.getAllByRole('button', { name: 'Copy line' })[0] as HTMLElement)
    expect(await screen.findByText('Line copied')).toBeTruthy()
    expect(await navigator.clipboard.readText()).toBe('2026-11-20T11:57:30.000Z  INFO  P9-B  VID-100  minute 18')
    await person.click(button('Copy all shown'))
    expect(await screen.findByText('Copied')).toBeTruthy()
    expect((await navigator.clipboard.readText()).split('\n')).toHaveLength(7)
  })

  it('is closed by Escape, unless that empties the search or closes what lies above', async () => {
    const person = await open()
    await untilLines(span(18, 23))
    await person.type(searchBox(), 'x')
    await person.keyboard('{Escape}')
    expect(searchBox()).toHaveProperty('value', '')
    await person.click(button(/^Date range/))
    await screen.findByLabelText('From')
    await person.keyboard('{Escape}')
    await waitFor(() => expect(screen.queryByLabelText('From')).toBeNull())
    expect(onClose).not.toHaveBeenCalled()
    await person.click(searchBox())
    await person.keyboard('{Escape}')
    await waitFor(() => expect(onClose).toHaveBeenCalledOnce())
  })
})
