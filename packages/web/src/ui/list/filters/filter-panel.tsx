import { excluding } from '@benchwatch/contract/vocabulary'
import { Box, Button, Group, Stack, Tabs, Text, TextInput } from '@mantine/core'
import '@mantine/core/styles/Tabs.layer.css'
import { useMediaQuery } from '@mantine/hooks'
import { useState } from 'react'
import { folded } from '../../../lib/folded.ts'
import { type FilterChoice, replaceValues } from '../../../lib/list/filter-choice.ts'
import { type Choice, ChoiceRow, type Chosen, MultiSelectList } from '../../form/multi-select-list.tsx'
import { FilterDataNotice } from '../../text/notice.tsx'
import styles from '../list.module.css'
import scroll from '../scroll-edges.module.css'
import { ChosenCount, type FilterPanelProps } from './chosen-count.tsx'

export interface FilterCategory<K extends string> {
  key: K
  label: string
  options: readonly Choice[]
  /** Describes what a choice in this category excludes. */
  hint?: string
}

/** More boxes would slow the panel down. */
const MOST_FOUND = 100

/**
 * Categories at the left, the values of one at the right, and a search over the values of all. The first category with
 * a choice is open. Values are wanted by their checkbox, or excluded.
 */
export function FilterPanel<K extends string>(
  props: FilterPanelProps<K> & {
    /** Returns the categories. Values of the choice at the start stay in the list, so that a slip can be undone. */
    offer: (chosenBefore: FilterChoice<K>) => readonly FilterCategory<K>[]
    /** The query of the offered values. */
    values: { data: unknown; isFetching: boolean; refetch: () => unknown }
  },
) {
  const { chosen, values } = props
  const [chosenBefore] = useState(chosen)
  const categories = props.offer(chosenBefore)
  const [open, setOpen] = useState(
    () => (categories.find(({ key }) => chosen[key] ?? chosen[excluding(key)]) ?? categories[0])?.key,
  )
  const [search, setSearch] = useState('')
  const sought = folded(search.trim())
  /** A field with the focus would open the keyboard of a phone. */
  const isSheet = useMediaQuery('(width < 560px)', false, { getInitialValueInEffect: false })

  const list = ({ key }: FilterCategory<K>): Chosen => ({
    chosen: chosen[key] ?? [],
    onChange: (next) => props.onChange(replaceValues(chosen, key, next)),
    excluded: chosen[excluding(key)] ?? [],
    onExclude: (next) => props.onChange(replaceValues(chosen, excluding(key), next)),
  })

  return (
    <Stack gap={10} className={styles.filters}>
      {values.data === undefined && (
        <FilterDataNotice isLoading={values.isFetching} onRetry={() => void values.refetch()} />
      )}
      <TextInput
        type="search"
        placeholder="Search all values"
        aria-label="Search all values"
        data-autofocus={!isSheet || undefined}
        value={search}
        onChange={({ currentTarget }) => setSearch(currentTarget.value)}
      />
      <Tabs
        orientation="vertical"
        variant="pills"
        value={sought === '' ? (open ?? null) : null}
        onChange={(key) => {
          setSearch('')
          setOpen(categories.find((category) => category.key === key)?.key)
        }}
        keepMounted={false}
        classNames={{ root: styles.filterColumns, list: styles.categories, tab: styles.category }}
      >
        <Tabs.List aria-label="Filter categories" className={scroll.edges}>
          {categories.map(({ key, label }) => {
            const count = (chosen[key]?.length ?? 0) + (chosen[excluding(key)]?.length ?? 0)
            return (
              <Tabs.Tab
                key={key}
                value={key}
                data-autofocus={(isSheet && key === open) || undefined}
                rightSection={count > 0 && <ChosenCount count={count} />}
              >
                {label}
              </Tabs.Tab>
            )
          })}
        </Tabs.List>
        {categories.map((category) => (
          <Tabs.Panel key={category.key} value={category.key} pl={14} miw={0}>
            {/* Keyed: the search in a list of values belongs to its category. */}
            {category.key === open && (
              <>
                {category.hint !== undefined && (
                  <Text size="xs" c="dimmed" mb={6}>
                    {category.hint}
                  </Text>
                )}
                <MultiSelectList label={category.label} options={category.options} {...list(category)} />
              </>
            )}
          </Tabs.Panel>
        ))}
        {sought !== '' && <FoundValues sought={sought} search={search.trim()} categories={categories} listOf={list} />}
      </Tabs>
      <Group justify="space-between" className={styles.filterFoot}>
        <Button variant="default" disabled={Object.keys(chosen).length === 0} onClick={() => props.onChange({})}>
          Clear all
        </Button>
        <Button onClick={props.onClose}>Done</Button>
      </Group>
    </Stack>
  )
}

/** The values of all categories that match the search. */
function FoundValues<K extends string>(props: {
  sought: string
  search: string
  categories: readonly FilterCategory<K>[]
  listOf: (category: FilterCategory<K>) => Chosen
}) {
  const values = props.categories.flatMap((category) =>
    category.options
      .filter(({ label }) => folded(label).includes(props.sought))
      .map((option) => ({ category, option })),
  )
  const found = [...Map.groupBy(values.slice(0, MOST_FOUND), ({ category }) => category)]
  return (
    <Box className={`${scroll.edges} ${styles.found}`} role="group" aria-label="Values found">
      {found.map(([category, options]) => {
        return (
          <Box key={category.key} role="group" aria-label={category.label} mb={8}>
            <Text size="xs" c="dimmed">
              {category.label}
            </Text>
            {options.map(({ option }) => (
              <ChoiceRow key={option.value} option={option} {...props.listOf(category)} />
            ))}
          </Box>
        )
      })}
      {found.length === 0 && (
        <Text size="xs" c="dimmed" role="status">
          Nothing matches “{props.search}”.
        </Text>
      )}
    </Box>
  )
}
