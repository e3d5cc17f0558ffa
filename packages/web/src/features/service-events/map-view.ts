/** Which part of the world the map shows, as it stands in the address: `map=59.33,18.07,4`. Document 1 section 9. */
export interface MapView {
  /** Degrees north, of the centre. */
  latitude: number
  /** Degrees east, of the centre. */
  longitude: number
  zoom: number
}

/** What can be shown: document 1 section 9. */
export const mapLimits = { minZoom: 3, maxZoom: 15, south: -60, north: 90, west: -180, east: 180 }

/** The Stockholm area. */
export const usualMapView: MapView = { latitude: 59.33, longitude: 18.07, zoom: 4 }

/** Null for the usual view, and for what is none. Numbers beyond the limits are moved to them. */
export function readMapView(text: string): MapView | null {
  if (!/^-?\d{1,3}(\.\d{1,6})?,-?\d{1,3}(\.\d{1,6})?,\d{1,2}$/.test(text)) return null
  const [latitude = 0, longitude = 0, zoom = 0] = text.split(',').map(Number)
  const view = {
    latitude: within(latitude, mapLimits.south, mapLimits.north),
    longitude: within(longitude, mapLimits.west, mapLimits.east),
    zoom: within(zoom, mapLimits.minZoom, mapLimits.maxZoom),
  }
  return writeMapView(view) === writeMapView(usualMapView) ? null : view
}

/** As many decimals as are seen at that zoom, so that the same place has the same address. */
export function writeMapView({ latitude, longitude, zoom }: MapView): string {
  const decimals = zoom < 8 ? 2 : zoom < 12 ? 3 : 4
  return [Number(latitude.toFixed(decimals)), Number(longitude.toFixed(decimals)), zoom].join(',')
}

function within(value: number, least: number, most: number): number {
  return Math.min(Math.max(value, least), most)
}
