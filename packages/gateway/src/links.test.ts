import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { Links } from './links.ts'
import { MemoryOutbox } from './testing/memory-outbox.ts'

const start = Date.parse('2026-11-20T14:00:00.000Z')
let outbox: MemoryOutbox
let links: Links
let changes: number

function begin(known = ['reason', 'sources']): Links {
  const { report, keep, notes } = outbox.context()
  return new Links({
    source: { name: 'skids', kind: 'mqtt', lostAfterMs: 60_000, instruments: ['IP-1'] },
    notes,
    report,
    keep,
    knows: () => new Set(known),
    onFailure: (error) => {
      throw error
    },
    onChange: () => changes++,
  })
}

const statuses = () =>
  outbox.reports.map(({ subject, data }) => [subject, ...Object.values(data as Record<string, string>)])

beforeEach(() => {
  vi.useFakeTimers({ now: start })
  outbox = new MemoryOutbox()
  changes = 0
  links = begin()
})
afterEach(() => {
  links.stop()
  vi.useRealTimers()
})

describe('the links of a source', () => {
  it('report since when they are up or down, why, and which messages caused no report', () => {
    links.set('skids', 'up')
    vi.advanceTimersByTime(5000)
    links.set('skids', 'up')
    links.set('skids', 'down', 'The broker is away.')
    vi.advanceTimersByTime(5000)
    links.set('skids', 'down', 'The password is wrong.')
    links.unmatched(null)
    links.fault('This is not JSON.')
    expect(links.shown()).toEqual([
      {
        name: 'skids',
        kind: 'mqtt',
        state: 'down',
        since: '2026-11-20T14:00:05.000Z',
        reason: 'The password is wrong.',
        unmatched: 1,
        faulty: 1,
        lastFault: 'This is not JSON.',
        items: 0,
        lastItemAt: null,
        unmatchedNames: [],
      },
    ])
    expect(changes).toBe(3)
  })

  it('show its instruments as disconnected after a while, with the reason, and as unknown when they are back', async () => {
    links.noteInstrument('IP-2')
    links.set('skids', 'down', 'The broker is away.')
    await vi.advanceTimersByTimeAsync(59_000)
    expect(outbox.reports).toEqual([])
    await vi.advanceTimersByTimeAsync(1000)
    const reason = 'mqtt source skids is down. The broker is away.'
    expect(statuses()).toEqual([
      ['IP-1', 'disconnected', reason],
      ['IP-2', 'disconnected', reason],
    ])
    links.set('skids', 'up')
    expect(statuses().slice(2)).toEqual([
      ['IP-1', 'Unknown'],
      ['IP-2', 'Unknown'],
    ])
  })

  it('disconnect nothing when they are back in time, nor for another link of the source', async () => {
    links.set('skids', 'down')
    links.set('skids/second', 'down')
    await vi.advanceTimersByTimeAsync(30_000)
    links.set('skids', 'up')
    await vi.advanceTimersByTimeAsync(600_000)
    expect(outbox.reports).toEqual([])
    expect(links.shown().map(({ name }) => name)).toEqual(['skids', 'skids/second'])
  })

  it('remember over a restart which instruments are behind them, and that they were lost', async () => {
    links.noteInstrument('IP-2')
    links.set('skids', 'down')
    await vi.advanceTimersByTimeAsync(60_000)
    links.stop()
    outbox.reports.length = 0
    links = begin()
    links.set('skids', 'down')
    await vi.advanceTimersByTimeAsync(600_000)
    expect(outbox.reports).toEqual([])
    links.set('skids', 'up')
    expect(statuses()).toEqual([
      ['IP-1', 'Unknown'],
      ['IP-2', 'Unknown'],
    ])
  })

  it('are not down because their source was stopped', () => {
    links.set('skids', 'up')
    links.stop()
    links.set('skids', 'down')
    expect(links.shown()).toMatchObject([{ state: 'up' }])
    expect(vi.getTimerCount()).toBe(0)
  })

  it('leave the reason out for a server that would refuse it', async () => {
    links.stop()
    links = begin([])
    links.set('skids', 'down', 'The broker is away.')
    await vi.advanceTimersByTimeAsync(60_000)
    expect(statuses()).toEqual([['IP-1', 'disconnected']])
  })

  it('report the number of reports, and the names of messages that no rule matched, the last one first', () => {
    links.set('skids', 'up')
    links.countReport()
    vi.advanceTimersByTime(5000)
    links.countReport()
    links.unmatched({ field: 'topic', name: 'lab/door' })
    links.unmatched({ field: 'topic', name: 'lab/lamp' })
    links.unmatched({ field: 'topic', name: 'lab/door' })
    expect(links.shown()).toMatchObject([
      {
        items: 2,
        lastItemAt: '2026-11-20T14:00:05.000Z',
        unmatched: 3,
        unmatchedNames: [
          { field: 'topic', name: 'lab/door', count: 2, lastAt: '2026-11-20T14:00:05.000Z' },
          { field: 'topic', name: 'lab/lamp', count: 1 },
        ],
      },
    ])
  })

  it('keep the fifty names that were seen last', () => {
    links.set('skids', 'up')
    for (let index = 1; index <= 60; index++) links.unmatched({ field: 'topic', name: `lab/${index}` })
    const [{ unmatched, unmatchedNames = [] } = {}] = links.shown()
    expect([unmatched, unmatchedNames.length, unmatchedNames[0]?.name, unmatchedNames.at(-1)?.name]).toEqual([
      60,
      50,
      'lab/60',
      'lab/11',
    ])
  })

  it('leave out reports and names for a server that would refuse them, and what no server can keep', () => {
    links.stop()
    links = begin([])
    links.set('skids', 'up')
    links.unmatched({ field: 'topic', name: 'lab/door' })
    links.fault('A NUL \u0000 and half a character \ud83d')
    const [shown = {}] = links.shown()
    expect(Object.keys(shown)).not.toContain('items')
    expect(Object.keys(shown)).not.toContain('unmatchedNames')
    expect(shown).toMatchObject({ unmatched: 1, lastFault: 'A NUL \ufffd and half a character \ufffd' })
  })
})
