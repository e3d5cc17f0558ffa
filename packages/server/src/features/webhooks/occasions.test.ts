import type { UnnumberedLiveMessage } from '@benchwatch/contract/live'
import { describe, expect, it } from 'vitest'
import { eventsOf, occasionsOf, type PublishedMessage, wholeChanges } from './occasions.ts'

const published = (...messages: UnnumberedLiveMessage[]): PublishedMessage[] =>
  messages.map((message, index) => ({ seq: 10 + index, customerId: 1, message }))
const head = (version: number) => ({ id: '7', eventId: '7', version, instrumentInstalledProductId: 'IP-1' })
const of = { entity: 'alarm', action: 'update' } as const
const status = (alertStatus: '1_NEW' | '2_IN_PROGRESS' | '3_CLOSED', version: number): UnnumberedLiveMessage => ({
  ...of,
  property: 'alertStatus',
  payload: { ...head(version), alertStatus, reasonClosed: alertStatus === '3_CLOSED' ? 'Duplicate event' : null },
})
const owner = (claimedBy: string | null, version: number): UnnumberedLiveMessage => ({
  ...of,
  property: 'claimedBy',
  payload: { ...head(version), claimedBy, claimedByName: null },
})
const repeat = (version: number): UnnumberedLiveMessage => ({
  ...of,
  property: 'latchedCount',
  payload: { ...head(version), latchedCount: 2 },
})
const orc = (orcStatus: 'Connected' | 'Edge Issue' | 'Disconnected' | 'Onboarding'): UnnumberedLiveMessage => ({
  entity: 'instrument',
  action: 'update',
  property: 'orcStatus',
  payload: { id: '3', instrumentInstalledProductId: 'IP-1', orcStatus },
})
const names = (messages: PublishedMessage[], closedVersion: number | null = null) =>
  occasionsOf(messages, new Map([[7, closedVersion]])).map(({ occasion }) => occasion)

describe('the messages of one change', () => {
  it('are one occasion: a claim, with its status', () => {
    const messages = published(status('2_IN_PROGRESS', 2), owner('5', 2))
    expect(occasionsOf(messages, new Map())).toEqual([
      { seq: 10, key: 'event:7:2', customerId: 1, occasion: 'event.claimed', eventId: 7 },
    ])
  })

  it('are one occasion although messages of other changes lie between them', () => {
    const messages = published(status('2_IN_PROGRESS', 2), orc('Connected'), owner('5', 2))
    expect(names(messages)).toEqual(['event.claimed', 'instrument.back'])
  })

  it('are a close only in the version that closed the event; later ones correct its reason', () => {
    expect(names(published(status('3_CLOSED', 3), owner('SYSTEM', 3), status('3_CLOSED', 4)), 3)).toEqual([
      'event.closed',
      'event.changed',
    ])
  })

  it('are a change if a claim is taken back', () => {
    expect(names(published(status('1_NEW', 3), owner(null, 3)))).toEqual(['event.changed'])
  })
})

describe('a repeat', () => {
  it('is no occasion, unless the event returned to normal with it', () => {
    const cleared: UnnumberedLiveMessage = {
      ...of,
      property: 'clearedAt',
      payload: { ...head(2), clearedAt: '2026-11-20T14:00:00.000Z' },
    }
    expect(names(published(repeat(2)))).toEqual([])
    expect(names(published(repeat(2), cleared))).toEqual(['event.cleared'])
  })
})

describe('an instrument', () => {
  it('is lost when it or its gateway is, and back when it is connected', () => {
    expect(names(published(orc('Edge Issue'), orc('Disconnected'), orc('Onboarding'), orc('Connected')))).toEqual([
      'instrument.lost',
      'instrument.lost',
      'instrument.back',
    ])
  })
})

describe('messages that are decided together', () => {
  const five = published(
    status('2_IN_PROGRESS', 2),
    orc('Connected'),
    owner('5', 2),
    status('3_CLOSED', 3),
    owner('5', 3),
  )

  it('are as many as were asked for, and the rest of the changes that this would cut', () => {
    expect([1, 2, 3, 4, 5, 6].map((limit) => wholeChanges(five, limit))).toEqual([3, 3, 3, 5, 5, 5])
    expect(wholeChanges([], 5)).toBe(0)
  })
})

describe('messages to single users and about deleted events', () => {
  it('are no occasions', () => {
    const deleted = { entity: 'alarm', action: 'delete', property: null, payload: { id: '7', eventId: '7' } } as const
    const features = { entity: 'user', action: 'update', property: 'features', payload: {} } as const
    const messages = [...published(deleted), { seq: 20, customerId: null, message: features }]
    expect(names(messages)).toEqual([])
    expect(eventsOf(messages)).toEqual([])
  })
})
