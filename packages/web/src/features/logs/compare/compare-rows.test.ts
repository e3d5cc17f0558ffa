import type { LogHit } from '@benchwatch/contract/logs'
import { describe, expect, it } from 'vitest'
import { type CompareRow, compareRows, type PlacedLine, rowAt, SILENCE_MS } from './compare-lines.ts'

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
