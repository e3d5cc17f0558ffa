import { useState } from 'react'
import { folded } from '../../lib/folded.ts'
import scroll from '../list/scroll-edges.module.css'
import styles from './multi-select-list.module.css'

export interface Choice {
  value: string
  label: string
  /** Explains why the option is listed although it is not offered any more. */
  note?: string
}

/** Longer lists get a search box: document 1 section 5. */
const SEARCH_ABOVE = 5

/** More boxes would slow the panel down; the search finds the others. */
const MOST_SHOWN = 200

/** A list of checkboxes with a search. Values chosen when the list opens come first and stay there. */
export function MultiSelectList(props: {
  label: string
  options: readonly Choice[]
  chosen: readonly string[]
  onChange: (chosen: string[]) => void
}) {
  const { label, options, chosen, onChange } = props
  const [search, setSearch] = useState('')
  const [first] = useState(() => new Set(chosen))
  const sought = folded(search.trim())
  const found = sought === '' ? options : options.filter((option) => folded(option.label).includes(sought))
  const sorted = [...found.filter(({ value }) => first.has(value)), ...found.filter(({ value }) => !first.has(value))]
  const shown = sorted.slice(0, MOST_SHOWN)

  function handleTick(value: string, isTicked: boolean) {
    onChange(isTicked ? [...chosen, value] : chosen.filter((other) => other !== value))
  }

  return (
    <div>
      {options.length > SEARCH_ABOVE && (
        <input
          className={styles.search}
          type="search"
          placeholder="Search"
          aria-label={`Search ${label}`}
          value={search}
          onChange={({ currentTarget }) => setSearch(currentTarget.value)}
        />
      )}
      <div className={`${scroll.edges} ${styles.list}`} role="group" aria-label={label}>
        {shown.map((option) => (
          <label key={option.value} className={styles.choice}>
            <input
              type="checkbox"
              checked={chosen.includes(option.value)}
              onChange={({ currentTarget }) => handleTick(option.value, currentTarget.checked)}
            />
            <span>
              <bdi>{option.label}</bdi>
              {option.note !== undefined && <span className={styles.note}> {option.note}</span>}
            </span>
          </label>
        ))}
        {options.length === 0 && <p className={styles.note}>No values yet.</p>}
        {options.length > 0 && shown.length === 0 && <p className={styles.note}>Nothing matches “{search.trim()}”.</p>}
        {sorted.length > shown.length && (
          <p className={styles.note}>
            {(sorted.length - shown.length).toLocaleString('en')} more: search to find them.
          </p>
        )}
      </div>
    </div>
  )
}
