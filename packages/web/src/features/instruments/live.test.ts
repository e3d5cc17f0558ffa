import type { InstrumentWithEvents } from '@benchwatch/contract/instruments/instruments'
import type { LiveMessage } from '@benchwatch/contract/live'
import { aListedInstrument } from '@benchwatch/samples/listed-instrument'
import { aServiceEvent } from '@benchwatch/samples/service-event'
import { QueryClient } from '@tanstack/react-query'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { REFRESH_DELAY_MS } from '../../lib/refresh-soon.ts'
import { instrumentKeys } from './instruments.api.ts'
import { applyToInstruments } from './live.ts'

const instrument = aListedInstrument()
const installedProductId = instrument.instrumentInstalledProductId
const event = aServiceEvent({ id: '9', version: 3, instrumentInstalledProductId: installedProductId })
const details: InstrumentWithEvents = { ...instrument, events: [{ alarm: event }] }
const list = { values: [instrument], total: { instruments: 1 } }
const listKey = instrumentKeys.list({ body: { filter: {} } })
const rowsKey = [...instrumentKeys.rows, 'shown']
const timelineKey = [...instrumentKeys.timelinesOf(instrument.id), 'span']
const countsKey = [...instrumentKeys.counts, 'searches']
let client: QueryClient

beforeEach(() => {
  vi.useFakeTimers()
  client = new QueryClient()
  client.setQueryData(instrumentKeys.detailsOf(installedProductId), details)
  client.setQueryData(listKey, list)
  client.setQueryData(rowsKey, {})
  client.setQueryData(timelineKey, {})
  client.setQueryData(countsKey, [1])
})

afterEach(() => {
  client.clear()
  vi.useRealTimers()
})

const shown = () => client.getQueryData<InstrumentWithEvents>(instrumentKeys.detailsOf(installedProductId))
const isStale = (key: readonly unknown[]) => client.getQueryState(key)?.isInvalidated

const about = (of: string) => ({ id: '9', eventId: '104882', version: 4, instrumentInstalledProductId: of })
const latched = (of = installedProductId): LiveMessage => ({
  seq: 1,
  entity: 'alarm',
  action: 'update',
  property: 'latchedCount',
  payload: { ...about(of), latchedCount: 7 },
})
const claimed = (of = installedProductId): LiveMessage => ({
  seq: 2,
  entity: 'alarm',
  action: 'update',
  property: 'claimedBy',
  payload: { ...about(of), claimedBy: '1', claimedByName: 'Anna Lind' },
})

describe('a live message', () => {
  it.each([
    ['instrumentStatus', 'wash'],
    ['orcStatus', 'Disconnected'],
    ['unknownAt', '2026-11-20T13:00:00.000Z'],
    ['statusReason', 'mqtt source skids is down.'],
    [
      'maintenances',
      [{ id: '3', start: '2026-11-20T12:00:00.000Z', end: null, reason: 'Pump', rrule: null, timeZone: null }],
    ],
  ])('about the %s of an instrument changes it wherever it is shown, and nothing else', (property, value) => {
    const payload = { id: instrument.id, instrumentInstalledProductId: installedProductId, [property]: value }
    const message: unknown = { seq: 1, entity: 'instrument', action: 'update', property, payload }
    applyToInstruments(message as LiveMessage, client)
    expect(instrument).not.toMatchObject({ [property]: value })
    expect(shown()).toEqual({ ...details, [property]: value })
    expect(client.getQueryData(listKey)).toEqual({ ...list, values: [{ ...instrument, [property]: value }] })
  })

  it.each([
    ['orcStatus', 'Disconnected', true],
    ['instrumentStatus', 'wash', false],
  ])('about the %s has the counters read again: %s', (property, value, isCounted) => {
    const payload = { id: '999', instrumentInstalledProductId: 'IP-99999999', [property]: value }
    applyToInstruments({ seq: 1, entity: 'instrument', action: 'update', property, payload } as LiveMessage, client)
    vi.advanceTimersByTime(REFRESH_DELAY_MS)
    expect(isStale(countsKey)).toBe(isCounted)
  })

  it.each([
    ['the details', instrumentKeys.detailsOf(installedProductId), instrumentKeys.detailsOf(installedProductId)],
    ['the rows', rowsKey, rowsKey],
    ['a page', listKey, rowsKey],
  ])('reads %s again if a read in flight may be older', (_what, inFlight, again) => {
    const payload = { id: instrument.id, instrumentInstalledProductId: installedProductId, orcStatus: 'Disconnected' }
    void client.prefetchQuery({ queryKey: inFlight, queryFn: () => new Promise(() => undefined) })
    applyToInstruments(
      { seq: 1, entity: 'instrument', action: 'update', property: 'orcStatus', payload } as LiveMessage,
      client,
    )
    expect(isStale(again)).toBe(false)
    vi.advanceTimersByTime(REFRESH_DELAY_MS)
    expect(isStale(again)).toBe(true)
  })

  it('about another instrument changes nothing', () => {
    const payload = { id: '999', instrumentInstalledProductId: 'IP-99999999', instrumentStatus: 'wash' } as const
    applyToInstruments(
      { seq: 1, entity: 'instrument', action: 'update', property: 'instrumentStatus', payload },
      client,
    )
    expect(shown()).toEqual(details)
    expect(client.getQueryData(listKey)).toEqual(list)
  })

  it('about an open event changes its row at once and reads nothing again', () => {
    applyToInstruments(latched(), client)
    expect(shown()?.events[0]?.alarm.latchedCount).toBe(7)
    vi.advanceTimersByTime(REFRESH_DELAY_MS)
    expect(isStale(instrumentKeys.detailsOf(installedProductId))).toBe(false)
    expect(isStale(rowsKey)).toBe(false)
  })

  it('about a new owner changes the row, and has counts and time line read again', () => {
    applyToInstruments(claimed(), client)
    expect(shown()?.events[0]?.alarm.claimedByName).toBe('Anna Lind')
    vi.advanceTimersByTime(REFRESH_DELAY_MS)
    expect(isStale(instrumentKeys.detailsOf(installedProductId))).toBe(true)
    expect(isStale(timelineKey)).toBe(true)
    expect(isStale(rowsKey)).toBe(true)
    expect(isStale(listKey)).toBe(false)
  })

  it('about an event of another instrument leaves the details alone', () => {
    applyToInstruments(claimed('IP-99999999'), client)
    vi.advanceTimersByTime(REFRESH_DELAY_MS)
    expect(shown()).toBe(details)
    expect(isStale(instrumentKeys.detailsOf(installedProductId))).toBe(false)
    expect(isStale(timelineKey)).toBe(false)
    expect(isStale(rowsKey)).toBe(true)
    expect(isStale(listKey)).toBe(false)
  })

  it('about a deleted event has everything read again that may have shown it', () => {
    applyToInstruments(
      { seq: 1, entity: 'alarm', action: 'delete', property: null, payload: { id: '9', eventId: '104882' } },
      client,
    )
    vi.advanceTimersByTime(REFRESH_DELAY_MS)
    expect(isStale(instrumentKeys.detailsOf(installedProductId))).toBe(true)
    expect(isStale(timelineKey)).toBe(true)
    expect(isStale(rowsKey)).toBe(true)
    expect(isStale(listKey)).toBe(false)
  })
})
