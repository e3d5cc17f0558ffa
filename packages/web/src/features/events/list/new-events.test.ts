import { aServiceEvent } from '@benchwatch/samples/service-event'
import { describe, expect, it } from 'vitest'
import { defaultEventSearch, type EventSearch } from '../events.search.ts'
import { eventRange, narrowing } from './event-list-request.ts'
import {
  countNewEvents,
  MAX_REMEMBERED,
  messagesSuffice,
  type NewEvent,
  rememberNewEvent,
  type ShownList,
  seenPart,
  unseenPart,
  unseenSince,
} from './new-events.ts'

const now = Date.parse('2026-11-20T14:00:00.000Z')
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
  return countNewEvents(news, shown(whole))
}

function shown(search: EventSearch = defaultEventSearch): ShownList {
  const page = { values: [{ alarm: aServiceEvent({ id: '1' }) }] }
  return { search, range: eventRange(search, now), page, requestedAt: now }
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
    expect(count([created()], { filter: { 'severity!': ['high'] } })).toBe(0)
    expect(count([created()], { filter: { 'severity!': ['low'], 'alertStatus!': ['3_CLOSED'] } })).toBe(1)
    expect(messagesSuffice({ ...defaultEventSearch, filter: { 'severity!': ['low'] } })).toBe(true)
    expect(messagesSuffice({ ...defaultEventSearch, filter: { 'siteCity!': ['Oslo'] } })).toBe(false)
  })

  it('counts nothing for quick filters that need hours of age', () => {
    expect(count([created()], { quick: 'noOwner' })).toBe(0)
    expect(count([created()], { quick: 'fullSupport' })).toBe(1)
  })

  it('counts an event that is announced twice once, and does not grow without limit', () => {
    const once = rememberNewEvent([], created())
    expect(rememberNewEvent(once, created())).toHaveLength(1)
    let many: NewEvent[] = []
    for (let id = 0; id < MAX_REMEMBERED; id++) many.push(created({ id: String(id) }))
    many = rememberNewEvent(many, created({ id: 'new' }))
    expect(many).toHaveLength(MAX_REMEMBERED)
    expect(many.at(-1)?.created.id).toBe('new')
  })

  it.each([
    [{}, true],
    [{ filter: { severity: ['high'], alertStatus: ['1_NEW'] } }, true],
    [{ keyword: ' ' }, true],
    [{ keyword: 'pump' }, false],
    [{ filter: { siteCountry: ['Sweden'] } }, false],
    [{ quick: 'fullSupport' }, false],
  ] satisfies [Partial<EventSearch>, boolean][])(
    'messages contain everything by which %o filters: %s',
    (search, isWhole) => {
      expect(messagesSuffice({ ...defaultEventSearch, ...search })).toBe(isWhole)
    },
  )
})

describe('events that arrived after a list was shown', () => {
  const later = created({ id: '8', createdAt: '2026-11-20T14:00:02.000Z' })

  it('begins with its first event in the range, in whatever order the messages arrived', () => {
    expect(unseenSince([later, created()], shown())).toBe('2026-11-20T14:00:01.000Z')
    expect(unseenSince([later, created({ createdAt: '2026-10-01T00:00:00.000Z' })], shown())).toBe(
      '2026-11-20T14:00:02.000Z',
    )
  })

  it('is empty while all of it is visible, or was announced before the list was requested', () => {
    expect(unseenSince([], shown())).toBeNull()
    expect(unseenSince([created({ id: '1' })], shown())).toBeNull()
    expect(unseenSince([created({}, now - 1)], shown())).toBeNull()
  })

  it('is not in what was seen, whatever else narrows the list', () => {
    const all = narrowing({ ...defaultEventSearch, keyword: 'pump', filter: { severity: ['high'] } }, now)
    const since = '2026-11-20T14:00:01.000Z'
    expect(seenPart(all, null)).toEqual(all)
    expect(seenPart(all, since)).toEqual({ ...all, query: { ...all.query, stop: since } })
    expect(unseenPart(all, since)).toEqual({ ...all, query: { ...all.query, start: since } })
  })
})
