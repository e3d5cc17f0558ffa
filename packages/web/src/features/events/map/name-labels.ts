import type L from 'leaflet'
import styles from './name-labels.module.css'
import namesUrl from './names.json?url'

/** Names of countries and towns on the drawn map. Made by `countries/build.ts`. */

/** A name, where it stands (latitude, longitude), and the least zoom that shows it. */
type NamedPlace = [name: string, latitude: number, longitude: number, zoom: number]

/** The most important first. */
export interface PlaceNames {
  countries: NamedPlace[]
  towns: NamedPlace[]
}

/** Pixels from the north-west of the window. */
export interface Box {
  left: number
  top: number
  right: number
  bottom: number
}

export interface PlacedName {
  name: string
  kind: 'country' | 'town'
  /** Where the country or town itself is. */
  x: number
  y: number
  box: Box
}

export async function loadNames(): Promise<PlaceNames> {
  const answer = await fetch(namesUrl)
  if (!answer.ok) throw new Error(`The names of the map are missing (${answer.status}).`)
  return (await answer.json()) as PlaceNames
}

const HEIGHT = { country: 16, town: 14 }
/** From a town to its name. */
const BESIDE = 7

/** As many names as fit: none lies on another or on a mark, and the more important are placed first. */
export function placedNames(
  names: PlaceNames,
  map: {
    zoom: number
    window: Box
    /** What names leave free. */
    marks: readonly Box[]
    toPoint: (latitude: number, longitude: number) => { x: number; y: number }
    widthOf: (name: string, kind: PlacedName['kind']) => number
  },
): PlacedName[] {
  const taken = [...map.marks]
  const placed: PlacedName[] = []
  for (const kind of ['country', 'town'] as const) {
    for (const [name, latitude, longitude, zoom] of kind === 'country' ? names.countries : names.towns) {
      if (zoom > map.zoom) continue
      const { x, y } = map.toPoint(latitude, longitude)
      if (!overlap({ left: x, right: x, top: y, bottom: y }, map.window)) continue
      const size = { width: map.widthOf(name, kind), height: HEIGHT[kind] }
      const box = boxesAround({ x, y }, kind, size).find((free) => !taken.some((other) => overlap(free, other)))
      if (box === undefined) continue
      taken.push(box)
      placed.push({ name, kind, x, y, box })
    }
  }
  return placed
}

/** Where a name may stand, the best place first. */
function boxesAround(
  { x, y }: { x: number; y: number },
  kind: PlacedName['kind'],
  { width, height }: { width: number; height: number },
): Box[] {
  const at = (left: number, top: number) => ({ left, top, right: left + width, bottom: top + height })
  const [middle, centre] = [x - width / 2, y - height / 2]
  if (kind === 'country') return [0, 22, -22].map((down) => at(middle, centre + down))
  const below = [BESIDE, BESIDE + 11].map((down) => at(middle, y + down - 2))
  const above = [BESIDE, BESIDE + 11].map((up) => at(middle, y - up - height + 2))
  const [first, ...further] = below
  return [at(x + BESIDE, centre), at(x - BESIDE - width, centre), first, ...above, ...further].filter(
    (box) => box !== undefined,
  )
}

function overlap(one: Box, other: Box): boolean {
  return one.left <= other.right && other.left <= one.right && one.top <= other.bottom && other.top <= one.bottom
}

/** The names of the window, drawn anew once the map rests. */
export class NameLabels {
  readonly #map: L.Map
  readonly #pane: HTMLElement
  readonly #widths = new Map<string, number>()
  #pen: CanvasRenderingContext2D | null = null
  #names: PlaceNames | null = null

  constructor(map: L.Map) {
    this.#map = map
    // Above what is drawn, below the marks; away while the map zooms.
    this.#pane = map.createPane('names')
    this.#pane.classList.add(styles.pane as string, 'leaflet-zoom-hide')
    this.#pane.setAttribute('aria-hidden', 'true')
  }

  use(names: PlaceNames): void {
    this.#names = names
  }

  clear(): void {
    this.#pane.replaceChildren()
  }

  draw(marks: readonly Box[]): void {
    if (this.#names === null) return
    const { x: width, y: height } = this.#map.getSize()
    const corner = this.#map.containerPointToLayerPoint([0, 0])
    const placed = placedNames(this.#names, {
      zoom: this.#map.getZoom(),
      // Names beyond the edge come into sight while the map is dragged.
      window: { left: -width / 4, top: -height / 4, right: width * 1.25, bottom: height * 1.25 },
      marks,
      toPoint: (latitude, longitude) => this.#map.latLngToContainerPoint([latitude, longitude]),
      widthOf: (name, kind) => this.#widthOf(name, kind),
    })
    this.#pane.replaceChildren(...placed.flatMap((name) => elementsOf(name, corner)))
  }

  #widthOf(name: string, kind: PlacedName['kind']): number {
    const known = this.#widths.get(kind + name)
    if (known !== undefined) return known
    this.#pen ??= document.createElement('canvas').getContext('2d')
    const family = getComputedStyle(this.#pane).fontFamily
    if (this.#pen !== null) this.#pen.font = kind === 'country' ? `600 12px ${family}` : `500 11px ${family}`
    const width = (this.#pen?.measureText(name).width ?? name.length * 7) + 4
    this.#widths.set(kind + name, width)
    return width
  }
}

function elementsOf({ name, kind, x, y, box }: PlacedName, corner: L.Point): HTMLElement[] {
  const label = document.createElement('span')
  label.className = styles[kind] as string
  label.textContent = name
  place(label, { x: box.left + 2, y: box.top }, corner)
  if (kind === 'country') return [label]
  const dot = document.createElement('i')
  place(dot, { x, y }, corner)
  return [dot, label]
}

function place(element: HTMLElement, { x, y }: { x: number; y: number }, corner: L.Point): void {
  element.style.left = `${Math.round(x + corner.x)}px`
  element.style.top = `${Math.round(y + corner.y)}px`
}
