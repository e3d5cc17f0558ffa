import type { LogHit } from '@benchwatch/contract/instruments/logs'
import { describe, expect, it } from 'vitest'
import { joinPages } from '../log-pages.ts'
import {
  type CompareRow,
  compareRows,
  coversMoment,
  densityOf,
  nextMatch,
  nextToRead,
  type PlacedLine,
  type PlacedLog,
  rowAt,
  SILENCE_MS,
  sharedLines,
  sharedSpan,
} from './compare-lines.ts'

/** Creates a line at `at`; lines of the same instant differ by id, as on the server. */
function line(at: number, id: number): LogHit {
  const nothing = {
    module: null,
    'log.level': null,
    'event.code': null,
    'winlog.user.name': null,
    'host.hostname': null,
  }
  return {
    _index: 'logs',
    _id: String(id),
    sort: [at, String(id)],
    _source: { '@timestamp': new Date(at).toISOString(), message: `line ${id}`, ...nothing },
    highlight: null,
  }
}

type Loaded = NonNullable<PlacedLog>['page']

function stream(times: readonly number[], ends: Partial<Loaded> & { firstId?: number } = {}): Loaded {
  const { firstId = 1, hasOlder = false, hasNewer = false } = ends
  return { lines: times.map((at, index) => line(at, firstId + index)), hasOlder, hasNewer, completeFrom: null }
}

const of = (page: Loaded, ahead = 0): PlacedLog => ({ page, ahead })
const order = (first: PlacedLog, second: PlacedLog) =>
  sharedLines({ first, second }).map(({ side, at, hit }) => `${side === 'first' ? 'L' : 'R'}${hit._id}@${at}`)

describe('lines of two logs', () => {
  it('are in the order of one clock', () => {
    expect(order(of(stream([10, 30])), of(stream([20, 40])))).toEqual(['L1@10', 'R1@20', 'L2@30', 'R2@40'])
  })

  it('of one instant take turns, the first log before', () => {
    expect(order(of(stream([5, 5, 5])), of(stream([5, 5])))).toEqual(['L1@5', 'R1@5', 'L2@5', 'R2@5', 'L3@5'])
  })

  it('of a clock that is ahead are shown when they happened', () => {
    expect(order(of(stream([1000])), of(stream([90_500, 91_500]), 90_000))).toEqual(['R1@500', 'L1@1000', 'R2@1500'])
  })

  it('are those of the one log, where the other could not be read', () => {
    expect(order(null, of(stream([1, 2])))).toEqual(['R1@1', 'R2@2'])
    expect(order(null, null)).toEqual([])
  })
})

describe('the span that both logs cover', () => {
  it('ends where the busier one was read to, and nothing is shown beyond it', () => {
    const busy = of(stream([100, 101, 102], { hasOlder: true, hasNewer: true }))
    const quiet = of(stream([1, 50, 101, 500]))
    expect(sharedSpan({ first: busy, second: quiet })).toEqual({ from: 100, to: 102 })
    expect(order(busy, quiet)).toEqual(['L1@100', 'L2@101', 'R3@101', 'L3@102'])
  })

  it('reaches as far as a log that has no more lets the other one reach', () => {
    const span = sharedSpan({ first: of(stream([])), second: of(stream([7, 9], { hasNewer: true })) })
    expect(span).toEqual({ from: Number.NEGATIVE_INFINITY, to: 9 })
  })

  it('holds no line beside an instant of the other log that was not read to its end', () => {
    // A thousand lines share instant 100; the last two and the first two are loaded.
    const first = of(stream([100, 100], { hasOlder: true, hasNewer: true }))
    const second = of(stream([99, 100, 101]))
    expect(order(first, second)).toEqual(['L1@100', 'L2@100'])
    const whole = of(stream([100, 100, 100], { hasOlder: false, hasNewer: false }))
    expect(order(whole, second)).toEqual(['R1@99', 'L1@100', 'R2@100', 'L2@100', 'L3@100', 'R3@101'])
  })

  it('is told by the shared clock', () => {
    const second = of(stream([90_100, 90_200], { hasOlder: true, hasNewer: true }), 90_000)
    expect(sharedSpan({ first: of(stream([150])), second })).toEqual({ from: 100, to: 200 })
  })

  it('does not cover what only one log covers', () => {
    const pair = {
      first: of(stream([100, 200], { hasOlder: true, hasNewer: true })),
      second: of(stream([150, 300], { hasOlder: true, hasNewer: true })),
    }
    expect([100, 150, 200, 250].map((moment) => coversMoment(pair, moment))).toEqual([false, true, true, false])
  })
})

describe('the log to read on in', () => {
  const open = { hasOlder: true, hasNewer: true }
  it('is the one that holds the other back', () => {
    const pair = { first: of(stream([50, 60], open)), second: of(stream([10, 90], open)) }
    expect(nextToRead(pair, 'older')).toBe('first')
    expect(nextToRead(pair, 'newer')).toBe('first')
  })

  it('is the other one, where the first has no more', () => {
    const pair = { first: of(stream([50, 60])), second: of(stream([10, 90], open)) }
    expect(nextToRead(pair, 'older')).toBe('second')
  })

  it('is none at the end of both, nor where nothing can be read', () => {
    expect(nextToRead({ first: of(stream([1])), second: of(stream([])) }, 'newer')).toBeNull()
    expect(nextToRead({ first: null, second: null }, 'older')).toBeNull()
  })
})

describe('pages of a log', () => {
  it('become one stream whose ends are those of the outermost pages', () => {
    const older = { ...stream([1, 2], { hasOlder: false, hasNewer: true }), total: 0 }
    const middle = { ...stream([3], { hasOlder: true, hasNewer: true, firstId: 3 }), total: 0 }
    const { lines, total: _total, ...ends } = joinPages([older, middle])
    expect(lines.map(({ _id }) => _id)).toEqual(['1', '2', '3'])
    expect(ends).toEqual({ hasOlder: false, hasNewer: true, completeFrom: null })
  })

  it.each([1, 7, 100])('of five thousand equal time stamps, read by %i, hold each once on both sides', (size) => {
    const all = Array.from({ length: 5000 }, (_, index) => line(100, index + 1))
    const beside = of(stream([100]))
    for (const read of [size, 2500, 5000]) {
      const part = of({ lines: all.slice(0, read), hasOlder: false, hasNewer: read < 5000, completeFrom: null })
      const shown = sharedLines({ first: part, second: beside })
      const ids = shown.filter(({ side }) => side === 'first').map(({ hit }) => hit._id)
      expect(ids).toEqual(all.slice(0, read).map(({ _id }) => _id))
      expect(shown.length - ids.length).toBe(read === 5000 ? 1 : 0)
    }
  })
})

describe('the table of two logs', () => {
  // Noon by the viewer's clock, so the minutes around it fall on one day in any time zone.
  const NOON = new Date(2026, 10, 20, 12).getTime()

  /** Texts are `L` or `R` and ms after noon; the id is the same text. */
  function lines(...texts: string[]): PlacedLine[] {
    return texts.map((text) => {
      const at = NOON + Number(text.slice(1))
      return {
        side: text.startsWith('L') ? 'first' : 'second',
        at,
        hit: { _id: text, sort: [at, text] } as unknown as LogHit,
      }
    })
  }

  function shown(rows: readonly CompareRow[]): string[] {
    return rows.map((row) => {
      if (row.kind === 'gap') return `gap ${row.length}`
      if (row.kind !== 'lines') return row.kind
      const silence = row.silence === null ? '' : ` silent ${row.silence}`
      return `${row.first?.hit._id ?? '–'} | ${row.second?.hit._id ?? '–'}${silence}`
    })
  }

  const rows = (placed: PlacedLine[], eventAt: number | null = null) =>
    compareRows(placed, { eventAt: eventAt === null ? null : NOON + eventAt, isInterleaved: false })

  describe('rows of two logs', () => {
    it('hold lines of the same second side by side, and empty ground where one log wrote nothing', () => {
      expect(shown(rows(lines('L100', 'R300', 'L1200', 'R2000', 'L2100')))).toEqual([
        'L100 | R300',
        'L1200 | –',
        '– | R2000',
        'L2100 | –',
      ])
    })

    it('are the same wherever reading began', () => {
      const all = lines('L100', 'L200', 'R300', 'L400', 'R500', 'R600', 'L700')
      const keys = rows(all).map(({ key }) => key)
      // At the edge, a line of the second log can still be paired with an older one.
      for (const begin of [1, 3, 6]) {
        const later = rows(all.slice(begin)).map(({ key }) => key)
        expect(keys.slice(-later.length)).toEqual(later)
      }
    })

    it('are in the order of time from top to bottom', () => {
      const times = rows(lines('L100', 'R300', 'R400', 'L500', 'L900', 'R950')).flatMap((row) =>
        row.kind === 'lines' ? [row.first?.at, row.second?.at].filter((at) => at !== undefined) : [],
      )
      expect(times).toEqual(times.toSorted((a, b) => a - b))
    })

    it('hold one line each where they are interleaved', () => {
      const interleaved = compareRows(lines('L100', 'R100'), { eventAt: null, isInterleaved: true })
      expect(shown(interleaved)).toEqual(['L100 | –', '– | R100'])
    })
  })

  describe('silence', () => {
    it('of both logs is a row of its own', () => {
      expect(shown(rows(lines('L0', 'R252000')))).toEqual(['L0 | –', 'gap 252000', '– | R252000'])
      expect(shown(rows(lines('L0', `L${SILENCE_MS - 1}`)))).toHaveLength(2)
    })

    it('of one log is told where it begins', () => {
      expect(shown(rows(lines('L0', 'R20000', 'R40000', 'L70000')))).toEqual([
        'L0 | –',
        '– | R20000 silent 70000',
        '– | R40000',
        'L70000 | –',
      ])
    })

    it('is not told of what was not read', () => {
      expect(shown(rows(lines('L0', 'R20000', 'R40000')))).toEqual(['L0 | –', '– | R20000', '– | R40000'])
    })
  })

  describe('the event', () => {
    it('stands between the lines before and after its moment, above those of the same instant', () => {
      expect(shown(rows(lines('L0', 'L500', 'R900'), 500))).toEqual(['L0 | –', 'event', 'L500 | R900'])
    })

    it('never lies within a row', () => {
      expect(shown(rows(lines('L0', 'R500'), 300))).toEqual(['L0 | –', 'event', '– | R500'])
    })

    it('parts a silence, and stands alone where there are no lines', () => {
      expect(shown(rows(lines('L0', 'L180000'), 60_000))).toEqual([
        'L0 | –',
        'gap 60000',
        'event',
        'gap 120000',
        'L180000 | –',
      ])
      expect(shown(rows([], 0))).toEqual(['event'])
      expect(shown(rows(lines('L0'), 61_000))).toEqual(['L0 | –', 'gap 61000', 'event'])
    })
  })

  it('names a day where it begins, never above the first line', () => {
    const midnight = 12 * 3_600_000
    expect(shown(rows(lines(`L${midnight - 1000}`, `L${midnight + 1000}`)))).toEqual([
      `L${midnight - 1000} | –`,
      'day',
      `L${midnight + 1000} | –`,
    ])
  })

  describe('the row of a moment', () => {
    const some = rows(lines('L0', 'R5000', 'L9000'), 9000)
    const named = (text: string) => lines(text)[0] as PlacedLine
    it.each([
      [{ at: NOON + 4000 }, 1],
      [{ at: NOON - 99_000 }, 0],
      [{ at: NOON + 9000 }, 2],
      [{ ...named('L9000'), at: NOON }, 3],
      [{ ...named('R5000'), side: 'first' as const }, 1],
    ])('%j is row %i', (wanted, index) => {
      expect(rowAt(some, wanted)).toBe(index)
    })

    it('is none where nothing is shown', () => {
      expect(rowAt([], { at: NOON })).toBeNull()
    })
  })
})

describe('the overview', () => {
  const hit = {} as LogHit
  const first = (at: number): PlacedLine => ({ side: 'first', at, hit })
  const second = (at: number): PlacedLine => ({ side: 'second', at, hit })

  it('counts the lines of each log by equal lengths of time, its ends among them', () => {
    const lines = [first(0), first(1), first(2), first(3), second(60), first(100)]
    expect(densityOf(lines, { eventAt: null, bins: 2 })).toEqual({
      from: 0,
      to: 100,
      first: [1, 0.5],
      second: [0, 0.5],
    })
  })

  it('reaches to the event', () => {
    expect(densityOf([first(0)], { eventAt: 50, bins: 1 })).toMatchObject({ from: 0, to: 50 })
  })

  it.each([[[]], [[first(7), second(7)]]])('is none where there is no extent', (lines) => {
    expect(densityOf(lines, { eventAt: null, bins: 4 })).toBeNull()
  })
})

describe('a search in both logs', () => {
  const match = (side: PlacedLine['side'], at: number, id: string): PlacedLine => ({
    side,
    at,
    hit: { _id: id } as unknown as LogHit,
  })
  const matches = [match('first', 10, 'a'), match('second', 20, 'a'), match('first', 20, 'b'), match('first', 30, 'c')]

  describe('the next match', () => {
    it.each([
      [{ at: 0 }, 'newer', matches[0]],
      [{ at: 15 }, 'newer', matches[1]],
      [{ at: 15 }, 'older', matches[0]],
      [match('second', 20, 'a'), 'newer', matches[2]],
      [match('second', 20, 'a'), 'older', matches[0]],
      [match('first', 30, 'c'), 'newer', undefined],
      [{ at: 5 }, 'older', undefined],
      // A line of another log with the same id is a different line.
      [match('second', 25, 'c'), 'newer', matches[3]],
    ] as const)('from %j, %s', (place, direction, expected) => {
      expect(nextMatch(matches, place, direction)).toEqual(expected)
    })
  })
})
