import { Checkbox, TextInput } from '@mantine/core'
import { useState } from 'react'
import styles from './multi-select-list.module.css'

export interface Choice {
  value: string
  label: string
}

/** Longer lists get a search box: specification, section 5. */
const SEARCH_ABOVE = 5

/** Boxes to tick, any number of them. */
export function MultiSelectList(props: {
  label: string
  options: readonly Choice[]
  chosen: readonly string[]
  onChange: (chosen: string[]) => void
}) {
  const { label, options, chosen, onChange } = props
  const [search, setSearch] = useState('')
  const sought = search.trim().toLowerCase()
  const shown = sought === '' ? options : options.filter((option) => option.label.toLowerCase().includes(sought))
  return (
    <div>
      {options.length > SEARCH_ABOVE && (
        <TextInput
          size="xs"
          mb={6}
          placeholder="Search"
          aria-label={`Search ${label}`}
          value={search}
          onChange={({ currentTarget }) => setSearch(currentTarget.value)}
        />
      )}
      <div className={styles.list} role="group" aria-label={label}>
        {shown.map((option) => (
          <Checkbox
            key={option.value}
            size="xs"
            label={option.label}
            checked={chosen.includes(option.value)}
            onChange={({ currentTarget }) =>
              onChange(
                currentTarget.checked ? [...chosen, option.value] : chosen.filter((value) => value !== option.value),
              )
            }
          />
        ))}
        {shown.length === 0 && <p className={styles.none}>Nothing matches “{search.trim()}”.</p>}
      </div>
    </div>
  )
}
