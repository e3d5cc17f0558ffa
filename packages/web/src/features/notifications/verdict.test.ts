import { notificationGates, notificationKinds, notificationStates } from '@benchwatch/contract/vocabulary'
import { seededTypes } from '@benchwatch/samples/equipment/instrument-type'
import { aNotification, anExplanation } from '@benchwatch/samples/notification'
import { describe, expect, it } from 'vitest'
import { checksIn, deciderLabel, verdictOf } from './verdict.ts'

const all = 'new_event_notification'
const mine = 'assign_me_notification'

describe('the verdict', () => {
  it.each([
    ['sent', 'notified', 'You were notified.'],
    ['waiting', 'coming', 'You will be notified.'],
    ['held', 'coming', 'You will be notified.'],
    ['collected', 'coming', 'You will be notified.'],
    ['failed', 'lost', 'You were to be notified, but nothing was sent.'],
    ['withdrawn', 'lost', 'You were to be notified, but nothing was sent.'],
  ] as const)('of what is %s is %s', (state, outcome, title) => {
    const explanation = anExplanation(all, { notifications: [aNotification({ state })] })
    expect(verdictOf(explanation, null)).toEqual({ outcome, title, sinceThen: null })
  })

  it('knows every state', () => {
    for (const state of notificationStates) {
      const { outcome } = verdictOf(anExplanation(all, { notifications: [aNotification({ state })] }), null)
      expect([state, outcome]).not.toEqual([state, 'not-notified'])
    }
  })

  it('is told as soon as one of several ways has left', () => {
    const notifications = [aNotification({ state: 'failed' }), aNotification({ id: '2', state: 'sent' })]
    expect(verdictOf(anExplanation(all, { notifications }), null).outcome).toBe('notified')
  })

  it('says no by the profile, and of whom', () => {
    const explanation = anExplanation(all, { stoppedBy: 'severity' })
    expect(verdictOf(explanation, null)).toEqual({
      outcome: 'not-notified',
      title: 'You were not notified.',
      sinceThen: null,
    })
    expect(verdictOf(explanation, 'Anna Lind').title).toBe('Anna Lind was not notified.')
  })

  it('says so where the profile has changed since, both ways', () => {
    const told = anExplanation(all, { stoppedBy: 'severity', notifications: [aNotification()] })
    expect(verdictOf(told, null)).toMatchObject({
      outcome: 'notified',
      sinceThen: expect.stringMatching(/changed since/),
    })
    const missed = anExplanation(all, { notifications: [] })
    expect(verdictOf(missed, null)).toMatchObject({
      outcome: 'not-notified',
      sinceThen: expect.stringMatching(/current profile matches this event/),
    })
  })
})

describe('what was looked at', () => {
  it('holds every gate in its order, those of an assignment only where there is one', () => {
    expect(checksIn(anExplanation(mine), seededTypes).map(({ gate }) => gate)).toEqual([...notificationGates])
    expect(checksIn(anExplanation(all), seededTypes).map(({ gate }) => gate)).toEqual(notificationGates.slice(2))
  })

  it.each(
    notificationKinds.flatMap((kind) =>
      notificationGates
        .filter((gate) => kind === mine || notificationGates.indexOf(gate) > 1)
        .map((gate) => [kind, gate] as const),
    ),
  )('of %s is decided by %s alone', (kind, gate) => {
    const explanation = anExplanation(kind, {})
    const checks = explanation.checks.map((check) => ({ ...check, passes: check.category !== gate }))
    const rows = checksIn({ ...explanation, isNotified: false, decidedBy: gate, checks }, seededTypes)
    expect(rows.filter(({ isDecisive }) => isDecisive).map((row) => [row.gate, row.result])).toEqual([[gate, 'stops']])
    expect(deciderLabel({ decidedBy: gate })).toBe(rows.find((row) => row.gate === gate)?.label)
    // Later gates are not evaluated, so nothing is claimed about them. Categories are always evaluated.
    const behind = rows.slice(rows.findIndex((row) => row.gate === gate) + 1).filter(({ wanted }) => wanted === null)
    expect(behind.every(({ result, found }) => result === 'not-checked' && found === null)).toBe(true)
  })

  it('names values as people read them, and what the event lacks', () => {
    const rows = checksIn(
      anExplanation(all, {
        checks: [
          { category: 'severity', wanted: ['high', 'medium'], found: 'low', passes: false },
          { category: 'alertType', wanted: ['2'], found: '1', passes: false },
          { category: 'instrumentType', wanted: [], found: 'AKTAPure', passes: true },
          { category: 'qualifiedSystem', wanted: ['true'], found: null, passes: false },
        ],
      }),
      seededTypes,
    ).filter(({ wanted }) => wanted !== null)
    expect(rows.map(({ wanted, found }) => [wanted, found])).toEqual([
      [['High', 'Medium'], 'Low'],
      [['Alert'], 'Alarm'],
      [[], 'ÄKTA pure'],
      [['Yes'], null],
    ])
  })
})
