import { Button } from '@mantine/core'
import { IconFilter } from '@tabler/icons-react'
import { type ReactNode, useId, useState } from 'react'
import { type FilterChoice, replaceValues } from '../../../lib/list/filter-choice.ts'
import { type Choice, MultiSelectList } from '../../form/multi-select-list.tsx'
import { Dropdown } from '../../overlay/dropdown.tsx'
import { Chevron } from '../../text/chevron.tsx'
import styles from './filter-panel.module.css'

export interface FilterCategory<K extends string> {
  key: K
  label: string
  options: readonly Choice[]
  /** Describes what a choice in this category excludes. */
  hint?: string
}

/** Lists the filter categories; each expands to its values and shows how many are chosen. */
export function FilterPanel<K extends string>(props: {
  categories: readonly FilterCategory<K>[]
  chosen: FilterChoice<K>
  onChange: (chosen: FilterChoice<K>) => void
  onClose: () => void
  /** Shown above the categories if values are missing. */
  notice?: ReactNode
}) {
  const { categories, chosen, onChange } = props
  const half = Math.ceil(categories.length / 2)

  function handleChoice(key: K, values: string[]) {
    onChange(replaceValues(chosen, key, values))
  }

  return (
    <div className={styles.panel}>
      {props.notice}
      <div className={styles.columns}>
        {[categories.slice(0, half), categories.slice(half)].map((column) => (
          <div key={column[0]?.key} className={styles.column}>
            {column.map((category) => (
              <Category
                key={category.key}
                category={category}
                chosen={chosen[category.key] ?? []}
                onChange={(values) => handleChoice(category.key, values)}
              />
            ))}
          </div>
        ))}
      </div>
      <div className={styles.footer}>
        <Button variant="default" disabled={Object.keys(chosen).length === 0} onClick={() => onChange({})}>
          Clear all
        </Button>
        <Button onClick={props.onClose}>Done</Button>
      </div>
    </div>
  )
}

function Category<K extends string>(props: {
  category: FilterCategory<K>
  chosen: readonly string[]
  onChange: (values: string[]) => void
}) {
  const { category, chosen } = props
  // Categories with chosen values start expanded.
  const [isOpen, setOpen] = useState(chosen.length > 0)
  const id = useId()
  return (
    <section className={styles.category}>
      <button type="button" aria-expanded={isOpen} aria-controls={id} onClick={() => setOpen(!isOpen)}>
        <Chevron to="right" className={styles.arrow} />
        <span className={styles.label}>{category.label}</span>
        {chosen.length > 0 && (
          <span className={styles.count}>
            {chosen.length}
            <span className={styles.hidden}> chosen</span>
          </span>
        )}
      </button>
      <div id={id} className={styles.values} hidden={!isOpen}>
        {isOpen && (
          <>
            {category.hint !== undefined && <p className={styles.hint}>{category.hint}</p>}
            <MultiSelectList
              label={category.label}
              options={category.options}
              chosen={chosen}
              onChange={props.onChange}
            />
          </>
        )}
      </div>
    </section>
  )
}

/** A button with the number of active categories that opens their panel: a `FilterPanel`, loaded lazily. */
export function FilterDropdown(props: {
  count: number
  preload: () => unknown
  panel: (close: () => void) => ReactNode
}) {
  const { count } = props
  return (
    <Dropdown
      title="Filter"
      icon={<IconFilter size={15} stroke={1.7} aria-hidden="true" />}
      mark={
        count > 0 ? (
          <span className={styles.dropdownCount}>
            {count}
            <span className={styles.dropdownHidden}> chosen</span>
          </span>
        ) : (
          <Chevron to="down" />
        )
      }
      preload={props.preload}
      panel={props.panel}
    >
      Filter
    </Dropdown>
  )
}
