import { type EventColumnKey, eventOrderBy } from '@benchwatch/contract/vocabulary'
import { act, renderHook } from '@testing-library/react'
import { describe, expect, it, vi } from 'vitest'
import {
  fitColumns,
  moveColumn,
  readColumnKeys,
  showColumn,
  shownDirection,
  tracksOf,
  useFittingColumns,
  usualKeys,
  widthOf,
} from '../../../ui/list/list-columns.ts'
import { eventColumnKeys } from '../events.search.ts'
import { eventColumns } from './event-list.columns.tsx'

const keysAt = (available: number, chosen: readonly EventColumnKey[] | null = null) =>
  fitColumns(eventColumns.all, chosen, { available }).map(({ key }) => key)

describe('the columns of the event list', () => {
  it('are those of the specification, in its order, and the time left beside the customer', () => {
    expect(usualKeys(eventColumns)).toEqual(eventColumnKeys)
    expect(eventColumns.all.map(({ label }) => label)).toEqual([
      'Severity',
      'Age',
      'Event',
      'Description',
      'Instrument status',
      'Instrument',
      'Installed product ID',
      'Location',
      'Customer',
      'Time left',
      'Owner',
      'Status',
      'E-mail sent',
    ])
  })

  it('offer every order that the server knows, each once', () => {
    const offered = eventColumns.all.map(({ orderBy }) => orderBy ?? '')
    expect(offered.toSorted()).toEqual([...eventOrderBy].toSorted())
  })

  it('read by what they show: the newest event first is age ascending', () => {
    const age = eventColumns.all.find(({ key }) => key === 'age')
    const customer = eventColumns.all.find(({ key }) => key === 'customer')
    expect(age && shownDirection(age, 'DESC')).toBe('ascending')
    expect(age && shownDirection(age, 'ASC')).toBe('descending')
    expect(customer && shownDirection(customer, 'ASC')).toBe('ascending')
  })
})

describe('where there is little room', () => {
  it('nothing is dropped on a wide screen, and columns that the expanded row repeats are dropped first', () => {
    expect(keysAt(1346)).toEqual(eventColumnKeys)
    expect(keysAt(1230)).toEqual(eventColumnKeys.filter((key) => key !== 'email'))
    expect(keysAt(1134)).toEqual(eventColumnKeys.filter((key) => key !== 'email' && key !== 'productId'))
    expect(keysAt(1026)).toEqual(eventColumnKeys.filter((key) => !['email', 'productId', 'location'].includes(key)))
  })

  it('the time left stays in a window of 1024 px: the description gives way first', () => {
    const fitting = fitColumns(eventColumns.all, null, { available: 930 })
    expect(fitting.map(({ key }) => key)).toContain('timeLeft')
    expect(fitting.find(({ key }) => key === 'description')?.width).toBe(152)
    expect(widthOf(fitting)).toBeLessThanOrEqual(930)
    expect(keysAt(880)).not.toContain('timeLeft')
    expect(keysAt(880)).toContain('owner')
  })

  it('rows of one line show most of the description; the installed product ID goes for it', () => {
    const fitting = fitColumns(eventColumns.all, null, { available: 1346, isCompact: true })
    expect(fitting.find(({ key }) => key === 'description')?.width).toBe(400)
    expect(fitting.map(({ key }) => key)).toEqual(
      eventColumnKeys.filter((key) => !['email', 'productId'].includes(key)),
    )
  })

  it('rows of one line leave room for the name of a customer beside its marks, until the description gives way', () => {
    const customer = (available: number) =>
      fitColumns(eventColumns.all, null, { available, isCompact: true }).find(({ key }) => key === 'customer')?.width
    expect(customer(1346)).toBe(156)
    expect(customer(930)).toBe(116)
  })

  it('a customer without a description beside it gives way before a column is hidden', () => {
    const chosen = eventColumnKeys.filter((key) => key !== 'description')
    const fitting = fitColumns(eventColumns.all, chosen, { available: 1028, isCompact: true })
    expect(fitting.map(({ key }) => key)).toEqual(chosen)
    expect(fitting.find(({ key }) => key === 'customer')?.width).toBe(116)
  })

  it('a fixed column is hidden in place of a growing one, which only shrinks', () => {
    const columns = [
      { key: 'name', width: 300, grow: 1, narrow: 100, goes: 1 },
      { key: 'site', width: 100, goes: 1 },
      { key: 'owner', width: 100 },
    ]
    const keys = (available: number) => fitColumns(columns, null, { available }).map(({ key }) => key)
    expect(keys(360)).toEqual(['name', 'site', 'owner'])
    expect(keys(359)).toEqual(['name', 'owner'])
  })

  it('a choice that fits is kept whole', () => {
    expect(keysAt(700, ['productId', 'description', 'email'])).toEqual(['productId', 'description', 'email'])
  })

  it('the room that is left goes to a column that grows, or else to all in proportion', () => {
    const owner = { key: 'owner', width: 96 }
    const tracks = (...sizes: string[]) => sizes.map((size) => `minmax(0, ${size})`).join(' ')
    expect(tracksOf([owner, { key: 'text', width: 220, grow: 1 }])).toBe(tracks('32px', '28px', '96px', '1fr'))
    expect(tracksOf([owner, { key: 'status', width: 60 }])).toBe(tracks('32fr', '28fr', '96fr', '60fr'))
  })

  it('something always stays', () => {
    expect(keysAt(100, ['location'])).toEqual(['location'])
    expect(keysAt(0)).toContain('description')
  })
})

const show = (keys: readonly EventColumnKey[], key: EventColumnKey, isShown: boolean) =>
  showColumn<EventColumnKey>(eventColumnKeys, { keys, key, isShown })

describe('choosing columns', () => {
  it('moves one place at a time and not beyond the ends', () => {
    expect(moveColumn(['age', 'eventId', 'status'], 'eventId', -1)).toEqual(['eventId', 'age', 'status'])
    expect(moveColumn(['age', 'eventId', 'status'], 'eventId', 1)).toEqual(['age', 'status', 'eventId'])
    expect(moveColumn(['age', 'eventId', 'status'], 'age', -1)).toEqual(['age', 'eventId', 'status'])
    expect(moveColumn(['age', 'eventId', 'status'], 'status', 1)).toEqual(['age', 'eventId', 'status'])
  })

  it('brings a column back to its usual place, and lets the last one stay', () => {
    expect(show(['severity', 'status'], 'description', true)).toEqual(['severity', 'description', 'status'])
    expect(show(['status'], 'severity', true)).toEqual(['severity', 'status'])
    expect(show(['severity', 'status'], 'status', false)).toEqual(['severity'])
    expect(show(['severity'], 'severity', false)).toEqual(['severity'])
  })

  it('everything back in its order is the usual list', () => {
    const without = show(eventColumnKeys, 'customer', false)
    expect(readColumnKeys(eventColumnKeys, without)).toEqual(without)
    expect(readColumnKeys(eventColumnKeys, show(without, 'customer', true))).toBeNull()
  })
})

describe('the columns that fit into the window', () => {
  it('follow its width, which is read again only after it changed: reading it forces a layout', () => {
    const read = vi.spyOn(document.documentElement, 'clientWidth', 'get').mockReturnValue(1440)
    const { result, rerender } = renderHook(() => useFittingColumns(eventColumns.all, null))
    const wide = result.current
    expect(wide.map(({ key }) => key)).toEqual(keysAt(1440))
    read.mockClear()
    rerender()
    expect(result.current).toBe(wide)
    expect(read).not.toHaveBeenCalled()

    read.mockReturnValue(1024)
    act(() => {
      window.dispatchEvent(new Event('resize'))
    })
    expect(result.current.length).toBeLessThan(wide.length)
    read.mockRestore()
  })
})
