import { describe, expect, it } from 'vitest'
import { type Cell, type Column, counted, formatCell, percent, rowsOf } from './table-rows.ts'

describe('rows of a table', () => {
  it('are read by the names of their columns', () => {
    const columns: Column[] = [
      { key: 'owner', label: 'Owner', kind: 'text' },
      { key: 'median', label: 'Median', kind: 'seconds' },
    ]
    const rows: Cell[][] = [
      ['Ada', 90],
      ['No owner', null],
    ]
    const [first, second] = rowsOf({ columns, rows })
    expect([first?.text('owner'), first?.number('median'), first?.numberOrNull('median')]).toEqual(['Ada', 90, 90])
    expect([second?.number('median'), second?.numberOrNull('median'), second?.text('absent')]).toEqual([0, null, ''])
  })

  it.each<[Column['kind'], Cell, string]>([
    ['text', 'ÄKTA pure', 'ÄKTA pure'],
    ['text', null, '–'],
    ['number', 12_345, '12,345'],
    ['number', 0, '0'],
    ['seconds', 5700, '1 h 35 min'],
    ['share', 0.9451575, '94.5%'],
    ['day', '2026-11-05', '05-Nov-2026'],
    ['instant', null, '–'],
  ])('say a %s of %j as %s', (kind, cell, words) => {
    expect(formatCell(kind, cell)).toBe(words)
  })

  it('never round to all or nothing', () => {
    expect([percent(1), percent(0.99999), percent(0.9994), percent(0.00001), percent(0)]).toEqual([
      '100.0%',
      '> 99.9%',
      '99.9%',
      '< 0.1%',
      '0.0%',
    ])
  })

  it('count in words', () => {
    expect([counted(1, 'event'), counted(0, 'event'), counted(2, 'box', 'boxes')]).toEqual([
      '1 event',
      '0 events',
      '2 boxes',
    ])
  })
})
