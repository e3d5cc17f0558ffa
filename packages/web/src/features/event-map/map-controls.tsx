import { IconArrowsMaximize, IconMinus, IconPlus } from '@tabler/icons-react'
import { mapLimits } from '../service-events/map-view.ts'
import styles from './map-controls.module.css'

export function MapControls(props: {
  zoom: number
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
        disabled={props.zoom >= mapLimits.maxZoom}
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
