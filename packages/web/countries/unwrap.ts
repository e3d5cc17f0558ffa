import type { Position } from 'geojson'

/** Rings of the world on a flat map. Positions are in degrees, longitude first. */
type Ring = Position[]

/**
 * Unwraps a ring that crosses the date line. Such a ring jumps from 180 to -180 and would be drawn as a band across
 * the whole map, so each step takes the short way round and the ring may continue beyond ±180.
 */
export function unwrapRing(ring: Ring): Ring {
  let turn = 0
  return ring.map(([longitude = 0, latitude = 0], index) => {
    const before = ring[index - 1]?.[0] ?? longitude
    if (longitude - before > 180) turn -= 360
    if (longitude - before < -180) turn += 360
    return [longitude + turn, latitude]
  })
}

/**
 * Returns the polygon as drawn on a map from -180 to 180: unwrapped, and repeated at the other edge if it extends
 * beyond one. The map clips the rest.
 */
export function polygonsOnMap(polygon: readonly Ring[]): Ring[][] {
  const rings = polygon.map(unwrapRing)
  const longitudes = rings.flat().map(([longitude = 0]) => longitude)
  const shifts = [0]
  if (longitudes.some((longitude) => longitude > 180)) shifts.push(-360)
  if (longitudes.some((longitude) => longitude < -180)) shifts.push(360)
  return shifts.map((shift) =>
    rings.map((ring) => ring.map(([longitude = 0, latitude = 0]) => [longitude + shift, latitude])),
  )
}
