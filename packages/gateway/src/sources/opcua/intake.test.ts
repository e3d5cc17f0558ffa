import { describe, expect, it } from 'vitest'
import type { ConditionFacts } from './facts.ts'
import { Conditions } from './intake.ts'

const time = new Date('2026-11-20T14:02:23.000Z')
const later = new Date('2026-11-20T14:05:00.000Z')
const facts = (given: Partial<ConditionFacts> = {}): ConditionFacts => ({
  kind: 'condition',
  key: 'tank level',
  enabled: true,
  active: true,
  retain: true,
  severity: 500,
  time,
  ...given,
})
const normal = { active: false, retain: false, severity: 0, message: 'Back to normal', time: later }

describe('conditions of OPC UA', () => {
  it('are raised once, however often the server repeats them, and cleared once', () => {
    const conditions = new Conditions()
    const told = [facts(), facts(), facts(normal), facts(normal), facts()].map((one) => conditions.take(one))
    expect(told.map((one) => one?.['active'])).toEqual([true, undefined, false, undefined, true])
  })

  it('end with the severity and the texts of their raise', () => {
    const conditions = new Conditions()
    conditions.take(facts({ message: 'Level is high' }))
    expect(conditions.take(facts(normal))).toMatchObject({
      active: false,
      severity: 500,
      message: 'Level is high',
      time: later,
    })
  })

  it('tell a change of severity without being raised again', () => {
    const conditions = new Conditions()
    conditions.take(facts())
    const told = [900, 900, 300].map((severity) => conditions.take(facts({ severity })))
    expect(told).toMatchObject([
      { kind: 'change', severity: 900, severityBefore: 500 },
      null,
      { kind: 'change', severity: 300, severityBefore: 900 },
    ])
    expect(conditions.take(facts(normal))).toMatchObject({ kind: 'condition', severity: 500, active: false })
  })

  it('are told apart by their key', () => {
    const conditions = new Conditions()
    conditions.take(facts())
    expect(conditions.take(facts({ key: 'lid' }))).toMatchObject({ active: true })
    expect(conditions.take(facts(normal))).toMatchObject({ active: false })
    expect(conditions.take(facts({ key: 'lid' }))).toBeNull()
  })

  it.each([{ enabled: false }, { retain: false }])('end by %o, whatever their state says', (given) => {
    const conditions = new Conditions()
    conditions.take(facts())
    expect(conditions.take(facts(given))).toMatchObject({ active: false })
  })

  it('without a state of their own are active while the server retains them', () => {
    const conditions = new Conditions()
    expect(conditions.take(facts({ active: null, retain: null }))).toEqual({ kind: 'over', key: 'tank level' })
    expect(conditions.take(facts({ active: null }))).toMatchObject({ active: true })
    expect(conditions.take(facts({ active: null, retain: false }))).toMatchObject({ active: false })
  })
})

describe('a refresh', () => {
  const raised = (...keys: string[]) => {
    const conditions = new Conditions()
    for (const key of keys) conditions.take(facts({ key }))
    return conditions
  }

  it('keeps what the server names and forgets what it does not', () => {
    const conditions = raised('gone', 'tank level')
    conditions.refreshStarts()
    expect(conditions.take(facts())).toBeNull()
    expect(conditions.take(facts({ key: 'new' }))).toMatchObject({ active: true })
    expect([...(conditions.refreshEnds() ?? [])]).toEqual(['tank level', 'new'])
    expect(conditions.take(facts({ key: 'gone' }))).toMatchObject({ active: true })
  })

  it('forgets nothing when it is repeated without an end', () => {
    const conditions = raised('tank level', 'lid')
    conditions.refreshStarts()
    conditions.take(facts())
    conditions.refreshStarts()
    conditions.take(facts())
    conditions.take(facts({ key: 'lid' }))
    expect([...(conditions.refreshEnds() ?? [])]).toEqual(['tank level', 'lid'])
  })

  it('ends nothing if its beginning is missing', () => {
    expect(raised('tank level').refreshEnds()).toBeNull()
  })

  it('reports everything again after a report that could not be stored', () => {
    const conditions = raised('tank level')
    conditions.forget()
    conditions.refreshStarts()
    expect(conditions.take(facts())).toMatchObject({ active: true })
  })
})
