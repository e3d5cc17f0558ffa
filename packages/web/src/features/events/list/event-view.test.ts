import type { ViewState } from '@benchwatch/contract/events/views'
import { viewState } from '@benchwatch/contract/events/views'
import { seededTypes } from '@benchwatch/samples/equipment/instrument-type'
import { describe, expect, it } from 'vitest'
import { rangePresets } from '../../../ui/time/range-kind.ts'
import { isSameState } from '../../views/applied-view.ts'
import { defaultEventSearch, type EventSearch } from '../events.search.ts'
import { eventViews, searchOfView, viewOfSearch } from './event-view.ts'

const now = new Date(2026, 10, 20, 14, 2).getTime()
const daysLater = (days: number) => new Date(2026, 10, 20 + days, 9, 30).getTime()
const search = (over: Partial<EventSearch> = {}): EventSearch => ({ ...defaultEventSearch, ...over })
const stateOf = (over: object): ViewState => viewState.parse(over)
const midnight = (day: number) => new Date(2026, 10, day).toISOString()

const views = eventViews({ users: [{ id: '7', name: 'Jonas Berg' }], viewerId: '3', types: seededTypes })

describe('a view of the event list', () => {
  it('keeps filters, quick filter, keyword, range, sort, columns and page size, and gives them back', () => {
    const set = search({
      page: 1,
      pageSize: 50,
      keyword: 'pump',
      filter: { severity: ['high'], siteCity: ['Washington, DC'], 'owner!': ['none'] },
      order: 'DESC',
      orderBy: 'siteCity',
      quick: 'noOwner',
      columns: ['eventId', 'severity'],
      start: '2026-03-01T10:20:30.000Z',
      stop: '2026-03-04T00:00:00.000Z',
    })
    const state = viewOfSearch(set, now)
    expect(viewState.parse(state)).toEqual(state)
    expect(searchOfView(state, defaultEventSearch, daysLater(40))).toEqual(set)
  })

  it('of the usual list is empty', () => {
    expect(views.usual).toEqual(stateOf({}))
    expect(searchOfView(stateOf({}), defaultEventSearch, now)).toEqual(defaultEventSearch)
  })

  it('without a keyword is the usual one, by null as by an empty text', () => {
    const empty = { ...stateOf({}), keyword: '' }
    expect(views.read(empty)).toEqual(views.usual)
    expect(views.describe(empty)).toBe('Default list')
  })

  it('leads to the first page, and leaves temporaryFilters as it is', () => {
    expect(viewOfSearch(search({ page: 7 }), now)).toEqual(views.usual)
    const kept = { temporaryFilters: true, view: 'map', map: { latitude: 48.86, longitude: 2.35, zoom: 9 } } as const
    expect(searchOfView(stateOf({}), { ...defaultEventSearch, ...kept }, now)).toEqual(search(kept))
  })

  it('drops filters, columns, orders and page sizes that the list does not know any more', () => {
    const state = stateOf({
      filters: { colour: ['red'], severity: ['high', 'purple'], quick: ['noSleep'] },
      columns: ['mood', 'age'],
      orderBy: 'mood',
      order: 'ASC',
      pageSize: 13,
      range: { kind: 'lunar', phase: 3 },
    })
    const read = views.read(state)
    expect(read.filters).toEqual({ severity: ['high'] })
    expect(read).toMatchObject({ columns: ['age'], pageSize: null, range: null })
    // Reading it again drops nothing: the list shows the view unchanged.
    expect(isSameState(views.read(read), read)).toBe(true)
  })
})

describe('the built-in views', () => {
  it('find open events of all times, those of the viewer, high ones of nobody, and running contract clocks', () => {
    const open = { alertStatus: ['1_NEW', '2_IN_PROGRESS'] }
    const shown = views.presets.map(({ name, state }) => {
      const { filter, start, stop, orderBy, order } = searchOfView(state, defaultEventSearch, now)
      expect([start, stop]).toEqual(['1970-01-01T00:00:00.000Z', null])
      return [name, filter, orderBy, order]
    })
    expect(shown).toEqual([
      ['Open, all times', open, 'createdAt', 'DESC'],
      ['My open events', { ...open, owner: ['3'] }, 'createdAt', 'DESC'],
      ['High without owner', { ...open, severity: ['high'], owner: ['none'] }, 'createdAt', 'DESC'],
      ['Contract clock running', { contractClock: ['over4h', 'under4h', 'overdue'] }, 'contractClock', 'ASC'],
    ])
  })

  it('are in force from one day to the next', () => {
    for (const { state } of views.presets) {
      expect(isSameState(views.read(state), state)).toBe(true)
      const applied = searchOfView(state, defaultEventSearch, now)
      expect(isSameState(viewOfSearch(applied, daysLater(40)), state)).toBe(true)
    }
  })
})

describe('a range', () => {
  it.each(rangePresets(new Date(now)).map(({ label, range }) => [label, range] as const))(
    'chosen as %s moves along with the calendar',
    (label, { start, stop }) => {
      const state = viewOfSearch(search({ start: start.toISOString(), stop: stop.toISOString() }), now)
      const later = rangePresets(new Date(daysLater(12))).find((preset) => preset.label === label)
      const { start: from, stop: to } = searchOfView(state, defaultEventSearch, daysLater(12))
      if (label === 'Last 7 days') expect([state.range, from, to]).toEqual([null, null, null])
      else expect([from, to]).toEqual([later?.range.start.toISOString(), later?.range.stop.toISOString()])
    },
  )

  it('that equals the default is none', () => {
    expect(viewOfSearch(search({ start: midnight(13), stop: midnight(21) }), now).range).toBeNull()
    expect(viewOfSearch(search({ stop: midnight(21) }), now).range).toBeNull()
  })

  it('of other days stays, with an open end left open', () => {
    const fixed = search({ start: midnight(2), stop: midnight(5) })
    expect(viewOfSearch(fixed, now).range).toEqual({ kind: 'fixed', start: midnight(2), stop: midnight(5) })
    expect(searchOfView(viewOfSearch(fixed, now), defaultEventSearch, daysLater(300))).toEqual(fixed)
    const open = search({ start: midnight(2) })
    expect(searchOfView(viewOfSearch(open, now), defaultEventSearch, daysLater(300))).toEqual(open)
  })

  it('of yesterday’s address is a fixed one: the list it shows has not moved', () => {
    const state = stateOf({ range: { kind: 'last', days: 30 } })
    const applied = searchOfView(state, defaultEventSearch, now)
    expect(isSameState(viewOfSearch(applied, now), state)).toBe(true)
    expect(isSameState(viewOfSearch(applied, daysLater(1)), state)).toBe(false)
  })

  it.each([
    { kind: 'fixed', start: 'soon', stop: 7 },
    { kind: 'fixed' },
    { kind: 'last', days: 3 },
    { kind: 'last' },
    {},
  ])('that nobody understands is the default one: %j', (range) => {
    const { start, stop } = searchOfView(stateOf({ range }), defaultEventSearch, now)
    expect([start, stop]).toEqual([null, null])
  })
})

describe('in a few words', () => {
  it('a view says what it shows', () => {
    const state = stateOf({
      ...{
        filters: { severity: ['high'], owner: ['7', '3'], siteCountry: ['Sweden'], quick: ['noOwner'] },
        keyword: 'pump',
      },
      range: { kind: 'last', days: 30 },
      orderBy: 'enterpriseName',
      order: 'ASC',
      columns: ['age'],
      pageSize: 50,
    })
    expect(views.describe(state)).toBe(
      'High · Jonas Berg, Me · Sweden · No owner 2 hrs + · “pump” · Last 30 days · by customer · 1 column · 50 per page',
    )
  })

  it('a fixed range shows its days, and the usual list its name', () => {
    expect(views.describe(stateOf({ range: { kind: 'fixed', start: midnight(2), stop: midnight(5) } }))).toBe(
      '2 Nov – 4 Nov 2026',
    )
    expect(views.describe(stateOf({}))).toBe('Default list')
    expect(views.presets[0] && views.describe(views.presets[0].state)).toBe('New, In progress · All times')
  })
})
