import { eventOrderBy } from '@benchwatch/contract/vocabulary'
import { describe, expect, it } from 'vitest'
import { eventColumns, shownDirection } from './event-list.columns.ts'

describe('the columns of the event list', () => {
  it('are those of the specification, in its order', () => {
    expect(eventColumns.map(({ label }) => label)).toEqual([
      'Expand',
      'Severity',
      'Age',
      'Event',
      'Description',
      'Instrument status',
      'Instrument',
      'Product ID',
      'Location',
      'Customer',
      'Owner',
      'Status',
      'E-mail sent',
    ])
  })

  it('offer every order that the server knows, each once', () => {
    const offered = eventColumns.flatMap(({ orderBy }) => orderBy ?? [])
    expect(offered.toSorted()).toEqual([...eventOrderBy].toSorted())
  })

  it('read by what they show: the newest event first is age ascending', () => {
    const age = eventColumns.find(({ key }) => key === 'age')
    const customer = eventColumns.find(({ key }) => key === 'customer')
    expect(age && shownDirection(age, 'DESC')).toBe('ascending')
    expect(age && shownDirection(age, 'ASC')).toBe('descending')
    expect(customer && shownDirection(customer, 'ASC')).toBe('ascending')
  })
})
