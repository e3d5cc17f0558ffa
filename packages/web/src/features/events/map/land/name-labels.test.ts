import { readFileSync } from 'node:fs'
import L from 'leaflet'
import { describe, expect, test } from 'vitest'
import { type Box, type PlaceNames, placedNames } from './name-labels.ts'

const names = JSON.parse(readFileSync(`${import.meta.dirname}/names.json`, 'utf8')) as PlaceNames
const WINDOW = { left: 0, top: 0, right: 1080, bottom: 640 }

function shown(at: { latitude: number; longitude: number; zoom: number }, marks: Box[] = []) {
  const corner = L.CRS.EPSG3857.latLngToPoint(L.latLng(at.latitude, at.longitude), at.zoom).subtract([540, 320])
  return placedNames(names, {
    zoom: at.zoom,
    window: WINDOW,
    marks,
    toPoint: (latitude, longitude) =>
      L.CRS.EPSG3857.latLngToPoint(L.latLng(latitude, longitude), at.zoom).subtract(corner),
    widthOf: (name) => name.length * 7,
  })
}

const overlap = (one: Box, other: Box) =>
  one.left < other.right && other.left < one.right && one.top < other.bottom && other.top < one.bottom

describe('names on the drawn map', () => {
  test.each([
    ['Stockholm', { latitude: 59.33, longitude: 18.07, zoom: 4 }],
    ['Stockholm', { latitude: 59.33, longitude: 18.07, zoom: 9 }],
    ['Zürich', { latitude: 47, longitude: 8.2, zoom: 6 }],
    ['Tokyo', { latitude: 36, longitude: 138, zoom: 6 }],
    ['Boston', { latitude: 42, longitude: -73, zoom: 6 }],
  ])('%s is labelled, and no name covers another: %o', (name, at) => {
    const all = shown(at)
    expect(all.map((placed) => placed.name)).toContain(name)
    for (const [index, { box }] of all.entries()) {
      expect(all.slice(index + 1).filter((other) => overlap(box, other.box))).toEqual([])
    }
  })

  test('countries are labelled at the first view', () => {
    expect(shown({ latitude: 59.33, longitude: 18.07, zoom: 4 }).map(({ name }) => name)).toEqual(
      expect.arrayContaining(['Sweden', 'Norway', 'Finland', 'Germany', 'Poland']),
    )
  })

  test('a name gives way to a mark at its town', () => {
    const at = { latitude: 59.33, longitude: 18.07, zoom: 9 }
    const mark = { left: 525, right: 580, top: 305, bottom: 335 }
    const stockholm = shown(at, [mark]).find(({ name }) => name === 'Stockholm')
    expect(stockholm).toBeDefined()
    expect(overlap(stockholm?.box ?? mark, mark)).toBe(false)
  })
})
