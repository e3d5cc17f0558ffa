import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { newestReports } from './newest-reports.ts'

const report = fc.record({ key: fc.constantFrom('a', 'b'), epoch: fc.nat(3), sequence: fc.nat(5), told: fc.nat() })

describe('the newest reports', () => {
  it('are one for each key, and none was counted later', () => {
    fc.assert(
      fc.property(fc.array(report), (reports) => {
        const newest = newestReports(reports, ({ key }) => key)
        expect(newest.map(({ key }) => key).sort()).toEqual([...new Set(reports.map(({ key }) => key))].sort())
        for (const { key, epoch, sequence } of newest) {
          const later = reports.filter(
            (one) => one.key === key && (one.epoch > epoch || (one.epoch === epoch && one.sequence > sequence)),
          )
          expect(later).toEqual([])
        }
      }),
    )
  })

  it('are the last given of those counted alike', () => {
    const reports = [1, 2, 3].map((told) => ({ epoch: 1, sequence: 7, told }))
    expect(newestReports(reports, () => '')).toEqual([{ epoch: 1, sequence: 7, told: 3 }])
  })
})
