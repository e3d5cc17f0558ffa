import type { LogHit } from '@benchwatch/contract/logs'
import { describe, expect, it } from 'vitest'
import { joinPages } from '../log-pages.ts'
import { coversMoment, nextToRead, type PlacedLog, sharedLines, sharedSpan } from './compare-lines.ts'

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
  return { lines: times.map((at, index) => line(at, firstId + index)), hasOlder, hasNewer }
}

const of = (page: Loaded, ahead = 0): PlacedLog => ({ page, ahead })
const order = (first: PlacedLog, second: PlacedLog) =>
  sharedLines({ first, second }).map(({ side, at, hit }) => `${side === 'first' ? 'L' : 'R'}${hit._id}@${at}`)

describe('lines of two logs', () => {
  it('stand in the order of one time', () => {
    expect(order(of(stream([10, 30])), of(stream([20, 40])))).toEqual(['L1@10', 'R1@20', 'L2@30', 'R2@40'])
  })

  it('of one instant take turns, the first log before', () => {
    expect(order(of(stream([5, 5, 5])), of(stream([5, 5])))).toEqual(['L1@5', 'R1@5', 'L2@5', 'R2@5', 'L3@5'])
  })

  it('of a clock that is ahead stand where they happened', () => {
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
    expect(ends).toEqual({ hasOlder: false, hasNewer: true })
  })

  it.each([1, 7, 100])('of five thousand equal time stamps, read by %i, hold each once on both sides', (size) => {
    const all = Array.from({ length: 5000 }, (_, index) => line(100, index + 1))
    const beside = of(stream([100]))
    for (const read of [size, 2500, 5000]) {
      const part = of({ lines: all.slice(0, read), hasOlder: false, hasNewer: read < 5000 })
      const shown = sharedLines({ first: part, second: beside })
      const ids = shown.filter(({ side }) => side === 'first').map(({ hit }) => hit._id)
      expect(ids).toEqual(all.slice(0, read).map(({ _id }) => _id))
      expect(shown.length - ids.length).toBe(read === 5000 ? 1 : 0)
    }
  })
})
