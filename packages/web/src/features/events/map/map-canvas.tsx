import { severities, severityLabels } from '@benchwatch/contract/vocabulary'
import { IconArrowsMaximize, IconMinus, IconPlus } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import {
  type ReactNode,
  type Ref,
  useCallback,
  useEffect,
  useEffectEvent,
  useImperativeHandle,
  useMemo,
  useRef,
  useState,
} from 'react'
import { createPortal } from 'react-dom'
import { pageSettings } from '../../../lib/page-settings.ts'
import { useShortcuts } from '../../../ui/overlay/use-shortcuts.ts'
import { RetryLine } from '../../../ui/text/notice.tsx'
import { type MapView, mapLimits, usualMapView, writeMapView } from '../events.search.ts'
import { EventShortcuts } from '../list/event-shortcuts.tsx'
import { SeverityShape } from '../status/severity-badge.tsx'
import { countsByIso, isoOf, loadCountries } from './land/countries.ts'
import { loadNames } from './land/name-labels.ts'
import { COUNTRY_ZOOM, type Ground, LeafletMap } from './leaflet-map.ts'
import type { Bounds, CountryCounts, EventCluster } from './locations.ts'
import styles from './map-canvas.module.css'
import type { MapIndex } from './map-index.ts'

const steps = [
  { step: 1, label: '1–9' },
  { step: 2, label: '10–99' },
  { step: 3, label: '100+' },
] as const

/**
 * Milliseconds. The address follows once the map rests, because browsers limit address changes to a few hundred per
 * half minute.
 */
const ADDRESS_DELAY_MS = 300

export interface MapCanvasHandle {
  fit: (bounds: Bounds) => void
}

/** The map with its marks. Legend and controls are below it, so they cover no mark. */
export function MapCanvas(props: {
  ref: Ref<MapCanvasHandle>
  index: MapIndex
  /** Generation of the index; null until it is loaded. */
  generation: number | null
  bounds: Bounds | null
  /** From the address. */
  view: MapView | null
  onView: (view: MapView) => void
  /** Reports the number of marks in the viewport. */
  onMarks: (count: number) => void
  /** Null until they are known. */
  countries: readonly CountryCounts[] | null
  onCountry: (country: CountryCounts) => void
  popup: (cluster: EventCluster, close: () => void) => ReactNode
}) {
  const { index, generation, bounds } = props
  const element = useRef<HTMLDivElement>(null)
  const [map, setMap] = useState<LeafletMap | null>(null)
  const [popup, setPopup] = useState<{ cluster: EventCluster; content: HTMLElement } | null>(null)
  const { mapTilesUrl, mapTilesAttribution } = pageSettings()
  const shown = props.view ?? usualMapView
  const [ground, setGround] = useState<Ground>({ isDrawn: true, nearestZoom: mapLimits.maxZoom })
  const forGood = { staleTime: Number.POSITIVE_INFINITY, gcTime: Number.POSITIVE_INFINITY }
  const countries = useQuery({ queryKey: ['countries'], queryFn: loadCountries, ...forGood })
  const placeNames = useQuery({ queryKey: ['place-names'], queryFn: loadNames, ...forGood })

  const writing = useRef<ReturnType<typeof setTimeout>>(undefined)
  const ownPath = useRef(window.location.pathname)
  const write = useEffectEvent((view: MapView) => {
    // The user is already on the way to another page; do not call them back.
    if (window.location.pathname !== ownPath.current) return
    if (writeMapView(view) !== writeMapView(shown)) props.onView(view)
  })
  const refresh = useRefresh(map, { index, generation, onMarks: props.onMarks })
  const onMove = useEffectEvent((view: MapView) => {
    refresh()
    clearTimeout(writing.current)
    writing.current = setTimeout(() => write(view), ADDRESS_DELAY_MS)
  })
  const onCluster = useEffectEvent((cluster: EventCluster) => {
    const { latitude, longitude, positions } = cluster
    // One position: zoom in, if that shows more. A mixed mark: show what is there.
    if (positions === 1 && map?.isNear() === false) {
      map.fit({ south: latitude, north: latitude, west: longitude, east: longitude })
      return
    }
    const content = document.createElement('div')
    map?.openPopup(cluster, content)
    setPopup({ cluster, content })
  })
  const onCountry = useEffectEvent((iso: string | null) => {
    const found = props.countries?.find(
      ({ country }) => iso !== null && country !== null && isoOf(country, countries.data?.names ?? {}) === iso,
    )
    if (found !== undefined) props.onCountry(found)
  })

  const openAt = useEffectEvent((place: HTMLElement) => {
    const made = new LeafletMap(place, {
      view: shown,
      tilesUrl: mapTilesUrl,
      isCalm: matchMedia('(prefers-reduced-motion: reduce)').matches,
      events: {
        onMove: (view) => onMove(view),
        onCluster: (cluster) => onCluster(cluster),
        onCountry: ({ iso }) => onCountry(iso),
        onPopupClose: () => setPopup(null),
        onGround: setGround,
      },
    })
    setMap(made)
    return made
  })
  useEffect(() => {
    if (element.current === null) return
    const made = openAt(element.current)
    const observer = new ResizeObserver(() => made.resize())
    observer.observe(element.current)
    return () => {
      observer.disconnect()
      clearTimeout(writing.current)
      made.remove()
    }
  }, [])

  // The address was set by a link or the back button; if its zoom exceeds the map's maximum, it is rewritten.
  const address = writeMapView(shown)
  const follow = useEffectEvent(() => {
    if (map !== null && writeMapView(map.view()) !== address) map.show(shown)
  })
  useEffect(() => follow(), [map, address])

  useEffect(() => {
    if (countries.data !== undefined) map?.drawCountries(countries.data)
  }, [map, countries.data])
  useEffect(() => {
    if (placeNames.data !== undefined) map?.drawNames(placeNames.data)
  }, [map, placeNames.data])
  const names = countries.data?.names
  const byIso = useMemo(
    () => (props.countries === null || names === undefined ? null : countsByIso(props.countries, names)),
    [props.countries, names],
  )
  useEffect(() => map?.shadeCountries(byIso), [map, byIso])

  useImperativeHandle(props.ref, () => ({ fit: (to) => map?.fit(to) }), [map])
  function showAll() {
    if (bounds !== null) map?.fit(bounds)
  }
  useShortcuts({ z: showAll })

  function closePopup() {
    map?.closePopup()
    setPopup(null)
    element.current?.focus({ preventScroll: true })
  }

  return (
    <div className={styles.canvas}>
      <div className={styles.window}>
        <section ref={element} className={styles.map} aria-label="Map of events" />
        {countries.isError && (
          <div className={styles.problem}>
            <RetryLine onRetry={() => void countries.refetch()}>Could not draw the countries.</RetryLine>
          </div>
        )}
      </div>
      <div className={styles.bar}>
        <MapLegend showsCountries={shown.zoom <= COUNTRY_ZOOM} areCountriesKnown={props.countries !== null} />
        <p className={styles.attribution}>
          {ground.isDrawn ? (
            <>
              Natural Earth, <SourceLink href="https://www.geonames.org">GeoNames</SourceLink>
            </>
          ) : (
            <TilesAttribution text={mapTilesAttribution} />
          )}
        </p>
        <MapControls
          zoom={shown.zoom}
          nearestZoom={ground.nearestZoom}
          canFit={bounds !== null}
          onZoom={(step) => map?.zoomBy(step)}
          onFit={showAll}
        />
        <EventShortcuts />
      </div>
      {popup !== null && createPortal(props.popup(popup.cluster, closePopup), popup.content)}
      {popup !== null && <PopupPlacing content={popup.content} onChange={() => map?.placePopup()} />}
    </div>
  )
}

const OSM = '© OpenStreetMap contributors'

/** Attribution of the tiles; OpenStreetMap also requires a link. */
export function TilesAttribution({ text }: { text: string }) {
  const [before = '', after] = text.split(OSM, 2)
  if (after === undefined) return text
  return (
    <>
      {before}
      <SourceLink href="https://www.openstreetmap.org/copyright">{OSM}</SourceLink>
      {after}
    </>
  )
}

function SourceLink({ href, children }: { href: string; children: ReactNode }) {
  return (
    <a href={href} target="_blank" rel="noreferrer">
      {children}
    </a>
  )
}

/** Reads the marks of the viewport; only the latest request counts. */
function useRefresh(
  map: LeafletMap | null,
  { index, generation, onMarks }: { index: MapIndex; generation: number | null; onMarks: (count: number) => void },
): () => void {
  const latest = useRef(0)
  const refresh = useCallback(() => {
    if (map === null || generation === null) return
    latest.current += 1
    const request = latest.current
    index.ask('clustersIn', map.window(), generation).then(
      (clusters) => {
        if (request !== latest.current) return
        map.showClusters(clusters)
        onMarks(clusters.length)
      },
      // Reloaded in the meantime: the next generation requests on its own.
      () => undefined,
    )
  }, [map, index, generation, onMarks])
  useEffect(refresh, [refresh])
  return refresh
}

/** Leaflet positions a popup by its size but does not watch it. */
function PopupPlacing({ content, onChange }: { content: HTMLElement; onChange: () => void }) {
  const change = useEffectEvent(onChange)
  useEffect(() => {
    const observer = new ResizeObserver(() => change())
    observer.observe(content)
    return () => observer.disconnect()
  }, [content])
  return null
}

/** Explains marks and shades, which both count open events. */
function MapLegend(props: { showsCountries: boolean; areCountriesKnown: boolean }) {
  return (
    <dl className={styles.legend}>
      <div>
        <dt>Worst open severity</dt>
        <dd>
          {severities.map((severity) => (
            <span key={severity} className={styles.severity} data-severity={severity}>
              <SeverityShape severity={severity} size={10} />
              <span>{severityLabels[severity]}</span>
            </span>
          ))}
          <span className={styles.severity} data-severity="none">
            <SeverityShape severity="low" size={8} />
            None open
          </span>
        </dd>
      </div>
      {props.showsCountries && (
        <div data-waiting={!props.areCountriesKnown || undefined}>
          <dt>Open events</dt>
          <dd>
            {steps.map(({ step, label }) => (
              <span key={step} className={styles.shade} data-step={step}>
                {label}
              </span>
            ))}
          </dd>
        </div>
      )}
    </dl>
  )
}

function MapControls(props: {
  zoom: number
  nearestZoom: number
  canFit: boolean
  onZoom: (step: 1 | -1) => void
  onFit: () => void
}) {
  const icon = { size: 17, stroke: 1.8, 'aria-hidden': true }
  return (
    <div className={styles.controls} role="toolbar" aria-label="Map">
      <button
        type="button"
        title="Zoom in"
        aria-label="Zoom in"
        disabled={props.zoom >= props.nearestZoom}
        onClick={() => props.onZoom(1)}
      >
        <IconPlus {...icon} />
      </button>
      <button
        type="button"
        title="Zoom out"
        aria-label="Zoom out"
        disabled={props.zoom <= mapLimits.minZoom}
        onClick={() => props.onZoom(-1)}
      >
        <IconMinus {...icon} />
      </button>
      <button
        type="button"
        title="Zoom to all results (Z)"
        aria-label="Zoom to all results"
        aria-keyshortcuts="Z"
        disabled={!props.canFit}
        onClick={props.onFit}
      >
        <IconArrowsMaximize {...icon} />
      </button>
    </div>
  )
}

/** Button that shows only an icon; `label` is its accessible name. */
export function IconButton(props: { label: string; disabled?: boolean; onClick: () => void; children: ReactNode }) {
  return (
    <button
      type="button"
      className={styles.button}
      aria-label={props.label}
      disabled={props.disabled}
      onClick={props.onClick}
    >
      {props.children}
    </button>
  )
}
