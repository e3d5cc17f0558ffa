import { readFileSync } from 'node:fs'
import L from 'leaflet'
import { afterEach, beforeEach, describe, expect, it, onTestFinished, test, vi } from 'vitest'
import type { Countries } from './land/countries.ts'
import { drawnTile, type Ground, type LandSquares, LeafletMap, SQUARE_ZOOM } from './leaflet-map.ts'
import { noCounts } from './locations.ts'

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
const onGround = vi.fn<(ground: Ground) => void>()
const events = { onMove: vi.fn(), onCluster: vi.fn(), onCountry: vi.fn(), onPopupClose: vi.fn(), onGround }

let element: HTMLElement
let map: LeafletMap

beforeEach(() => {
  vi.stubGlobal('fetch', () => Promise.resolve(Response.json({ '34,18': ['M0,0l4096,0 0,4096z', ''] })))
  element = document.createElement('div')
  for (const side of ['clientWidth', 'clientHeight'])
    Object.defineProperty(element, side, { value: 600, configurable: true })
  document.body.append(element)
})

afterEach(() => {
  element.remove()
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

function open(zoom: number, tilesUrl: string | null) {
  map = new LeafletMap(element, { view: { latitude: 60, longitude: 15, zoom }, tilesUrl, isCalm: true, events })
  onTestFinished(() => map.remove())
  map.drawCountries(sweden)
  map.drawNames({ countries: [['Sweden', 62, 15, 3]], towns: [['Falun', 60.6, 15.6, 6]] })
}

const tiles = () => [...element.querySelectorAll<HTMLImageElement>('img[src^="https://tiles.example/"]')]
const ground = () => ({
  countries: element.querySelectorAll('path.leaflet-interactive').length,
  streets: tiles().length > 0,
  land: element.querySelectorAll('svg[viewBox^="0 0 4096"]').length > 0,
  names: [...element.querySelectorAll('.leaflet-names-pane span')].map(({ textContent }) => textContent),
})
const answer = (with_: 'load' | 'error', all = tiles()) => {
  for (const tile of all) tile.dispatchEvent(new Event(with_))
}

it('keeps its centre when the element takes another size', () => {
  open(4, null)
  Object.defineProperty(element, 'clientHeight', { value: 571 })
  map.resize()
  map.resize()
  expect(map.view()).toEqual({ latitude: 60, longitude: 15, zoom: 4 })
})

it('colours marks by open events, with a ring of their shares, and keeps the others quiet', () => {
  open(4, null)
  const mark = { latitude: 60, longitude: 15, positions: 1, selection: {} }
  const counts = { ...noCounts(), high: 5, low: 40, total: 45 }
  map.showClusters([
    { ...mark, counts: { ...counts, openHigh: 3, openLow: 9 } },
    { ...mark, longitude: 17, counts },
  ])
  const marks = [...element.querySelectorAll('.leaflet-marker-icon')].map((icon) => ({
    severity: icon.querySelector('svg')?.dataset.severity,
    size: icon.querySelector('svg')?.getAttribute('width'),
    shares: [...icon.querySelectorAll('circle')].map((arc) => arc.getAttribute('stroke-dasharray')),
    number: icon.textContent,
  }))
  expect(marks).toEqual([
    { severity: 'high', size: '20', shares: ['25 75', '75 25'], number: '12' },
    { severity: 'none', size: '10', shares: [], number: '' },
  ])
})

describe('street tiles', () => {
  it('the country overlay switches to street tiles above zoom 5, and back', () => {
    open(5, TILES)
    const far = { countries: 1, streets: false, land: false, names: ['Sweden'] }
    expect(ground()).toEqual(far)
    map.zoomBy(1)
    answer('load')
    expect(ground()).toEqual({ countries: 0, streets: true, land: false, names: [] })
    expect(onGround).toHaveBeenLastCalledWith({ isDrawn: false, nearestZoom: 15 })
    map.zoomBy(-1)
    expect(ground()).toEqual(far)
  })

  it('say where they are asked from, which public servers want to know', () => {
    open(6, TILES)
    expect(tiles()[0]?.referrerPolicy).toBe('strict-origin-when-cross-origin')
  })
})

describe('without street tiles', () => {
  it('the drawn map shows the position', async () => {
    open(6, null)
    await vi.waitFor(() =>
      expect(ground()).toEqual({ countries: 0, streets: false, land: true, names: ['Sweden', 'Falun'] }),
    )
    expect(onGround).toHaveBeenLastCalledWith({ isDrawn: true, nearestZoom: 10 })
  })

  it('the zoom ends at 10, also that of an address', () => {
    open(15, null)
    expect(map.view().zoom).toBe(10)
    expect(map.isNear()).toBe(true)
    map.show({ latitude: 60, longitude: 15, zoom: 12 })
    expect(map.view().zoom).toBe(10)
  })
})

describe('when street tiles fail', () => {
  it('the drawn map stands in for them, and goes when they come', async () => {
    open(6, TILES)
    answer('error')
    await vi.waitFor(() => expect(ground()).toMatchObject({ land: true, names: ['Sweden', 'Falun'] }))
    expect(onGround).toHaveBeenLastCalledWith({ isDrawn: true, nearestZoom: 10 })
    answer('load')
    expect(ground()).toMatchObject({ land: false, names: [] })
    expect(onGround).toHaveBeenLastCalledWith({ isDrawn: false, nearestZoom: 15 })
  })

  it('the map comes out to where it can tell something', () => {
    open(14, TILES)
    answer('error')
    expect(map.view().zoom).toBe(10)
  })

  it('land is drawn below the gaps while others are shown, and the streets tell the names', async () => {
    open(6, TILES)
    answer('load', tiles().slice(1))
    answer('error', tiles().slice(0, 1))
    await vi.waitFor(() => expect(ground()).toMatchObject({ land: true, names: [] }))
    expect(onGround).toHaveBeenLastCalledWith({ isDrawn: false, nearestZoom: 15 })
  })

  it('they are asked for again, at once when the network is back', () => {
    vi.useFakeTimers()
    open(6, TILES)
    answer('error')
    const asked = tiles().map((tile) => vi.spyOn(tile, 'src', 'set'))
    vi.advanceTimersByTime(30_000)
    window.dispatchEvent(new Event('online'))
    for (const set of asked) expect(set).toHaveBeenCalledTimes(2)
  })

  it('a network that swallows requests shows the drawn map after four seconds', () => {
    vi.useFakeTimers()
    open(12, TILES)
    vi.advanceTimersByTime(4000)
    expect(onGround).toHaveBeenLastCalledWith({ isDrawn: true, nearestZoom: 15 })
    expect(map.view().zoom).toBe(12)
  })
})

describe('land layer', () => {
  const squares = JSON.parse(readFileSync(`${import.meta.dirname}/land/land.json`, 'utf8')) as LandSquares

  test('a tile shows its part of the square in which it lies', () => {
    const tile = (x: number, y: number, z: number) => drawnTile({ x, y, z }, { '35,18': ['M0,0l1,1', ''] })
    expect(tile(35, 18, 6).getAttribute('viewBox')).toBe('0 0 4096 4096')
    expect(tile(283, 151, 9).getAttribute('viewBox')).toBe('1536 3584 512 512')
    expect(tile(283, 151, 9).querySelectorAll('path')).toHaveLength(1)
    expect(tile(36, 18, 6).querySelectorAll('path')).toHaveLength(0)
  })

  test.each([
    ['Uppsala', 59.86, 17.64, true],
    ['the sea off Gotland', 58, 20.3, false],
    ['Hiroshima', 34.5, 132.5, true],
    ['Shikoku', 33.8, 133.5, true],
    ['the Sea of Japan', 39, 134, false],
    ['Lima', -12, -76.9, true],
    ['the Aleutian islands, at the date line', 52.9, 173, true],
  ])('the land is where it is: %s', (_name, latitude, longitude, isLand) => {
    const { x, y } = L.CRS.EPSG3857.latLngToPoint(L.latLng(latitude, longitude), SQUARE_ZOOM)
    const [column, row] = [Math.floor(x / 256), Math.floor(y / 256)]
    const point = [(x - column * 256) * 16, (y - row * 256) * 16]
    expect(lies(point, squares[`${column},${row}`]?.[0] ?? '')).toBe(isLand)
  })

  /** Tests by the even-odd rule whether a point lies inside a path. */
  function lies([x = 0, y = 0]: number[], path: string): boolean {
    let isInside = false
    for (const ring of path.split('z').filter(Boolean)) {
      let [atX, atY] = [0, 0]
      const points = ring
        .slice(1)
        .split(/[l ]/)
        .map((step) => {
          const [dx = 0, dy = 0] = step.split(',').map(Number)
          atX += dx
          atY += dy
          return [atX, atY] as const
        })
      for (const [index, [toX, toY]] of points.entries()) {
        const [fromX, fromY] = points.at(index - 1) ?? [toX, toY]
        if (toY > y !== fromY > y && x < ((fromX - toX) * (y - toY)) / (fromY - toY) + toX) isInside = !isInside
      }
    }
    return isInside
  }
})
