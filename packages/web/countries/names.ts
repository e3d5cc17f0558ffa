import type { Position } from 'geojson'
import { projected, WORLD_UNITS } from './squares.ts'

/** Decides which names the map shows at which zoom. */

export interface Town {
  name: string
  longitude: number
  latitude: number
  population: number
  isCapital: boolean
}

/** A name with its latitude, longitude and the lowest zoom that shows it. */
export type NamedPlace = [name: string, latitude: number, longitude: number, zoom: number]

/** Minimum population of a town to be named at each zoom. A capital counts double. */
const leastPopulation = [
  { zoom: 4, population: 1_000_000 },
  { zoom: 5, population: 300_000 },
  { zoom: 6, population: 100_000 },
  { zoom: 7, population: 40_000 },
  { zoom: 8, population: 65_000 },
] as const
/** Pixels kept free of smaller towns around a name. */
const ROOM = [96, 48] as const

/** Returns the larger towns, each with the lowest zoom at which no larger town is too close. */
export function thinnedTowns(towns: readonly Town[]): NamedPlace[] {
  const weight = ({ population, isCapital }: Town) => population * (isCapital ? 2 : 1)
  const left = new Set([...towns].sort((one, other) => weight(other) - weight(one)))
  const named: { town: Town; zoom: number }[] = []
  for (const { zoom, population } of leastPopulation) {
    const grid = new Map<string, Position[]>()
    for (const { town } of named) put(grid, pixels(town, zoom))
    for (const town of left) {
      if (weight(town) < population) break
      const place = pixels(town, zoom)
      if (isTaken(grid, place)) continue
      put(grid, place)
      left.delete(town)
      named.push({ town, zoom })
    }
  }
  return named.map(({ town: { name, latitude, longitude }, zoom }) => [
    name,
    rounded(latitude),
    rounded(longitude),
    zoom,
  ])
}

/** Finds a point far from the edges of a polygon, and its distance from them in degrees of latitude. */
export function innermostPoint(polygon: readonly (readonly Position[])[]): { point: Position; distance: number } {
  const outline = polygon[0] ?? []
  const longitudes = outline.map(([longitude = 0]) => longitude)
  const latitudes = outline.map(([, latitude = 0]) => latitude)
  let area = { west: Math.min(...longitudes), south: Math.min(...latitudes), width: 0, height: 0 }
  area.width = Math.max(...longitudes) - area.west
  area.height = Math.max(...latitudes) - area.south
  let best = { point: outline[0] ?? [0, 0], distance: Number.NEGATIVE_INFINITY }
  // Searches a grid over the whole polygon, then finer grids around the best point.
  for (let round = 0; round < 4; round += 1) {
    for (let step = 0; step < 400; step += 1) {
      const point = [
        area.west + (area.width * ((step % 20) + 0.5)) / 20,
        area.south + (area.height * (Math.floor(step / 20) + 0.5)) / 20,
      ]
      const distance = distanceWithin(polygon, point)
      if (distance > best.distance) best = { point, distance }
    }
    const [longitude = 0, latitude = 0] = best.point
    area = {
      west: longitude - area.width / 10,
      south: latitude - area.height / 10,
      width: area.width / 5,
      height: area.height / 5,
    }
  }
  return best
}

/** Returns the distance to the nearest edge in degrees of latitude; negative outside the polygon. */
function distanceWithin(polygon: readonly (readonly Position[])[], [x = 0, y = 0]: Position): number {
  const narrowing = Math.cos((y * Math.PI) / 180)
  let isInside = false
  let least = Number.POSITIVE_INFINITY
  for (const ring of polygon) {
    for (const [index, [toX = 0, toY = 0]] of ring.entries()) {
      const [fromX = toX, fromY = toY] = ring.at(index - 1) ?? []
      if (toY > y !== fromY > y && x < ((fromX - toX) * (y - toY)) / (fromY - toY) + toX) isInside = !isInside
      const [ax, ay] = [(fromX - x) * narrowing, fromY - y]
      const [bx, by] = [(toX - fromX) * narrowing, toY - fromY]
      const length = bx * bx + by * by
      const share = length === 0 ? 0 : Math.max(0, Math.min(1, -(ax * bx + ay * by) / length))
      least = Math.min(least, Math.hypot(ax + bx * share, ay + by * share))
    }
  }
  return isInside ? least : -least
}

/** Rounds to about a kilometre, which is seven pixels at the highest zoom of the drawn map. */
export const rounded = (degrees: number): number => Math.round(degrees * 100) / 100

function pixels({ longitude, latitude }: Town, zoom: number): Position {
  return projected([longitude, latitude]).map((units) => (units / WORLD_UNITS) * 256 * 2 ** zoom)
}

function cell([x = 0, y = 0]: Position): [number, number] {
  return [Math.floor(x / ROOM[0]), Math.floor(y / ROOM[1])]
}

function put(grid: Map<string, Position[]>, place: Position): void {
  const key = String(cell(place))
  grid.set(key, [...(grid.get(key) ?? []), place])
}

function isTaken(grid: Map<string, Position[]>, place: Position): boolean {
  const [column, row] = cell(place)
  const [x = 0, y = 0] = place
  return [-1, 0, 1].some((right) =>
    [-1, 0, 1].some((down) =>
      grid
        .get(`${column + right},${row + down}`)
        ?.some(([otherX = 0, otherY = 0]) => Math.abs(otherX - x) < ROOM[0] && Math.abs(otherY - y) < ROOM[1]),
    ),
  )
}
