import { aServiceEvent } from '@benchwatch/samples/service-event'
import { describe, expect, it } from 'vitest'
import { eventRange } from './event-list-request.ts'
import { countNewEvents, MAX_NEW_EVENTS, type NewEvent, rememberNewEvent } from './new-events.ts'
import { defaultEventSearch, type EventSearch } from './service-events.search.ts'

const now = Date.parse('2026-11-20T14:00:00.000Z')
const total = {
  events: 1,
  instruments: 1,
  components: 1,
  customers: 1,
  locations: 1,
  noOwnerEvents: 0,
  noActionEvents: 0,
  fullSupportEvents: 0,
  olderOpenEvents: 0,
}

function created(changes: Partial<NewEvent['created']> = {}, arrivedAt = now + 1): NewEvent {
  const payload = {
    id: '7',
    eventId: '7',
    createdAt: '2026-11-20T14:00:01.000Z',
    severity: 'high' as const,
    alertStatus: '1_NEW' as const,
    instrumentInstalledProductId: 'IP-1',
  }
  return { created: { ...payload, ...changes }, arrivedAt }
}

function count(news: NewEvent[], search: Partial<EventSearch> = {}): number {
  const whole = { ...defaultEventSearch, ...search }
  const page = { values: [{ alarm: aServiceEvent({ id: '1' }) }], total }
  return countNewEvents(news, { search: whole, range: eventRange(whole, now), page, loadedAt: now })
}

describe('the bar "N new events"', () => {
  it('counts what was created within the current range after the list was loaded', () => {
    expect(count([created(), created({ id: '8' })])).toBe(2)
    expect(count([created({}, now - 1)])).toBe(0)
    expect(count([created({ createdAt: '2026-10-01T00:00:00.000Z' })])).toBe(0)
  })

  it('does not count what the list shows already', () => {
    expect(count([created({ id: '1' })])).toBe(0)
  })

  it('heeds what the message tells: severity and status', () => {
    expect(count([created({ severity: 'low' })], { filter: { severity: ['high'] } })).toBe(0)
    expect(count([created()], { filter: { severity: ['high'] } })).toBe(1)
    expect(count([created()], { filter: { alertStatus: ['3_CLOSED'] } })).toBe(0)
  })

  it('counts nothing for quick filters that need hours of age', () => {
    expect(count([created()], { quick: 'noOwner' })).toBe(0)
    expect(count([created()], { quick: 'fullSupport' })).toBe(1)
  })

  it('counts an event told twice once, and does not grow for ever', () => {
    const once = rememberNewEvent([], created())
    expect(rememberNewEvent(once, created())).toHaveLength(1)
    let many: NewEvent[] = []
    for (let id = 0; id <= MAX_NEW_EVENTS; id++) many = rememberNewEvent(many, created({ id: String(id) }))
    expect(many).toHaveLength(MAX_NEW_EVENTS)
  })
})
