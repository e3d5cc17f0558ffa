import type { Position } from 'geojson'

/** Cuts the drawn world into the squares of one zoom, so that a map tile only draws what is near it. */

/** A square is one tile of this zoom. Each side has this many units, as `leaflet-map.ts` expects. */
const SQUARE_ZOOM = 6
const SQUARE_UNITS = 4096
/** Squares overlap by this many units, so that cut edges stay out of sight. */
const MARGIN = 24
const SQUARES = 2 ** SQUARE_ZOOM
export const WORLD_UNITS = SQUARES * SQUARE_UNITS
const MERCATOR_END = 85.051

interface Piece {
  /** `column,row` of the square, counted from the north-west. */
  square: string
  /** An SVG path in units of the square. */
  path: string
}

/** Converts longitude and latitude to units from the north-west, in the projection of street maps. */
export function projected([longitude = 0, latitude = 0]: Position): Position {
  const sine = Math.sin((Math.max(-MERCATOR_END, Math.min(MERCATOR_END, latitude)) * Math.PI) / 180)
  const south = 0.5 - Math.log((1 + sine) / (1 - sine)) / (4 * Math.PI)
  return [(longitude / 360 + 0.5) * WORLD_UNITS, south * WORLD_UNITS]
}

export function cutRing(ring: readonly Position[]): Piece[] {
  return squaresOf(ring, 0).flatMap((column) => {
    const strip = clipped(ring, 0, column)
    return squaresOf(strip, 1).flatMap((row) => {
      const path = pathOf(clipped(strip, 1, row), [column, row])
      return path === '' ? [] : { square: `${column},${row}`, path: `${path}z` }
    })
  })
}

export function cutLine(line: readonly Position[]): Piece[] {
  const runs = new Map<string, Position[][]>()
  for (const [index, to] of line.entries()) {
    const from = line[index - 1]
    if (from === undefined) continue
    const rows = squaresOf([from, to], 1)
    for (const square of squaresOf([from, to], 0).flatMap((column) => rows.map((row) => `${column},${row}`))) {
      const all = runs.get(square) ?? []
      const last = all.at(-1)
      if (last?.at(-1) === from) last.push(to)
      else runs.set(square, [...all, [from, to]])
    }
  }
  return [...runs].flatMap(([square, all]) =>
    all.map((run) => ({ square, path: pathOf(run, square.split(',').map(Number)) })),
  )
}

/** Returns the columns (axis 0) or rows (axis 1) of squares that the points reach, including the margin. */
function squaresOf(points: readonly Position[], axis: 0 | 1): number[] {
  let least = Number.POSITIVE_INFINITY
  let most = Number.NEGATIVE_INFINITY
  for (const point of points) {
    least = Math.min(least, point[axis] ?? 0)
    most = Math.max(most, point[axis] ?? 0)
  }
  const first = Math.max(0, Math.floor((least - MARGIN) / SQUARE_UNITS))
  const last = Math.min(SQUARES - 1, Math.floor((most + MARGIN) / SQUARE_UNITS))
  return Array.from({ length: Math.max(0, last - first + 1) }, (_, index) => first + index)
}

/** Clips a ring to a column or row of squares and its margin. */
function clipped(ring: readonly Position[], axis: 0 | 1, square: number): Position[] {
  const from = square * SQUARE_UNITS - MARGIN
  const to = (square + 1) * SQUARE_UNITS + MARGIN
  return halved(halved(ring, { axis, limit: from, side: 1 }), { axis, limit: to, side: -1 })
}

/** Clips a ring to one side of a line: above `limit` if `side` is 1, below it if -1. */
function halved(ring: readonly Position[], { axis, limit, side }: { axis: 0 | 1; limit: number; side: 1 | -1 }) {
  return ring.flatMap((point, index): Position[] => {
    const before = ring.at(index - 1) ?? point
    const over = ((point[axis] ?? 0) - limit) * side
    const overBefore = ((before[axis] ?? 0) - limit) * side
    const kept = over >= 0 ? [point] : []
    if (over >= 0 === overBefore >= 0) return kept
    const share = overBefore / (overBefore - over)
    const crossing = before.map((value, at) => value + ((point[at] ?? 0) - value) * share)
    return [crossing, ...kept]
  })
}

/** Writes a path of whole-unit steps, relative to the square. Empty if less than a line remains. */
function pathOf(points: readonly Position[], [column = 0, row = 0]: readonly number[]): string {
  let [x, y] = [0, 0]
  const steps: string[] = []
  for (const [pointX = 0, pointY = 0] of points) {
    const toX = Math.round(pointX) - column * SQUARE_UNITS
    const toY = Math.round(pointY) - row * SQUARE_UNITS
    if (steps.length > 0 && toX === x && toY === y) continue
    steps.push(`${toX - x},${toY - y}`)
    x = toX
    y = toY
  }
  const [start, ...further] = steps
  return further.length === 0 ? '' : `M${start}l${further.join(' ')}`
}
