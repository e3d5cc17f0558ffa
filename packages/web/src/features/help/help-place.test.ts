import { describe, expect, it } from 'vitest'
import { helpAddress, readHelpPlace, reportedPlace, writeHelpPlace } from './help-place.ts'

describe('the place of the help', () => {
  it.each([
    [{}, { page: 'index', section: '' }],
    [{ page: 'map' }, { page: 'map', section: '' }],
    [
      { page: 'statuses', section: 'severity' },
      { page: 'statuses', section: 'severity' },
    ],
    [
      { page: '../api/health', section: '"><script>' },
      { page: 'index', section: '' },
    ],
    [
      { page: 7, section: null },
      { page: 'index', section: '' },
    ],
  ])('of %j is %j', (search, place) => {
    expect(readHelpPlace(search)).toEqual(place)
  })

  it('is written as it is read; the first page needs nothing', () => {
    expect(writeHelpPlace({ page: 'index', section: '' })).toEqual({})
    expect(writeHelpPlace({ page: 'index', section: 'what-you-see' })).toEqual({
      page: 'index',
      section: 'what-you-see',
    })
    expect(writeHelpPlace({ page: 'map', section: '' })).toEqual({ page: 'map' })
  })

  it('is found by the frame in the theme of the console', () => {
    expect(helpAddress({ page: 'map', section: 'marks' }, 'dark')).toBe('/help-site/map.html?theme=dark#marks')
  })

  it('is taken from messages of the frame alone', () => {
    expect(reportedPlace({ kind: 'help-place', page: 'map', section: 'the%20panel' })).toEqual({
      page: 'map',
      section: '',
    })
    expect(reportedPlace({ kind: 'help-place', page: 'map', section: 'marks' })).toEqual({
      page: 'map',
      section: 'marks',
    })
    expect(reportedPlace({ kind: 'help-place', page: 'map', section: '%' })).toEqual({ page: 'map', section: '' })
    for (const other of [null, 'help-place', {}, { kind: 'help-theme' }]) expect(reportedPlace(other)).toBeNull()
  })
})
