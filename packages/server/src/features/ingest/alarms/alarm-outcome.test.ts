import { describe, expect, it } from 'vitest'
import { type Clear, followAlarms, type Raise, type UnclearedEvent } from './alarm-outcome.ts'

const at = (sequence: number) => new Date(Date.UTC(2026, 10, 20, 14, 0, sequence))
const order = (sequence: number, gatewayId = 1, epoch = 1) => ({ gatewayId, epoch, sequence })

function raise(sequence: number, alertId: string, more: Partial<Raise> = {}): Raise {
  return {
    kind: 'raised',
    instrumentId: 7,
    customerId: 1,
    templateId: 'P9B-1042',
    componentId: 3,
    alertId,
    order: order(sequence),
    time: at(sequence),
    ...more,
  }
}
function clear(sequence: number, alertId: string): Clear {
  return { kind: 'cleared', instrumentId: 7, alertId, order: order(sequence), time: at(sequence) }
}
function event(id: number, more: Partial<UnclearedEvent> = {}): UnclearedEvent {
  return {
    id,
    instrumentId: 7,
    customerId: 1,
    templateId: 'P9B-1042',
    componentId: 3,
    alertIds: ['old'],
    isClosed: false,
    ...more,
  }
}
const nothing = { uncleared: [], pending: [] }
const shown = ({ raised }: ReturnType<typeof followAlarms>) =>
  raised.map(({ raise: { alertId }, latched, clearedAt }) => [alertId, latched, clearedAt?.getUTCSeconds() ?? null])

describe('the course of alarms', () => {
  it('makes a new event of a raise', () => {
    expect(shown(followAlarms([raise(1, 'a')], nothing))).toEqual([['a', 0, null]])
  })

  it('counts repeats on the open event and remembers their alert ids', () => {
    const outcome = followAlarms([raise(1, 'a'), raise(2, 'b'), raise(3, 'b'), raise(4, 'a')], nothing)
    expect(shown(outcome)).toEqual([['a', 3, null]])
    expect(outcome.raised[0]?.furtherAlertIds).toEqual(['b'])
  })

  it('counts the alarms that a gateway merged into one raise, on a new event and on an open one', () => {
    expect(shown(followAlarms([raise(1, 'a', { count: 40 }), raise(2, 'a', { count: 2 })], nothing))).toEqual([
      ['a', 41, null],
    ])
    const { touched } = followAlarms([raise(1, 'a', { count: 40 })], { uncleared: [event(5)], pending: [] })
    expect(touched.get(5)?.latched).toBe(40)
  })

  it('distinguishes instrument, template, component and customer', () => {
    const raises = [
      raise(1, 'a'),
      raise(2, 'b', { instrumentId: 8 }),
      raise(3, 'c', { templateId: 'P9B-1043' }),
      raise(4, 'd', { componentId: 4 }),
      raise(5, 'e', { customerId: 2 }),
    ]
    expect(followAlarms(raises, nothing).raised).toHaveLength(5)
  })

  it('makes two events of raise, clear, raise', () => {
    expect(shown(followAlarms([raise(1, 'a'), clear(2, 'a'), raise(3, 'a')], nothing))).toEqual([
      ['a', 0, 2],
      ['a', 0, null],
    ])
  })

  it('clears by the alert id of a repeat', () => {
    expect(shown(followAlarms([raise(1, 'a'), raise(2, 'b'), clear(3, 'b')], nothing))).toEqual([['a', 1, 3]])
  })

  it('latches onto an open event of the database', () => {
    const outcome = followAlarms([raise(1, 'b')], { uncleared: [event(50)], pending: [] })
    expect(outcome.raised).toEqual([])
    expect(outcome.touched.get(50)).toMatchObject({ latched: 1, furtherAlertIds: ['b'], clearedAt: null })
  })

  it('makes a new event while the old one is closed but has not returned to normal, and clears both', () => {
    const outcome = followAlarms([raise(1, 'old'), clear(2, 'old')], {
      uncleared: [event(50, { isClosed: true })],
      pending: [],
    })
    expect(shown(outcome)).toEqual([['old', 0, 2]])
    expect(outcome.touched.get(50)?.clearedAt).toEqual(at(2))
  })

  it('leaves events alone that nothing happens to', () => {
    expect(followAlarms([clear(1, 'x')], { uncleared: [event(50)], pending: [] }).touched.size).toBe(0)
  })

  it('keeps a clear that finds nothing', () => {
    expect(followAlarms([clear(5, 'a')], nothing).keep).toEqual([clear(5, 'a')])
  })

  it('applies a kept clear when its raise arrives', () => {
    const outcome = followAlarms([raise(1, 'a')], { uncleared: [], pending: [clear(5, 'a')] })
    expect(shown(outcome)).toEqual([['a', 0, 5]])
    expect(outcome.forget).toEqual([{ instrumentId: 7, alertId: 'a' }])
  })

  it('applies a kept clear to the event onto which its raise is latched', () => {
    const outcome = followAlarms([raise(2, 'b')], { uncleared: [event(50)], pending: [clear(5, 'b')] })
    expect(outcome.touched.get(50)).toMatchObject({ latched: 1, clearedAt: at(5) })
  })

  it('does not apply a kept clear to a younger raise with the same alert id', () => {
    for (const younger of [raise(6, 'a'), raise(1, 'a', { order: order(1, 1, 2) })]) {
      const outcome = followAlarms([younger], { uncleared: [], pending: [clear(5, 'a')] })
      expect(shown(outcome)).toEqual([['a', 0, null]])
      expect(outcome.forget).toHaveLength(1)
    }
  })

  it('goes by time between two gateways', () => {
    const pending = [clear(5, 'a')]
    const earlier = raise(900, 'a', { order: order(900, 2), time: at(4) })
    const later = raise(1, 'a', { order: order(1, 2), time: at(6) })
    expect(shown(followAlarms([earlier], { uncleared: [], pending }))[0]?.[2]).toBe(5)
    expect(shown(followAlarms([later], { uncleared: [], pending }))[0]?.[2]).toBeNull()
  })

  describe('of what is held back', () => {
    const heldBack = [
      { id: 50, instrumentId: 7, customerId: 1, templateId: 'P9B-1042', componentId: 3, alertIds: ['old'] },
    ]
    const known = { ...nothing, heldBack }
    const held = { isHeldBack: true }

    it('counts a repeat on it and ends it by any of their ids', () => {
      for (const ending of ['old', 'b']) {
        const outcome = followAlarms([raise(1, 'b', held), clear(2, ending)], known)
        expect(outcome.raised).toEqual([])
        expect(outcome.touchedHeldBack.get(50)).toMatchObject({ latched: 1, furtherAlertIds: ['b'], clearedAt: at(2) })
        expect(outcome.keep).toEqual([])
      }
    })

    it('starts again after its end', () => {
      const outcome = followAlarms([clear(1, 'old'), raise(2, 'b', held), raise(3, 'c', held)], known)
      expect(shown(outcome)).toEqual([['b', 1, null]])
      expect(outcome.touchedHeldBack.get(50)).toMatchObject({ latched: 0, clearedAt: at(1) })
    })

    it('makes an event of a raise that is not held back, and counts the next one there', () => {
      const outcome = followAlarms([raise(1, 'b'), raise(2, 'c', held)], known)
      expect(shown(outcome)).toEqual([['b', 1, null]])
      expect(outcome.touchedHeldBack.size).toBe(0)
      const reversed = followAlarms([raise(1, 'b', held), raise(2, 'c')], nothing)
      expect(shown(reversed)).toEqual([
        ['b', 0, null],
        ['c', 0, null],
      ])
    })
  })
})
