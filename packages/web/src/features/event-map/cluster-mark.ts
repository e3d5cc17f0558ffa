import L from 'leaflet'
import { severityShapes } from '../service-events/severity-shape.tsx'
import styles from './cluster-mark.module.css'
import { countWords, type EventCluster, markSize, shortCount, worstSeverity } from './locations.ts'

/** Pixels that a finger or a pointer can hit, whatever the size of the mark. */
const TARGET = 34

/**
 * A mark in colour and shape of the worst severity there, larger with more events, their number beside it. Drawn as text,
 * because marks are no React elements.
 */
export function clusterMark(cluster: EventCluster): L.Marker {
  const { latitude, longitude, counts, positions } = cluster
  const severity = worstSeverity(counts)
  const size = markSize(counts.total)
  const number = counts.total > 1 ? `<b>${shortCount(counts.total)}</b>` : ''
  const icon = L.divIcon({
    className: styles.mark as string,
    iconSize: [TARGET, TARGET],
    html: `<svg viewBox="-1 -1 12 12" width="${size}" height="${size}" data-severity="${severity}" aria-hidden="true"><path d="${severityShapes[severity]}"/></svg>${number}`,
  })
  const title = countWords(counts, positions)
  return L.marker([latitude, longitude], { icon, title, alt: title, riseOnHover: true, zIndexOffset: counts.total })
}

/** The same for marks that look the same at the same place. */
export function markKey({ latitude, longitude, positions, counts: { high, medium, low } }: EventCluster): string {
  return [latitude, longitude, positions, high, medium, low].join(' ')
}
