import { Button, Popover } from '@mantine/core'
import { IconChevronDown, IconFilter } from '@tabler/icons-react'
import styles from './filter-dropdown.module.css'
import { type Choice, MultiSelectList } from './multi-select-list.tsx'

export interface FilterCategory<K extends string> {
  key: K
  label: string
  options: readonly Choice[]
}

export type ChosenValues<K extends string> = Partial<Record<K, string[]>>

/** A button with the number of chosen values, and below it one list per category. */
export function FilterDropdown<K extends string>(props: {
  categories: readonly FilterCategory<K>[]
  chosen: ChosenValues<K>
  onChange: (chosen: ChosenValues<K>) => void
}) {
  const { categories, chosen, onChange } = props
  const count = categories.reduce((sum, { key }) => sum + (chosen[key]?.length ?? 0), 0)

  function handleChoice(key: K, values: string[]) {
    const next = { ...chosen }
    if (values.length > 0) next[key] = values
    else delete next[key]
    onChange(next)
  }

  return (
    <Popover position="bottom-start" trapFocus returnFocus withinPortal width={280}>
      <Popover.Target>
        <Button
          variant="default"
          leftSection={<IconFilter size={15} stroke={1.7} aria-hidden="true" />}
          rightSection={
            count > 0 ? (
              <span className={styles.count}>{count}</span>
            ) : (
              <IconChevronDown size={14} stroke={1.8} aria-hidden="true" />
            )
          }
          aria-label={count > 0 ? `Filter ${count} chosen` : 'Filter'}
        >
          Filter
        </Button>
      </Popover.Target>
      <Popover.Dropdown aria-label="Filter">
        <div className={styles.categories}>
          {categories.map(({ key, label, options }) => (
            <div key={key}>
              <p className={styles.label}>{label}</p>
              <MultiSelectList
                label={label}
                options={options}
                chosen={chosen[key] ?? []}
                onChange={(values) => handleChoice(key, values)}
              />
            </div>
          ))}
        </div>
      </Popover.Dropdown>
    </Popover>
  )
}
