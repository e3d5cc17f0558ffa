import { useState } from 'react'
import type { EventSearch } from './service-events.search.ts'
import styles from './view-toggle.module.css'

type View = EventSearch['view']

const views: readonly { view: View; label: string }[] = [
  { view: 'list', label: 'List' },
  { view: 'map', label: 'Map' },
]

/** The same events as rows or on the map. */
export function ViewToggle({ view, onChange }: { view: View; onChange: (view: View) => void }) {
  // Answers the press at once; what was pressed may have to be loaded first, and comes with a toggle of its own.
  const [pressed, setPressed] = useState(view)
  return (
    <fieldset className={styles.toggle}>
      <legend className={styles.legend}>Show events as</legend>
      {views.map((option) => (
        <label key={option.view} className={styles.option}>
          <input
            type="radio"
            name="events-view"
            checked={option.view === pressed}
            onChange={() => {
              setPressed(option.view)
              onChange(option.view)
            }}
          />
          {option.label}
        </label>
      ))}
    </fieldset>
  )
}
