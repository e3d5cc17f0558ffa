import L from 'leaflet'
import 'leaflet/dist/leaflet.css'
import { severities } from '@benchwatch/contract/vocabulary'
import { counted } from '../../../lib/folded.ts'
import { type MapView, mapLimits } from '../events.search.ts'
import { severityShapes } from '../status/severity-badge.tsx'
import type { Countries, CountryProperties } from './land/countries.ts'
import landUrl from './land/land.json?url'
import { type Box, NameLabels, type PlaceNames } from './land/name-labels.ts'
import streetTilesStyles from './land/street-tiles.module.css'
import styles from './leaflet-map.module.css'
import {
  type Bounds,
  type ClusterWindow,
  countLabel,
  countStep,
  type EventCluster,
  markSize,
  openCounts,
  type SeverityCounts,
  shortCount,
  worstOpenSeverity,
} from './locations.ts'

/** Milliseconds. Some networks swallow requests: tiles then neither load nor fail. */
const LATE_MS = 4000

const RETRY_MS = 30_000

/** The layer of street tiles, which knows whether its tiles load. */
class StreetTiles {
  readonly layer: L.TileLayer
  readonly #onChange: () => void
  readonly #came = new Set<HTMLElement>()
  readonly #failed = new Set<HTMLImageElement>()
  readonly #retry: ReturnType<typeof setInterval>
  #late: ReturnType<typeof setTimeout> | undefined
  #isLate = false
  #areMissing = false

  constructor(url: string, { minZoom, onChange }: { minZoom: number; onChange: () => void }) {
    const { maxZoom, south, north, west, east } = mapLimits
    this.#onChange = onChange
    this.layer = L.tileLayer(url, {
      minZoom,
      maxZoom,
      bounds: L.latLngBounds([south, west], [north, east]),
      noWrap: true,
      className: streetTilesStyles.tiles as string,
      // Public tile servers refuse requests without a referrer; the page itself sends none.
      referrerPolicy: 'strict-origin-when-cross-origin',
    })
    this.layer.on('loading', () => {
      clearTimeout(this.#late)
      this.#late = setTimeout(() => this.#change(() => (this.#isLate = this.#came.size === 0)), LATE_MS)
    })
    this.layer.on('tileload', ({ tile }) =>
      this.#change(() => {
        this.#failed.delete(tile)
        this.#came.add(tile)
        this.#isLate = false
        this.#areMissing = false
      }),
    )
    this.layer.on('tileerror', ({ tile }) => this.#change(() => this.#failed.add(tile)))
    this.layer.on('tileunload', ({ tile }) =>
      this.#change(() => {
        this.#came.delete(tile)
        this.#failed.delete(tile)
      }),
    )
    this.layer.on('load', () => {
      clearTimeout(this.#late)
      this.#change(() => (this.#areMissing ||= this.#came.size === 0 && this.#failed.size > 0))
    })
    this.#retry = setInterval(this.#askAgain, RETRY_MS)
    window.addEventListener('online', this.#askAgain)
  }

  remove(): void {
    clearTimeout(this.#late)
    clearInterval(this.#retry)
    window.removeEventListener('online', this.#askAgain)
  }

  /** True if all tiles of the last view failed and none has loaded since. */
  get areMissing(): boolean {
    return this.#areMissing
  }

  /** True if a visible tile has no image, so something must be drawn below it. */
  get haveGaps(): boolean {
    return this.#failed.size > 0 || this.areAbsent
  }

  /** True if no tile has an image and none is likely to load. */
  get areAbsent(): boolean {
    return this.#came.size === 0 && (this.#areMissing || this.#isLate)
  }

  #change(by: () => void): void {
    const before = [this.haveGaps, this.areAbsent, this.areMissing].join()
    by()
    if (before !== [this.haveGaps, this.areAbsent, this.areMissing].join()) this.#onChange()
  }

  /** Setting the address of a failed image again makes the browser request it again. */
  #askAgain = () => {
    for (const tile of this.#failed) tile.src = String(tile.src)
  }
}

/** `land.json` is cut into the tiles of this zoom, each with this many units per side: `countries/squares.ts`. */
export const SQUARE_ZOOM = 6

const SQUARE_UNITS = 4096

/** SVG paths by square `column,row`; squares without land have none. */
export type LandSquares = Readonly<Record<string, readonly [land: string, borders: string]>>

let loaded: Promise<LandSquares> | undefined

/**
 * Draws coasts and borders of Natural Earth 1:10m for zooms above the country overlay, as SVG tiles coloured by CSS.
 */
class LandLayer extends L.GridLayer {
  override createTile(coords: L.Coords, done: L.DoneCallback): HTMLElement {
    const tile = document.createElement('div')
    void fill(tile, coords, done)
    return tile
  }
}

/** Size of the press target in pixels, whatever the size of the mark. */
const TARGET = 34

/** Street tiles above this zoom, countries below: document 1 section 4. */
export const COUNTRY_ZOOM = 5
const STREET_ZOOM = COUNTRY_ZOOM + 1
const COUNTRIES_A_FRAME = 60
/** The drawn map, which replaces missing street tiles, shows no more detail above this zoom. */
const NEAREST_WITHOUT_TILES = 10

/** Pixels. */
const POPUP_WIDTH = 460
const EDGE = 12

/** The layer below the marks. */
export interface Ground {
  /** True if the product drew it; false for street tiles. */
  isDrawn: boolean
  nearestZoom: number
}

export interface MapEvents {
  /** Called when the viewport moves or changes its size. */
  onMove: (view: MapView) => void
  onCluster: (cluster: EventCluster) => void
  onCountry: (country: CountryProperties) => void
  onPopupClose: () => void
  onGround: (ground: Ground) => void
}

/** Wraps Leaflet. It knows nothing of queries and React; the component (map-canvas.tsx) passes data in. */
export class LeafletMap {
  readonly #map: L.Map
  readonly #events: MapEvents
  /** Null if none are configured. */
  readonly #streets: StreetTiles | null
  readonly #countries: L.GeoJSON<CountryProperties>
  readonly #land: LandLayer
  readonly #names: NameLabels
  readonly #marks = new Map<string, { marker: L.Marker; cluster: EventCluster }>()
  #byIso: ReadonlyMap<string, SeverityCounts> | null = null
  #popup: L.Popup | null = null
  #isRemoved = false

  constructor(
    element: HTMLElement,
    { view, tilesUrl, isCalm, events }: { view: MapView; tilesUrl: string | null; isCalm: boolean; events: MapEvents },
  ) {
    const { minZoom, maxZoom, south, north, west, east } = mapLimits
    const bounds = L.latLngBounds([south, west], [north, east])
    this.#events = events
    this.#map = L.map(element, {
      center: [view.latitude, view.longitude],
      zoom: view.zoom,
      minZoom,
      maxZoom: tilesUrl === null ? NEAREST_WITHOUT_TILES : maxZoom,
      maxBounds: bounds,
      maxBoundsViscosity: 1,
      // The owner of the element watches its size.
      trackResize: false,
      zoomControl: false,
      attributionControl: false,
      zoomAnimation: !isCalm,
      fadeAnimation: !isCalm,
      markerZoomAnimation: !isCalm,
      inertia: !isCalm,
    })
    this.#streets =
      tilesUrl === null ? null : new StreetTiles(tilesUrl, { minZoom: STREET_ZOOM, onChange: () => this.#showGround() })
    this.#land = new LandLayer({ minZoom: STREET_ZOOM, bounds, noWrap: true, zIndex: 0 })
    this.#names = new NameLabels(this.#map)
    this.#countries = L.geoJSON<CountryProperties>(undefined, {
      style: () => ({ className: styles.country, weight: 1 }),
      onEachFeature: (feature, layer) => this.#prepareCountry(feature.properties, layer as L.Path),
    })
    this.#map.on('zoomend', () => this.#showGround())
    this.#map.on('moveend resize', () => {
      this.#showNames()
      events.onMove(this.view())
    })
    this.#streets?.layer.addTo(this.#map)
    this.#showGround()
  }

  remove(): void {
    this.#isRemoved = true
    this.#streets?.remove()
    this.#map.remove()
  }

  view(): MapView {
    const { lat, lng } = this.#map.getCenter()
    return { latitude: lat, longitude: lng, zoom: this.#map.getZoom() }
  }

  window(): ClusterWindow {
    const bounds = this.#map.getBounds()
    return {
      south: bounds.getSouth(),
      north: bounds.getNorth(),
      west: bounds.getWest(),
      east: bounds.getEast(),
      zoom: this.#map.getZoom(),
    }
  }

  show({ latitude, longitude, zoom }: MapView): void {
    this.#map.setView([latitude, longitude], zoom)
  }

  zoomBy(step: 1 | -1): void {
    this.#map.setZoom(this.#map.getZoom() + step)
  }

  /** Zooms in as far as all of it stays visible. */
  fit({ south, west, north, east }: Bounds): void {
    const edge = L.point(40, 40)
    this.#map.fitBounds(L.latLngBounds([south, west], [north, east]), {
      padding: edge,
      maxZoom: this.#map.getMaxZoom(),
    })
  }

  /** True at the maximum useful zoom of a place. */
  isNear(): boolean {
    return this.#map.getZoom() >= this.#map.getMaxZoom()
  }

  /** Follows a new size of the element; the centre, which the address contains, stays exactly in place. */
  resize(): void {
    const { clientWidth, clientHeight } = this.#map.getContainer()
    // Leaflet loses the exact centre even if nothing changed.
    if (this.#map.getSize().equals([clientWidth, clientHeight])) return
    const centre = this.#map.getCenter()
    this.#map.invalidateSize({ pan: false })
    this.#map.setView(centre, this.#map.getZoom(), { reset: true } as L.ZoomPanOptions)
  }

  /** Draws some countries per frame; all at once would block the screen for a tenth of a second. */
  drawCountries({ features }: Countries): void {
    const draw = (from: number) => {
      if (this.#isRemoved || from >= features.length) return
      const some = features.slice(from, from + COUNTRIES_A_FRAME)
      this.#countries.addData({ type: 'FeatureCollection', features: some } as GeoJSON.FeatureCollection)
      this.#shade()
      requestAnimationFrame(() => draw(from + COUNTRIES_A_FRAME))
    }
    draw(0)
  }

  drawNames(names: PlaceNames): void {
    this.#names.use(names)
    this.#showNames()
  }

  /** Shades countries by their open events; counts by ISO code, null until they are known. */
  shadeCountries(byIso: ReadonlyMap<string, SeverityCounts> | null): void {
    this.#byIso = byIso
    this.#shade()
  }

  /** Marks that did not change stay in place, so nothing flickers. */
  showClusters(clusters: readonly EventCluster[]): void {
    const next = new Map(clusters.map((cluster) => [markKey(cluster), cluster]))
    for (const [key, { marker }] of this.#marks) {
      if (next.has(key)) continue
      marker.remove()
      this.#marks.delete(key)
    }
    for (const [key, cluster] of next) {
      const known = this.#marks.get(key)
      // Same mark, but from a newer index.
      if (known !== undefined) known.cluster = cluster
      else this.#marks.set(key, this.#addMark(cluster))
    }
    this.#showNames()
  }

  #addMark(cluster: EventCluster): { marker: L.Marker; cluster: EventCluster } {
    const marker = clusterMark(cluster).addTo(this.#map)
    const mark = { marker, cluster }
    const press = () => this.#events.onCluster(mark.cluster)
    marker.on('click', press)
    marker.on('keypress', ({ originalEvent }) => {
      if (originalEvent.key === 'Enter') press()
    })
    return mark
  }

  /** Opens an element over the place and moves the map until it is visible; the caller fills it. */
  openPopup({ latitude, longitude }: { latitude: number; longitude: number }, content: HTMLElement): void {
    this.closePopup()
    const { x: width, y: height } = this.#map.getSize()
    const popupWidth = Math.min(POPUP_WIDTH, width - 2 * EDGE)
    const popup = L.popup({
      className: styles.popup as string,
      minWidth: popupWidth,
      maxWidth: popupWidth,
      autoPanPadding: [EDGE, EDGE],
      closeButton: false,
      offset: [0, -4],
    })
    this.#popup = popup
    // If a press replaces the pressed element, Leaflet takes it for a press on the map and closes the popup.
    content.addEventListener('click', (event) => event.stopPropagation())
    content.style.setProperty('--room', `${height - 2 * EDGE - 28}px`)
    popup.setLatLng([latitude, longitude]).setContent(content).openOn(this.#map)
    popup.on('remove', () => {
      if (this.#popup !== popup) return
      this.#popup = null
      this.#events.onPopupClose()
    })
  }

  /** Call after the content changed its size. */
  placePopup(): void {
    this.#popup?.update()
  }

  closePopup(): void {
    const popup = this.#popup
    this.#popup = null
    popup?.remove()
  }

  #showGround(): void {
    const isFar = this.#map.getZoom() <= COUNTRY_ZOOM
    this.#switch(this.#countries, isFar)
    if (isFar) this.#shade()
    this.#switch(this.#land, !isFar && (this.#streets?.haveGaps ?? true))
    const nearestZoom = (this.#streets?.areMissing ?? true) ? NEAREST_WITHOUT_TILES : mapLimits.maxZoom
    // Zooms out if it was nearer.
    if (this.#map.getMaxZoom() !== nearestZoom) this.#map.setMaxZoom(nearestZoom)
    this.#events.onGround({ isDrawn: this.#isDrawn(), nearestZoom })
    this.#showNames()
  }

  #switch(layer: L.Layer, isShown: boolean): void {
    if (isShown === this.#map.hasLayer(layer)) return
    if (isShown) layer.addTo(this.#map)
    else layer.remove()
  }

  #isDrawn(): boolean {
    return this.#map.getZoom() <= COUNTRY_ZOOM || (this.#streets?.areAbsent ?? true)
  }

  /** Street tiles contain their own names. */
  #showNames(): void {
    if (this.#isDrawn()) this.#names.draw([...this.#marks.values()].map(({ cluster }) => this.#boxOf(cluster)))
    else this.#names.clear()
  }

  /** Returns the box that a mark and its number cover. */
  #boxOf({ latitude, longitude, counts }: EventCluster): Box {
    const { x, y } = this.#map.latLngToContainerPoint([latitude, longitude])
    const { total } = openCounts(counts)
    const half = markSize(total) / 2 + (total > 1 ? RING : 1)
    const number = total > 1 ? shortCount(total).length * 7 + 12 : 0
    const high = Math.max(half, total > 1 ? 9 : 0)
    return { left: x - half, top: y - high, right: x + half + number, bottom: y + high }
  }

  #prepareCountry(country: CountryProperties, layer: L.Path): void {
    layer.bindTooltip(() => tooltip(country, this.#byIso?.get(country.iso ?? '')), {
      sticky: true,
      className: styles.tooltip as string,
    })
    layer.on('click', () => this.#events.onCountry(country))
  }

  #shade(): void {
    this.#countries.eachLayer((layer) => {
      const { feature } = layer as L.Path & { feature: { properties: CountryProperties } }
      const element = (layer as L.Path).getElement()
      const counts = this.#byIso?.get(feature.properties.iso ?? '')
      element?.setAttribute('data-open', String(counts ? countStep(openCounts(counts).total) : 0))
    })
  }
}

function tooltip({ name }: CountryProperties, counts: SeverityCounts | undefined): HTMLElement {
  const element = document.createElement('span')
  const count = counts ? openCounts(counts).total : 0
  element.textContent = `${name}: ${counted(count, 'open event')}`
  return element
}

/** Pixels between a mark and the outside of its ring. */
const RING = 5

/**
 * Draws a mark in colour and shape of the worst open severity, larger for more open events, with their number beside
 * it and a ring of their shares by severity. Without open events it is a small grey dot. The mark is an HTML string,
 * because Leaflet marks are no React elements.
 */
function clusterMark(cluster: EventCluster): L.Marker {
  const { latitude, longitude, counts, positions } = cluster
  const severity = worstOpenSeverity(counts)
  const open = openCounts(counts)
  const size = markSize(open.total)
  const number = open.total > 1 ? `<b>${shortCount(open.total)}</b>` : ''
  const icon = L.divIcon({
    className: styles.mark as string,
    iconSize: [TARGET, TARGET],
    html: `<svg viewBox="-1 -1 12 12" width="${size}" height="${size}" data-severity="${severity ?? 'none'}" aria-hidden="true"><path d="${severityShapes[severity ?? 'low']}"/>${ring(open, size)}</svg>${number}`,
  })
  const title = countLabel(counts, positions)
  return L.marker([latitude, longitude], { icon, title, alt: title, riseOnHover: true, zIndexOffset: open.total })
}

/** Returns a ring around a mark, whose arcs are the shares of the severities; none around a single event. */
function ring(open: ReturnType<typeof openCounts>, size: number): string {
  if (open.total < 2) return ''
  // The mark is drawn in 12 units.
  const radius = ((size / 2 + RING - 1) * 12) / size
  let turned = -25
  return severities
    .filter((severity) => open[severity] > 0)
    .map((severity) => {
      const share = (100 * open[severity]) / open.total
      const arc = `<circle data-severity="${severity}" cx="5" cy="5" r="${radius}" pathLength="100" stroke-dasharray="${share} ${100 - share}" stroke-dashoffset="${-turned}"/>`
      turned += share
      return arc
    })
    .join('')
}

/** Returns a key that is equal for marks that look the same at the same place. */
function markKey({ latitude, longitude, positions, counts }: EventCluster): string {
  return [latitude, longitude, positions, ...Object.values(counts)].join(' ')
}

/** Loads the file once, for the first tile; after a failure the next tile tries again. */
function loadLand(): Promise<LandSquares> {
  loaded ??= readLand().catch((error: unknown) => {
    loaded = undefined
    throw error
  })
  return loaded
}

async function readLand(): Promise<LandSquares> {
  const answer = await fetch(landUrl)
  if (!answer.ok) throw new Error(`The land of the map is missing (${answer.status}).`)
  return (await answer.json()) as LandSquares
}

async function fill(tile: HTMLElement, coords: L.Coords, done: L.DoneCallback): Promise<void> {
  try {
    tile.append(drawnTile(coords, await loadLand()))
    done(undefined, tile)
  } catch (error) {
    done(error as Error, tile)
  }
}

/** Returns the part of its square that a tile shows. */
export function drawnTile({ x, y, z }: { x: number; y: number; z: number }, squares: LandSquares): SVGElement {
  const tiles = 2 ** (z - SQUARE_ZOOM)
  const [column, row] = [Math.floor(x / tiles), Math.floor(y / tiles)]
  const size = SQUARE_UNITS / tiles
  const svg = document.createElementNS('http://www.w3.org/2000/svg', 'svg')
  svg.setAttribute('class', styles.tile as string)
  svg.setAttribute('viewBox', [(x - column * tiles) * size, (y - row * tiles) * size, size, size].join(' '))
  for (const [index, d] of (squares[`${column},${row}`] ?? []).entries()) {
    if (d === '') continue
    const path = document.createElementNS('http://www.w3.org/2000/svg', 'path')
    path.setAttribute('class', (index === 0 ? styles.land : styles.borders) as string)
    path.setAttribute('d', d)
    svg.append(path)
  }
  return svg
}
