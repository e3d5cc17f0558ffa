import { describe, expect, it } from 'vitest'
import { daysBefore, pointChange, relativeChange } from './dashboard.tsx'

describe('the change of a figure', () => {
  it('compares as many days directly before, for the same customers', () => {
    const customers = ['Helix']
    expect(daysBefore({ from: '2026-11-01', to: '2026-11-20', customers })).toEqual({
      ...{ from: '2026-10-12', to: '2026-10-31', customers },
    })
    expect(daysBefore({ from: '2026-03-01', to: '2026-03-01', customers: [] })).toMatchObject({ to: '2026-02-28' })
  })

  it('is a share of the earlier number', () => {
    expect(relativeChange(112, 100)).toBe('↑ 12.0%')
    expect(relativeChange(50, 100)).toBe('↓ 50.0%')
    expect(relativeChange(7, 7)).toBe('No change')
    expect(relativeChange(7, 0)).toBe('↑ from 0')
  })

  it('of a share is a number of percentage points', () => {
    expect(pointChange(0.925, 0.95)).toBe('↓ 2.5 points')
    expect(pointChange(0.9504, 0.95)).toBe('No change')
  })
})
