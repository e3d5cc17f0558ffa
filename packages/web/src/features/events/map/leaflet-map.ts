import L from 'leaflet'
import 'leaflet/dist/leaflet.css'
import { counted } from '../../../lib/folded.ts'
import { type MapView, mapLimits } from '../events.search.ts'
import { severityShapes } from '../severity-badge.tsx'
import type { Countries, CountryProperties } from './countries.ts'
import styles from './leaflet-map.module.css'
import {
  type Bounds,
  type ClusterWindow,
  countLabel,
  countStep,
  type EventCluster,
  markSize,
  type SeverityCounts,
  shortCount,
  worstSeverity,
} from './locations.ts'

/** Pixels that a finger or a pointer can hit, whatever the size of the mark. */
const TARGET = 34

/** Street tiles stand above this zoom, countries below: document 1 section 4. */
export const COUNTRY_ZOOM = 5
const COUNTRIES_A_FRAME = 60
/** Without streets there is nothing to see nearer than this. */
const NEAREST_WITHOUT_TILES = 10

/** Pixels. */
const POPUP_WIDTH = 460
/** Of the column at the right edge in which the controls stand, and of a map that leaves them none: a phone's. */
const CONTROLS_WIDTH = 60
const NARROW_MAP = 420
const LEGEND_HEIGHT = 52

export interface MapEvents {
  /** The window moved, or changed its size. */
  onMove: (view: MapView) => void
  onCluster: (cluster: EventCluster) => void
  onCountry: (country: CountryProperties) => void
  onPopupClose: () => void
}

/**
 * The map itself: Leaflet, told what to show. It knows nothing of queries and of React, whose components only hand things on
 * (map-canvas.tsx).
 */
export class LeafletMap {
  readonly #map: L.Map
  readonly #events: MapEvents
  readonly #hasTiles: boolean
  readonly #countries: L.GeoJSON<CountryProperties>
  readonly #marks = new Map<string, { marker: L.Marker; cluster: EventCluster }>()
  #openByIso: ReadonlyMap<string, SeverityCounts> | null = null
  #popup: L.Popup | null = null
  #isRemoved = false

  constructor(
    element: HTMLElement,
    { view, tilesUrl, isCalm, events }: { view: MapView; tilesUrl: string | null; isCalm: boolean; events: MapEvents },
  ) {
    const { minZoom, maxZoom, south, north, west, east } = mapLimits
    const bounds = L.latLngBounds([south, west], [north, east])
    this.#events = events
    this.#hasTiles = tilesUrl !== null
    this.#map = L.map(element, {
      center: [view.latitude, view.longitude],
      zoom: view.zoom,
      minZoom,
      maxZoom,
      maxBounds: bounds,
      maxBoundsViscosity: 1,
      zoomControl: false,
      attributionControl: false,
      zoomAnimation: !isCalm,
      fadeAnimation: !isCalm,
      markerZoomAnimation: !isCalm,
      inertia: !isCalm,
    })
    if (tilesUrl !== null) {
      L.tileLayer(tilesUrl, {
        minZoom: COUNTRY_ZOOM + 1,
        maxZoom,
        bounds,
        noWrap: true,
        className: styles.tiles as string,
        // Public tile servers refuse who doesn't say where they are asked from; the page itself says it to nobody.
        referrerPolicy: 'strict-origin-when-cross-origin',
      }).addTo(this.#map)
    }
    this.#countries = L.geoJSON<CountryProperties>(undefined, {
      style: () => ({ className: styles.country, weight: 1 }),
      onEachFeature: (feature, layer) => this.#prepareCountry(feature.properties, layer as L.Path),
    })
    this.#map.on('moveend resize', () => events.onMove(this.view()))
    this.#map.on('zoomend', () => this.#showGround())
    this.#showGround()
  }

  remove(): void {
    this.#isRemoved = true
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

  /** As near as all of it is in sight. */
  fit({ south, west, north, east }: Bounds): void {
    const edge = L.point(40, 40)
    this.#map.fitBounds(L.latLngBounds([south, west], [north, east]), { padding: edge, maxZoom: this.#nearest() })
  }

  /** Whether a place is as near already as it may come. */
  isNear(): boolean {
    return this.#map.getZoom() >= this.#nearest()
  }

  /** The element takes a new size when the screen does. */
  resize(): void {
    this.#map.invalidateSize({ pan: false })
  }

  /** Some in each frame: all at once would hold up the screen for a tenth of a second. */
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

  /** Open events by ISO code; null while they are not known. */
  shadeCountries(openByIso: ReadonlyMap<string, SeverityCounts> | null): void {
    this.#openByIso = openByIso
    this.#shade()
  }

  /** Marks that stay the same stay where they are, so that nothing flickers. */
  showClusters(clusters: readonly EventCluster[]): void {
    const next = new Map(clusters.map((cluster) => [markKey(cluster), cluster]))
    for (const [key, { marker }] of this.#marks) {
      if (next.has(key)) continue
      marker.remove()
      this.#marks.delete(key)
    }
    for (const [key, cluster] of next) {
      const known = this.#marks.get(key)
      // Drawn the same, but of an index that was read again.
      if (known !== undefined) known.cluster = cluster
      else this.#marks.set(key, this.#addMark(cluster))
    }
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

  /** An element over the place, for others to fill; the map moves so that it is in sight. */
  openPopup({ latitude, longitude }: { latitude: number; longitude: number }, content: HTMLElement): void {
    this.closePopup()
    const { x: width, y: height } = this.#map.getSize()
    const besideIt = width < NARROW_MAP ? 12 : CONTROLS_WIDTH
    const popupWidth = Math.min(POPUP_WIDTH, width - besideIt - 20)
    const popup = L.popup({
      className: styles.popup as string,
      minWidth: popupWidth,
      maxWidth: popupWidth,
      autoPanPaddingTopLeft: [12, 12],
      // Its tip stays above the legend, its cross beside the controls.
      autoPanPaddingBottomRight: [besideIt, LEGEND_HEIGHT],
      closeButton: false,
      offset: [0, -4],
    })
    this.#popup = popup
    // A press that replaces what was pressed would look to Leaflet like one on the map, which closes the popup.
    content.addEventListener('click', (event) => event.stopPropagation())
    content.style.setProperty('--room', `${height - LEGEND_HEIGHT - 40}px`)
    popup.setLatLng([latitude, longitude]).setContent(content).openOn(this.#map)
    popup.on('remove', () => {
      if (this.#popup !== popup) return
      this.#popup = null
      this.#events.onPopupClose()
    })
  }

  /** After its content took another size. */
  placePopup(): void {
    this.#popup?.update()
  }

  closePopup(): void {
    const popup = this.#popup
    this.#popup = null
    popup?.remove()
  }

  #nearest(): number {
    return this.#hasTiles ? mapLimits.maxZoom : NEAREST_WITHOUT_TILES
  }

  #showGround(): void {
    const isFar = this.#map.getZoom() <= COUNTRY_ZOOM || !this.#hasTiles
    if (isFar === this.#map.hasLayer(this.#countries)) return
    if (isFar) this.#countries.addTo(this.#map)
    else this.#countries.remove()
    this.#shade()
  }

  #prepareCountry(country: CountryProperties, layer: L.Path): void {
    layer.bindTooltip(() => tooltip(country, this.#openByIso?.get(country.iso ?? '')), {
      sticky: true,
      className: styles.tooltip as string,
    })
    layer.on('click', () => this.#events.onCountry(country))
  }

  #shade(): void {
    this.#countries.eachLayer((layer) => {
      const { feature } = layer as L.Path & { feature: { properties: CountryProperties } }
      const element = (layer as L.Path).getElement()
      const open = this.#openByIso?.get(feature.properties.iso ?? '')?.total ?? 0
      element?.setAttribute('data-open', String(countStep(open)))
    })
  }
}

function tooltip({ name }: CountryProperties, open: SeverityCounts | undefined): HTMLElement {
  const element = document.createElement('span')
  const count = open?.total ?? 0
  element.textContent = `${name}: ${counted(count, 'open event')}`
  return element
}

/**
 * A mark in colour and shape of the worst severity there, larger with more events, their number beside it. Drawn as text,
 * because marks are no React elements.
 */
function clusterMark(cluster: EventCluster): L.Marker {
  const { latitude, longitude, counts, positions } = cluster
  const severity = worstSeverity(counts)
  const size = markSize(counts.total)
  const number = counts.total > 1 ? `<b>${shortCount(counts.total)}</b>` : ''
  const icon = L.divIcon({
    className: styles.mark as string,
    iconSize: [TARGET, TARGET],
    html: `<svg viewBox="-1 -1 12 12" width="${size}" height="${size}" data-severity="${severity}" aria-hidden="true"><path d="${severityShapes[severity]}"/></svg>${number}`,
  })
  const title = countLabel(counts, positions)
  return L.marker([latitude, longitude], { icon, title, alt: title, riseOnHover: true, zIndexOffset: counts.total })
}

/** The same for marks that look the same at the same place. */
function markKey({ latitude, longitude, positions, counts: { high, medium, low } }: EventCluster): string {
  return [latitude, longitude, positions, high, medium, low].join(' ')
}
