import { describe, expect, it } from 'vitest'
import {
  daysOf,
  daysProblem,
  isSameQuestion,
  type KpiQuestion,
  readKpiQuestion,
  writeKpiQuestion,
} from './kpi-question.ts'

const usual: KpiQuestion = { range: { days: 30 }, customers: [] }

describe('what a dashboard is asked', () => {
  it.each<[Record<string, unknown>, KpiQuestion]>([
    [{}, usual],
    [{ days: '365' }, { ...usual, range: { days: 365 } }],
    [{ days: '8' }, usual],
    [{ days: 7 }, usual],
    [
      { from: '2026-02-01', to: '2026-02-28' },
      { ...usual, range: { from: '2026-02-01', to: '2026-02-28' } },
    ],
    [{ from: '2026-02-01', to: '2026-02-30' }, usual],
    [{ from: '2026-03-01', to: '2026-02-01' }, usual],
    [{ from: '2026-02-01' }, usual],
    [{ customers: '["Helix, Biologics","دلتا"]' }, { ...usual, customers: ['Helix, Biologics', 'دلتا'] }],
    [{ customers: '["Helix", 7]' }, { ...usual, customers: ['Helix'] }],
    [{ customers: 'Helix' }, usual],
    [{ customers: '{}' }, usual],
  ])('is read from %j', (search, question) => {
    expect(readKpiQuestion(search)).toEqual(question)
  })

  it('is written as it is read, without what is usual', () => {
    expect(writeKpiQuestion(usual)).toEqual({})
    for (const question of [
      { range: { days: 7 }, customers: ['Helix, "Biologics"'] },
      { range: { from: '2026-01-01', to: '2026-11-20' }, customers: [] },
    ] satisfies KpiQuestion[]) {
      expect(readKpiQuestion(writeKpiQuestion(question))).toEqual(question)
      expect(isSameQuestion(question, readKpiQuestion(writeKpiQuestion(question)))).toBe(true)
      expect(isSameQuestion(question, usual)).toBe(false)
    }
  })

  it('counts its days in UTC, today included', () => {
    const now = new Date('2026-11-20T23:59:00-05:00')
    expect(daysOf({ days: 7 }, now)).toEqual({ from: '2026-11-15', to: '2026-11-21' })
    expect(daysOf({ from: '2026-01-01', to: '2026-01-01' }, now)).toEqual({ from: '2026-01-01', to: '2026-01-01' })
  })

  it('has days that the server takes', () => {
    expect(daysProblem({ from: '2026-01-01', to: '2026-01-01' })).toBeNull()
    expect(daysProblem({ from: '2025-10-17', to: '2026-11-20' })).toBeNull()
    expect(daysProblem({ from: '2025-10-16', to: '2026-11-20' })).toBe('Select at most 400 days.')
    expect(daysProblem({ from: '2026-01-02', to: '2026-01-01' })).toBe(
      'The end date must not be before the start date.',
    )
    expect(daysProblem({ from: '', to: '2026-01-01' })).toBe('Select both dates.')
    expect(daysProblem({ from: 'soon', to: '2026-01-01' })).toBe('Invalid date format')
    expect(daysProblem({ from: '2026-02-30', to: '2026-03-01' })).toBe('Invalid date format')
  })
})
