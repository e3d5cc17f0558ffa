import type { LogHit } from '@benchwatch/contract/instruments/logs'
import { aLogHit } from '@benchwatch/samples/log-hit'
import { describe, expect, it } from 'vitest'
import {
  furtherPage,
  isGoingOn,
  isWithin,
  joinPages,
  type LogPage,
  missingBefore,
  pageAround,
  pageOfContext,
  totalLabel,
  windowOfEvent,
} from './log-pages.ts'
import type { LogAnswer } from './logs.api.ts'
import { indexOfInstant } from './viewer/log-lines.tsx'

type LogPlace = LogHit['sort']
const STEP = 5

const line = (ms: number, id: number) => aLogHit({ id, at: ms })

/** Simulates the server with these lines. */
function logOf(lines: LogHit[]) {
  const isAfter = ([at, id]: LogPlace, [ms, other]: LogPlace) => at > ms || (at === ms && Number(id) > Number(other))
  const isSame = ([at, id]: LogPlace, [ms, other]: LogPlace) => at === ms && id === other
  return {
    older: (place: LogPlace, size: number): LogAnswer => ({
      lines: lines
        .filter(({ sort }) => !isAfter(sort, place) && !isSame(sort, place))
        .reverse()
        .slice(0, size),
      total: lines.length,
      completeFrom: null,
    }),
    newer: (place: LogPlace, size: number): LogAnswer => ({
      lines: lines.filter(({ sort }) => isAfter(sort, place)).slice(0, size),
      total: lines.length,
      completeFrom: null,
    }),
  }
}

const ids = ({ lines }: LogPage) => lines.map(({ _id }) => Number(_id))

function open(lines: LogHit[], at: number): LogPage {
  const older = lines.filter(({ sort }) => sort[0] < at)
  const newer = lines.filter(({ sort }) => sort[0] >= at)
  return pageAround({
    older: { lines: older.toReversed().slice(0, 7), total: older.length, completeFrom: null },
    newer: { lines: newer.slice(0, 7), total: newer.length, completeFrom: null },
    size: 6,
  })
}

const tenLines = Array.from({ length: 10 }, (_, index) => line(index * 1000, index + 1))

describe('the lines with which the viewer opens', () => {
  it('are six, three on either side of the moment; a line of that very instant comes after it', () => {
    expect(open(tenLines, 5000)).toMatchObject({ hasOlder: true, hasNewer: true, total: 10 })
    expect(ids(open(tenLines, 5000))).toEqual([3, 4, 5, 6, 7, 8])
  })

  it('are six also near an end', () => {
    expect(ids(open(tenLines, 1000))).toEqual([1, 2, 3, 4, 5, 6])
    expect(ids(open(tenLines, 99_000))).toEqual([5, 6, 7, 8, 9, 10])
    expect(open(tenLines, 99_000)).toMatchObject({ hasOlder: true, hasNewer: false })
    expect(open(tenLines.slice(0, 2), 99_000)).toMatchObject({ hasOlder: false, hasNewer: false })
    expect(open([], 0)).toEqual({ lines: [], hasOlder: false, hasNewer: false, total: 0, completeFrom: null })
  })
})

describe('the neighbours of a line', () => {
  it('are three on either side', () => {
    const log = logOf(tenLines)
    const of = (hit: LogHit) => pageOfContext(hit, { older: log.older(hit.sort, 4), newer: log.newer(hit.sort, 4) })
    const [first, , , , fifth] = tenLines as [LogHit, LogHit, LogHit, LogHit, LogHit]
    expect(ids(of(fifth))).toEqual([2, 3, 4, 5, 6, 7, 8])
    expect(of(first)).toMatchObject({ hasOlder: false, hasNewer: true })
    expect(ids(of(first))).toEqual([1, 2, 3, 4])
  })
})

describe('loading older and newer lines in turn', () => {
  it('shows each of 500 lines of one instant once, also while new ones come in', () => {
    const lines = Array.from({ length: 500 }, (_, index) => line(index < 30 ? index : 1000, index + 1))
    let pages = [open(lines, 1000)]
    for (let turn = 0; turn < 200; turn += 1) {
      const { lines: shown, hasOlder, hasNewer } = joinPages(pages)
      const log = logOf(lines)
      const [first, last] = [shown[0], shown.at(-1)]
      if (first && hasOlder)
        pages = [furtherPage(log.older(first.sort, STEP + 1), { order: 'DESC', size: STEP }), ...pages]
      if (last && hasNewer)
        pages = [...pages, furtherPage(log.newer(last.sort, STEP + 1), { order: 'ASC', size: STEP })]
      if (turn < 20) lines.push(line(1000, lines.length + 1))
    }
    const all = joinPages(pages)
    expect(ids(all)).toEqual(Array.from({ length: 520 }, (_, index) => index + 1))
    expect(all).toMatchObject({ hasOlder: false, hasNewer: false, total: 520 })
  })
})

describe('the place of the event among the lines', () => {
  const at = (ms: number) => new Date(ms).toISOString()

  it('is before the first line that is not older', () => {
    const page = { ...open(tenLines, 5000) }
    expect([4500, 5000, 5001].map((ms) => indexOfInstant(page, at(ms)))).toEqual([3, 3, 4])
  })

  it('is unknown beyond what was read, and at an end where there is no more', () => {
    const middle = open(tenLines, 5000)
    expect([0, 9_000_000].map((ms) => indexOfInstant(middle, at(ms)))).toEqual([null, null])
    const all: LogPage = { lines: tenLines, hasOlder: false, hasNewer: false, total: 10, completeFrom: null }
    expect([-1, 9_000_000].map((ms) => indexOfInstant(all, at(ms)))).toEqual([0, 10])
  })
})

describe('lines that cannot be read', () => {
  const completeFrom = new Date(3000).toISOString()
  const page = (over: Partial<LogPage>): LogPage => ({
    ...{ lines: tenLines, hasOlder: false, hasNewer: false, total: 10, completeFrom },
    ...over,
  })

  it('are missing where the oldest shown line is the oldest that can be read', () => {
    expect(missingBefore(page({ lines: tenLines.slice(5) }))).toBe(completeFrom)
    expect(missingBefore(page({ lines: [] }))).toBe(completeFrom)
    expect(missingBefore(page({ completeFrom: null }))).toBeNull()
  })

  it('are not missing yet while older lines come first, but are as soon as a shown line is older', () => {
    expect(missingBefore(page({ lines: tenLines.slice(5), hasOlder: true }))).toBeNull()
    expect(missingBefore(page({ hasOlder: true }))).toBe(completeFrom)
  })

  it('are known from any of the pages', () => {
    expect(joinPages([page({ completeFrom: null }), page({})]).completeFrom).toBe(completeFrom)
  })
})

describe('log window', () => {
  const local = (...parts: [number, number, number, number?, number?, number?]) => new Date(...parts).toISOString()
  const moment = local(2026, 10, 20, 14, 2, 7)

  describe('the time with which logs of an event open', () => {
    it('is the whole day on the page of the event', () => {
      expect(windowOfEvent(moment, 'details')).toEqual({ from: local(2026, 10, 20), to: local(2026, 10, 21) })
    })

    it('is the previous day to two seconds after the event otherwise', () => {
      expect(windowOfEvent(moment, 'row')).toEqual({ from: local(2026, 10, 19), to: local(2026, 10, 20, 14, 2, 9) })
    })

    it('holds its beginning and not its end', () => {
      const window = windowOfEvent(moment, 'details')
      expect([window.from, moment, window.to].map((instant) => isWithin(window, instant))).toEqual([true, true, false])
    })

    it('goes on as long as its end has not come', () => {
      const window = windowOfEvent(moment, 'details')
      expect(isGoingOn(window, Date.parse(moment))).toBe(true)
      expect(isGoingOn(window, Date.parse(window.to))).toBe(false)
    })
  })
})

it.each([
  [0, '0 matches'],
  [1, '1 match'],
  [1234, '1,234 matches'],
  [10_000, '10,000+ matches'],
])('counts %i as %s', (total, words) => {
  expect(totalLabel(total, ['match', 'matches'])).toBe(words)
})
