import { useId, useState } from 'react'
import { folded } from '../../lib/folded.ts'
import scroll from '../list/scroll-edges.module.css'
import styles from './multi-select-list.module.css'

export interface Choice {
  value: string
  label: string
  /** Explains why the option is listed although it is not offered any more. */
  note?: string
  /** Number of rows that have the value; undefined until they are counted. */
  count?: number
}

/** Longer lists get a search box: document 1 section 5. */
const SEARCH_ABOVE = 5

/** More boxes would slow the panel down; the search finds the others. */
const MOST_SHOWN = 200

/** The wanted values of a list of choices and, where values can be excluded, the excluded ones. */
export interface Chosen {
  chosen: readonly string[]
  onChange: (chosen: string[]) => void
  excluded?: readonly string[]
  onExclude?: (excluded: string[]) => void
}

/** A list of checkboxes with a search. Values named when the list opens come first and stay there. */
export function MultiSelectList(props: Chosen & { label: string; options: readonly Choice[] }) {
  const { label, options, ...chosen } = props
  const [search, setSearch] = useState('')
  const [first] = useState(() => new Set([...props.chosen, ...(props.excluded ?? [])]))
  const sought = folded(search.trim())
  const found = sought === '' ? options : options.filter((option) => folded(option.label).includes(sought))
  const sorted = [...found.filter(({ value }) => first.has(value)), ...found.filter(({ value }) => !first.has(value))]
  const shown = sorted.slice(0, MOST_SHOWN)

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
          <ChoiceRow key={option.value} option={option} {...chosen} />
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

/** One checkbox. Where values can be excluded, a button beside it does so, and Alt and a click as well. */
export function ChoiceRow(props: Chosen & { option: Choice }) {
  const { chosen, excluded = [], onExclude } = props
  const { value, label, note, count } = props.option
  const countId = useId()
  const isExcluded = excluded.includes(value)

  return (
    <div className={styles.row} data-empty={count === 0 || undefined}>
      <label className={styles.choice} data-excluded={isExcluded || undefined}>
        <input
          type="checkbox"
          checked={chosen.includes(value)}
          aria-describedby={count === undefined ? undefined : countId}
          // The click, also one on the text, which the browser repeats on the box. Preventing it would undo what React draws.
          onChange={({ nativeEvent: click }) => {
            if (onExclude !== undefined && click instanceof MouseEvent && click.altKey)
              onExclude(toggled(excluded, value))
            else props.onChange(toggled(chosen, value))
          }}
        />
        <span>
          <bdi>{label}</bdi>
          {note !== undefined && <span className={styles.note}> {note}</span>}
        </span>
      </label>
      {count !== undefined && (
        <span id={countId} className={styles.count}>
          {count.toLocaleString('en')}
        </span>
      )}
      {onExclude !== undefined && (
        <button
          type="button"
          className={styles.exclude}
          aria-pressed={isExcluded}
          aria-label={`Exclude ${label}`}
          onClick={() => onExclude(toggled(excluded, value))}
        >
          {isExcluded ? 'excluded' : 'exclude'}
        </button>
      )}
    </div>
  )
}

function toggled(values: readonly string[], value: string): string[] {
  return values.includes(value) ? values.filter((other) => other !== value) : [...values, value]
}
