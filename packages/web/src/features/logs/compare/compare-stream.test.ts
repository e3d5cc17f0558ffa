import type { LogHit } from '@benchwatch/contract/logs'
import { describe, expect, it } from 'vitest'
import {
  coversMoment,
  type LogStream,
  nextToRead,
  type PlacedStream,
  sharedLines,
  sharedSpan,
  streamOf,
} from './compare-stream.ts'

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

function stream(times: readonly number[], ends: Partial<LogStream> & { firstId?: number } = {}): LogStream {
  const { firstId = 1, isStart = true, isEnd = true } = ends
  return { lines: times.map((at, index) => line(at, firstId + index)), isStart, isEnd, completeFrom: null }
}

const of = (known: LogStream, ahead = 0): PlacedStream => ({ stream: known, ahead })
const order = (first: PlacedStream, second: PlacedStream) =>
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
    const busy = of(stream([100, 101, 102], { isStart: false, isEnd: false }))
    const quiet = of(stream([1, 50, 101, 500]))
    expect(sharedSpan({ first: busy, second: quiet })).toEqual({ from: 100, to: 102 })
    expect(order(busy, quiet)).toEqual(['L1@100', 'L2@101', 'R3@101', 'L3@102'])
  })

  it('reaches as far as a log that has no more lets the other one reach', () => {
    const span = sharedSpan({ first: of(stream([])), second: of(stream([7, 9], { isEnd: false })) })
    expect(span).toEqual({ from: Number.NEGATIVE_INFINITY, to: 9 })
  })

  it('holds no line beside an instant of the other log that was not read to its end', () => {
    // A thousand lines share instant 100; the last two and the first two are loaded.
    const first = of(stream([100, 100], { isStart: false, isEnd: false }))
    const second = of(stream([99, 100, 101]))
    expect(order(first, second)).toEqual(['L1@100', 'L2@100'])
    const whole = of(stream([100, 100, 100], { isStart: true, isEnd: true }))
    expect(order(whole, second)).toEqual(['R1@99', 'L1@100', 'R2@100', 'L2@100', 'L3@100', 'R3@101'])
  })

  it('is told by the shared clock', () => {
    const second = of(stream([90_100, 90_200], { isStart: false, isEnd: false }), 90_000)
    expect(sharedSpan({ first: of(stream([150])), second })).toEqual({ from: 100, to: 200 })
  })

  it('does not cover what only one log covers', () => {
    const pair = {
      first: of(stream([100, 200], { isStart: false, isEnd: false })),
      second: of(stream([150, 300], { isStart: false, isEnd: false })),
    }
    expect([100, 150, 200, 250].map((moment) => coversMoment(pair, moment))).toEqual([false, true, true, false])
  })
})

describe('the log to read on in', () => {
  const open = { isStart: false, isEnd: false }
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
    const completeFrom = '2026-11-18T12:00:00.000Z'
    const older = { ...stream([1, 2], { isStart: true, isEnd: false }), total: 0, completeFrom }
    const middle = { ...stream([3], { isStart: false, isEnd: false, firstId: 3 }), total: 0 }
    const { lines, ...ends } = streamOf([older, middle])
    expect(lines.map(({ _id }) => _id)).toEqual(['1', '2', '3'])
    expect(ends).toEqual({ isStart: true, isEnd: false, completeFrom })
  })

  it.each([1, 7, 100])('of five thousand equal time stamps, read by %i, hold each once on both sides', (size) => {
    const all = Array.from({ length: 5000 }, (_, index) => line(100, index + 1))
    const beside = of(stream([100]))
    for (const read of [size, 2500, 5000]) {
      const part = of({ lines: all.slice(0, read), isStart: true, isEnd: read === 5000, completeFrom: null })
      const shown = sharedLines({ first: part, second: beside })
      const ids = shown.filter(({ side }) => side === 'first').map(({ hit }) => hit._id)
      expect(ids).toEqual(all.slice(0, read).map(({ _id }) => _id))
      expect(shown.length - ids.length).toBe(read === 5000 ? 1 : 0)
    }
  })
})
