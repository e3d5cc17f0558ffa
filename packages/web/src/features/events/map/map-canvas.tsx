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
import { RetryLine } from '../../../ui/text/notice.tsx'
import { type MapView, mapLimits, usualMapView, writeMapView } from '../events.search.ts'
import { SeverityShape } from '../severity-badge.tsx'
import { countsByIso, isoOf, loadCountries } from './countries.ts'
import { COUNTRY_ZOOM, type Ground, LeafletMap } from './leaflet-map.ts'
import type { Bounds, CountryCounts, EventCluster } from './locations.ts'
import styles from './map-canvas.module.css'
import type { MapIndex } from './map-index.ts'
import { loadNames } from './name-labels.ts'

const steps = [
  { step: 1, words: '1–9' },
  { step: 2, words: '10–99' },
  { step: 3, words: '100+' },
] as const

/** The address follows the map once it rests: browsers refuse more than some hundred changes in half a minute. */
const ADDRESS_DELAY_MS = 300

export interface MapCanvasHandle {
  fit: (bounds: Bounds) => void
}

/** The map with its marks; its legend and its controls stand below it, where they hide no mark. */
export function MapCanvas(props: {
  ref: Ref<MapCanvasHandle>
  index: MapIndex
  /** Of what the index holds; null until it holds anything. */
  generation: number | null
  bounds: Bounds | null
  /** As the address has it. */
  view: MapView | null
  onView: (view: MapView) => void
  /** How many marks the part of the world has that is looked at. */
  onMarks: (count: number) => void
  /** Open events by country; null while they are not known. */
  open: CountryCounts[] | null
  /** All that happened, to find the name of a country that is pressed. */
  countries: readonly CountryCounts[]
  onCountry: (country: CountryCounts) => void
  popup: (cluster: EventCluster, close: () => void) => ReactNode
}) {
  const { index, generation, bounds, open } = props
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
    // Somebody who is on the way to an event must not be called back.
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
    // One position: nearer, as far as there is anything to see. Mixed ones: what is there.
    if (positions === 1 && map?.isNear() === false) {
      map.fit({ south: latitude, north: latitude, west: longitude, east: longitude })
      return
    }
    const content = document.createElement('div')
    map?.openPopup(cluster, content)
    setPopup({ cluster, content })
  })
  const onCountry = useEffectEvent((iso: string | null) => {
    const found = props.countries.find(
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

  // A link or the back button sets the address; one that is nearer than the map can come is written anew.
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
  const openByIso = useMemo(
    () => (open === null || names === undefined ? null : countsByIso(open, names)),
    [open, names],
  )
  useEffect(() => map?.shadeCountries(openByIso), [map, openByIso])

  useImperativeHandle(props.ref, () => ({ fit: (to) => map?.fit(to) }), [map])

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
        <MapLegend showsCountries={shown.zoom <= COUNTRY_ZOOM} areCountriesKnown={open !== null} />
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
          onFit={() => bounds !== null && map?.fit(bounds)}
        />
      </div>
      {popup !== null && createPortal(props.popup(popup.cluster, closePopup), popup.content)}
      {popup !== null && <PopupPlacing content={popup.content} onChange={() => map?.placePopup()} />}
    </div>
  )
}

const OSM = '© OpenStreetMap contributors'

/** Names whom the tiles are owed to; OpenStreetMap asks for a link as well. */
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

/** Marks of the window that is looked at; the newest question alone is answered. */
function useRefresh(
  map: LeafletMap | null,
  { index, generation, onMarks }: { index: MapIndex; generation: number | null; onMarks: (count: number) => void },
): () => void {
  const asked = useRef(0)
  const refresh = useCallback(() => {
    if (map === null || generation === null) return
    asked.current += 1
    const question = asked.current
    index.ask('clustersIn', map.window(), generation).then(
      (clusters) => {
        if (question !== asked.current) return
        map.showClusters(clusters)
        onMarks(clusters.length)
      },
      // Read again meanwhile: the next generation asks by itself.
      () => undefined,
    )
  }, [map, index, generation, onMarks])
  useEffect(refresh, [refresh])
  return refresh
}

/** Leaflet places a popup by its size, which it does not watch. */
function PopupPlacing({ content, onChange }: { content: HTMLElement; onChange: () => void }) {
  const change = useEffectEvent(onChange)
  useEffect(() => {
    const observer = new ResizeObserver(() => change())
    observer.observe(content)
    return () => observer.disconnect()
  }, [content])
  return null
}

/** What marks and shades mean. Marks count all events that were found; countries only those that are open. */
function MapLegend(props: { showsCountries: boolean; areCountriesKnown: boolean }) {
  return (
    <dl className={styles.legend}>
      <div>
        <dt>Worst severity</dt>
        <dd>
          {severities.map((severity) => (
            <span key={severity} className={styles.severity} data-severity={severity}>
              <SeverityShape severity={severity} size={10} />
              <span>{severityLabels[severity]}</span>
            </span>
          ))}
        </dd>
      </div>
      {props.showsCountries && (
        <div data-waiting={!props.areCountriesKnown || undefined}>
          <dt>Open events</dt>
          <dd>
            {steps.map(({ step, words }) => (
              <span key={step} className={styles.shade} data-step={step}>
                {words}
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
        title="Zoom to all results"
        aria-label="Zoom to all results"
        disabled={!props.canFit}
        onClick={props.onFit}
      >
        <IconArrowsMaximize {...icon} />
      </button>
    </div>
  )
}

/** A button of a drawn sign alone; `label` says it in words. */
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
