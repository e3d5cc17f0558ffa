import { expect, test } from 'vitest'
import { readMapView, usualMapView, writeMapView } from './map-view.ts'

test.each([
  ['48.86,2.35,9', { latitude: 48.86, longitude: 2.35, zoom: 9 }],
  ['-33.9,-151,5', { latitude: -33.9, longitude: -151, zoom: 5 }],
])('the address %s holds the place and the zoom of the map', (text, view) => {
  expect(readMapView(text)).toEqual(view)
  expect(writeMapView(view)).toBe(text)
})

test('what lies beyond the bounds is moved to them: latitude -60 to 90, longitude -180 to 180, zoom 3 to 15', () => {
  expect(readMapView('-90,200,1')).toEqual({ latitude: -60, longitude: 180, zoom: 3 })
  expect(readMapView('95,-181,22')).toEqual({ latitude: 90, longitude: -180, zoom: 15 })
})

test('the usual view, centred on the Stockholm area at zoom 4, needs no address', () => {
  expect(usualMapView).toEqual({ latitude: 59.33, longitude: 18.07, zoom: 4 })
  expect(readMapView(writeMapView(usualMapView))).toBeNull()
})

test.each(['', '59.33', '59.33,18.07', '59.33,18.07,x', 'NaN,0,4', '1e9,0,4', '59.3333333,18,4', ' 1,1,4'])(
  '%j is no view of the map',
  (text) => expect(readMapView(text)).toBeNull(),
)

test('more decimals the nearer one looks', () => {
  const near = { latitude: 59.329321, longitude: 18.068581 }
  expect(writeMapView({ ...near, zoom: 4 })).toBe('59.33,18.07,4')
  expect(writeMapView({ ...near, zoom: 10 })).toBe('59.329,18.069,10')
  expect(writeMapView({ ...near, zoom: 15 })).toBe('59.3293,18.0686,15')
})
