import { type KeyboardEvent, useState } from 'react'
import { countWords, type EventCluster, type PlaceSelection } from './locations.ts'
import { PlaceBrowser, type PlaceQuestions, selectionTitle } from './place-browser.tsx'
import styles from './place-popup.module.css'
import { PlaceTrail } from './place-trail.tsx'

/** What happened at a mark, over the map. */
export function PlacePopup(props: { of: PlaceQuestions; cluster: EventCluster; onClose: () => void }) {
  const { of, cluster, onClose } = props
  const [trail, setTrail] = useState<PlaceSelection[]>([cluster.selection])
  const selection = trail.at(-1) ?? cluster.selection
  const isFirst = trail.length === 1
  const counts = isFirst ? cluster.counts : selection.place?.counts
  const before = trail.at(-2)

  function leave(event: KeyboardEvent) {
    if (event.key !== 'Escape') return
    event.stopPropagation()
    onClose()
  }

  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- the key closes the dialog, wherever in it one is
    <div className={styles.popup} role="dialog" aria-label="Events at this place" onKeyDown={leave}>
      <PlaceTrail
        title={selectionTitle(selection)}
        note={counts && countWords(counts, isFirst ? cluster.positions : 1)}
        back={before && { to: selectionTitle(before), onClick: () => setTrail(trail.slice(0, -1)) }}
        onClose={onClose}
      />
      <div className={styles.scroll}>
        <PlaceBrowser
          key={JSON.stringify(selection)}
          of={of}
          selection={selection}
          onSelect={(next) => setTrail([...trail, next])}
        />
      </div>
    </div>
  )
}
