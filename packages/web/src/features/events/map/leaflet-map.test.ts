import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import type { Countries } from './countries.ts'
import { LeafletMap } from './leaflet-map.ts'

const TILES = 'https://tiles.example/{z}/{x}/{y}.png'
const outline = [
  [11, 56],
  [19, 56],
  [19, 68],
  [11, 56],
]
const sweden: Countries = {
  names: {},
  features: [
    {
      type: 'Feature',
      properties: { iso: 'SE', name: 'Sweden' },
      geometry: { type: 'MultiPolygon', coordinates: [[outline]] },
    },
  ],
}
const events = { onMove: vi.fn(), onCluster: vi.fn(), onCountry: vi.fn(), onPopupClose: vi.fn() }

let element: HTMLElement
let map: LeafletMap

beforeEach(() => {
  element = document.createElement('div')
  for (const side of ['clientWidth', 'clientHeight']) Object.defineProperty(element, side, { value: 600 })
  document.body.append(element)
})

afterEach(() => {
  map.remove()
  element.remove()
})

function open(zoom: number, tilesUrl: string | null) {
  map = new LeafletMap(element, { view: { latitude: 60, longitude: 15, zoom }, tilesUrl, isCalm: true, events })
  map.drawCountries(sweden)
}

const ground = () => ({
  countries: element.querySelectorAll('path').length,
  streets: element.querySelectorAll('img[src^="https://tiles.example/"]').length > 0,
})

it('the country overlay switches to street tiles above zoom 5, and back', () => {
  open(5, TILES)
  expect(ground()).toEqual({ countries: 1, streets: false })
  map.zoomBy(1)
  expect(ground()).toEqual({ countries: 0, streets: true })
  map.zoomBy(-1)
  expect(ground()).toEqual({ countries: 1, streets: false })
})

it('without tiles the countries stay, however near', () => {
  open(9, null)
  expect(ground()).toEqual({ countries: 1, streets: false })
})
