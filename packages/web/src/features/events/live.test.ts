import type { ServiceEvent } from '@benchwatch/contract/events/events'
import type { LiveMessage } from '@benchwatch/contract/live'
import { aServiceEvent } from '@benchwatch/samples/service-event'
import { QueryClient } from '@tanstack/react-query'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { REFRESH_DELAY_MS } from '../../lib/refresh-soon.ts'
import type { EventPage, EventRows } from './event-cache.ts'
import { createdQuery, putServiceEvent, serviceEventKeys } from './events.api.ts'
import { defaultEventSearch } from './events.search.ts'
import { listRequest, narrowing } from './list/event-list-request.ts'
import { applyToServiceEvents, LOCATIONS_DELAY_MS } from './live.ts'

const now = Date.parse('2026-11-20T14:00:00.000Z')
const listKey = serviceEventKeys.list(listRequest(defaultEventSearch, now))
const otherKey = serviceEventKeys.list(listRequest({ ...defaultEventSearch, quick: 'noOwner' }, now))
const loadedAt = now - 60_000
const total = {
  events: 3,
  instruments: 2,
  components: 2,
  customers: 1,
  locations: 1,
  noOwnerEvents: 0,
  noActionEvents: 0,
  fullSupportEvents: 0,
  olderOpenEvents: 0,
}

let client: QueryClient

type Update = Extract<LiveMessage, { entity: 'alarm'; action: 'update' }>
type Payload<P> = Omit<
  Extract<Update, { property: P }>['payload'],
  'id' | 'eventId' | 'version' | 'instrumentInstalledProductId'
>

function update<P extends Update['property']>(property: P, payload: Payload<P>, version = 6): LiveMessage {
  const head = { id: '2', eventId: '2', version, instrumentInstalledProductId: 'IP-2' }
  // TypeScript cannot narrow the union by a type parameter; `Payload` already matches property and payload.
  const message: unknown = { seq: 1, entity: 'alarm', action: 'update', property, payload: { ...head, ...payload } }
  return message as LiveMessage
}

const page = (key: readonly unknown[] = listKey) => client.getQueryData<EventPage>(key) as EventPage
const ids = () => page().values.map(({ alarm }) => alarm.id)
const event = (id: string) => page().values.find(({ alarm }) => alarm.id === id)?.alarm as ServiceEvent

beforeEach(() => {
  client = new QueryClient()
  const values = ['1', '2', '3'].map((id) => ({
    alarm: aServiceEvent({ id, eventId: id, version: 5, instrumentInstalledProductId: `IP-${id}` }),
  }))
  client.setQueryData(listKey, { values, total }, { updatedAt: loadedAt })
  client.setQueryData(otherKey, { values: values.slice(1), total }, { updatedAt: loadedAt })
  client.setQueryData(serviceEventKeys.detailsOf('2'), values[1]?.alarm, { updatedAt: loadedAt })
})

describe('a live message about an event', () => {
  it('updates the row in every cached list and the details in place', () => {
    applyToServiceEvents(update('claimedBy', { claimedBy: '9', claimedByName: 'Jonas Berg' }), client)
    expect(event('2')).toMatchObject({ claimedBy: '9', claimedByName: 'Jonas Berg', version: 6 })
    expect(page(otherKey).values[0]?.alarm.claimedBy).toBe('9')
    expect(client.getQueryData<ServiceEvent>(serviceEventKeys.detailsOf('2'))?.claimedBy).toBe('9')
  })

  it('updates the rows beside an event, and never turns them into that event', () => {
    const beside = serviceEventKeys.priorTo('3')
    client.setQueryData(serviceEventKeys.detailsOf('3'), aServiceEvent({ id: '3', eventId: '3', version: 5 }))
    client.setQueryData(beside, { values: [{ alarm: event('2') }] })
    applyToServiceEvents(update('alertStatus', { alertStatus: '3_CLOSED', reasonClosed: 'Duplicate event' }), client)
    const rows = client.getQueryData<EventRows>(beside)
    expect(rows?.values[0]?.alarm).toMatchObject({ alertStatus: '3_CLOSED', reasonClosed: 'Duplicate event' })
    expect(client.getQueryData<ServiceEvent>(serviceEventKeys.detailsOf('3'))?.alertStatus).toBe('1_NEW')
  })

  it('leaves every row where it is, and the others untouched', () => {
    const before = event('1')
    applyToServiceEvents(update('alertStatus', { alertStatus: '3_CLOSED', reasonClosed: 'Duplicate event' }), client)
    expect(ids()).toEqual(['1', '2', '3'])
    expect(event('2')).toMatchObject({ alertStatus: '3_CLOSED', reasonClosed: 'Duplicate event' })
    expect(event('1')).toBe(before)
  })

  it('is dropped when an older version, and applied when another property of the same version', () => {
    applyToServiceEvents(update('claimedBy', { claimedBy: '9', claimedByName: 'Jonas Berg' }, 4), client)
    expect(event('2').claimedBy).toBeNull()
    applyToServiceEvents(update('claimedBy', { claimedBy: '9', claimedByName: 'Jonas Berg' }, 6), client)
    applyToServiceEvents(update('alertStatus', { alertStatus: '2_IN_PROGRESS', reasonClosed: null }, 6), client)
    expect(event('2')).toMatchObject({ claimedBy: '9', alertStatus: '2_IN_PROGRESS', version: 6 })
  })

  it('does not make a list look freshly loaded', () => {
    applyToServiceEvents(update('latchedCount', { latchedCount: 4 }), client)
    expect(event('2').latchedCount).toBe(4)
    expect(client.getQueryState(listKey)?.dataUpdatedAt).toBe(loadedAt)
  })

  it('of creation changes no list; it is counted once', () => {
    const creation: LiveMessage = {
      seq: 2,
      entity: 'alarm',
      action: 'create',
      property: null,
      payload: {
        id: '7',
        eventId: '7',
        createdAt: '2026-11-20T14:00:00.000Z',
        severity: 'high',
        alertStatus: '1_NEW',
        instrumentInstalledProductId: 'IP-7',
      },
    }
    applyToServiceEvents(creation, client)
    applyToServiceEvents(creation, client)
    expect(ids()).toEqual(['1', '2', '3'])
    // No list is refetched either, which would change it a moment later.
    for (const key of [listKey, otherKey]) expect(client.getQueryState(key)?.isInvalidated).toBe(false)
    expect(client.getQueryData(createdQuery().queryKey)).toHaveLength(1)
  })

  it('of deletion marks the row as removed and keeps its place', () => {
    applyToServiceEvents(
      { seq: 3, entity: 'alarm', action: 'delete', property: null, payload: { id: '2', eventId: '2' } },
      client,
    )
    expect(ids()).toEqual(['1', '2', '3'])
    expect(page().values.map(({ removed }) => removed ?? false)).toEqual([false, true, false])
  })

  it('of deletion has the map read again after a while: a mark there would count it forever', () => {
    vi.useFakeTimers()
    try {
      const key = [...serviceEventKeys.locations, narrowing(defaultEventSearch, now)]
      client.setQueryData(key, {})
      applyToServiceEvents(
        { seq: 3, entity: 'alarm', action: 'delete', property: null, payload: { id: '2', eventId: '2' } },
        client,
      )
      expect(client.getQueryState(key)?.isInvalidated).toBe(false)
      vi.advanceTimersByTime(LOCATIONS_DELAY_MS)
      expect(client.getQueryState(key)?.isInvalidated).toBe(true)
    } finally {
      vi.useRealTimers()
    }
  })

  it('has the totals read again after a while, once for a burst', () => {
    vi.useFakeTimers()
    try {
      const key = serviceEventKeys.totalsOf(narrowing(defaultEventSearch, now))
      client.setQueryData(key, total)
      const invalidate = vi.spyOn(client, 'invalidateQueries')
      const totalsReads = () => invalidate.mock.calls.filter(([filters]) => filters?.queryKey?.[1] === 'totals').length
      for (let version = 6; version < 26; version++)
        applyToServiceEvents(update('claimedBy', { claimedBy: '9', claimedByName: 'Jonas Berg' }, version), client)
      expect(totalsReads()).toBe(0)
      vi.advanceTimersByTime(REFRESH_DELAY_MS)
      expect(totalsReads()).toBe(1)
      expect(client.getQueryState(key)?.isInvalidated).toBe(true)
      expect(client.getQueryState(listKey)?.isInvalidated).toBe(false)
    } finally {
      vi.useRealTimers()
    }
  })
})

describe('a live message about an instrument', () => {
  it('has the surroundings of its events read again, once for many changes, and of no other instrument', () => {
    vi.useFakeTimers()
    try {
      const ours = serviceEventKeys.around('IP-3', '3')
      const others = serviceEventKeys.around('IP-2', '2')
      for (const key of [ours, others]) client.setQueryData(key, { values: [] })
      const invalidate = vi.spyOn(client, 'invalidateQueries')
      for (let change = 0; change < 20; change++) applyToServiceEvents(status('wash'), client)
      expect(client.getQueryState(ours)?.isInvalidated).toBe(false)
      vi.advanceTimersByTime(REFRESH_DELAY_MS)
      expect(client.getQueryState(ours)?.isInvalidated).toBe(true)
      expect(client.getQueryState(others)?.isInvalidated).toBe(false)
      expect(invalidate).toHaveBeenCalledOnce()
    } finally {
      vi.useRealTimers()
    }
  })

  const status = (instrumentStatus: 'wash'): LiveMessage => ({
    seq: 4,
    entity: 'instrument',
    action: 'update',
    property: 'instrumentStatus',
    payload: { id: '187', instrumentInstalledProductId: 'IP-3', instrumentStatus },
  })

  it('changes the status now of its events, and not the status at the event', () => {
    applyToServiceEvents(status('wash'), client)
    expect(event('3')).toMatchObject({ instrumentStatus: 'wash', instrumentStatusAtEvent: 'method run' })
    expect(event('2').instrumentStatus).toBe('method run')
  })
})

describe('the answer of an own change', () => {
  it('replaces older copies, and never a newer one that a push brought first', () => {
    putServiceEvent(client, { ...event('2'), version: 7, claimedBy: '1' })
    expect(event('2')).toMatchObject({ version: 7, claimedBy: '1' })
    putServiceEvent(client, { ...event('2'), version: 6, claimedBy: null })
    expect(event('2')).toMatchObject({ version: 7, claimedBy: '1' })
  })
})
