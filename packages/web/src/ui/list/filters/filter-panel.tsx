import { excluding } from '@benchwatch/contract/vocabulary'
import { Box, Button, Group, Stack, Tabs, Text, TextInput } from '@mantine/core'
import '@mantine/core/styles/Tabs.layer.css'
import { useMediaQuery } from '@mantine/hooks'
import { useState } from 'react'
import { folded } from '../../../lib/folded.ts'
import { type FilterChoice, replaceValues, withPressed } from '../../../lib/list/filter-choice.ts'
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
 * a choice is open at first. A value can be chosen or excluded.
 */
export function FilterPanel<K extends string>(
  props: FilterPanelProps<K> & {
    /** Returns the categories. Values of the choice at the start stay in the list, so that a slip can be undone. */
    offer: (chosenBefore: FilterChoice<K>) => readonly FilterCategory<K>[]
    /** The query of the offered values. */
    values: { data: unknown; isFetching: boolean; refetch: () => unknown }
    /** The query of the numbers beside the values, where they are counted. */
    counts?: { isPlaceholderData: boolean; isPending: boolean; isError: boolean; refetch: () => unknown }
  },
) {
  const { chosen, values, counts } = props
  const [chosenBefore] = useState(chosen)
  const categories = props.offer(chosenBefore)
  const [open, setOpen] = useState(
    () => (categories.find(({ key }) => chosen[key] ?? chosen[excluding(key)]) ?? categories[0])?.key,
  )
  const [search, setSearch] = useState('')
  const sought = folded(search.trim())
  const found = sought === '' ? [] : foundValues(categories, sought)
  /** A field with the focus would open the keyboard of a phone. */
  const isSheet = useMediaQuery('(width < 560px)', false, { getInitialValueInEffect: false })

  const list = ({ key }: FilterCategory<K>): Chosen => ({
    chosen: chosen[key] ?? [],
    onChange: (next) => props.onChange(replaceValues(chosen, key, next)),
    excluded: chosen[excluding(key)] ?? [],
    onExclude: (next) => props.onChange(replaceValues(chosen, excluding(key), next)),
  })

  function pressFirst(isExcluded: boolean): boolean {
    const [first] = found
    if (!first) return false
    const press = { category: first.category.key, value: first.option.value, isExcluded }
    const next = withPressed({ categories, closed: {} }, chosen, press)
    if (next) props.onChange(next)
    return true
  }

  return (
    <Stack gap={10} className={styles.filters} aria-busy={counts?.isPending || counts?.isPlaceholderData}>
      {values.data === undefined && (
        <FilterDataNotice isLoading={values.isFetching} onRetry={() => void values.refetch()} />
      )}
      {counts?.isError && (
        <Text size="xs" c="dimmed" role="status">
          Could not count the events.{' '}
          <Button variant="subtle" size="compact-xs" onClick={() => void counts.refetch()}>
            Try again
          </Button>
        </Text>
      )}
      <TextInput
        type="search"
        placeholder="Search all values"
        aria-label="Search all values"
        data-autofocus={!isSheet || undefined}
        value={search}
        onChange={({ currentTarget }) => setSearch(currentTarget.value)}
        onKeyDown={(key) => {
          if (key.key !== 'Enter' || key.nativeEvent.isComposing || !pressFirst(key.altKey)) return
          key.preventDefault()
          // The next word replaces this one.
          key.currentTarget.select()
        }}
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
        {sought !== '' && <FoundValues values={found} search={search.trim()} listOf={list} />}
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

interface FoundValue<K extends string> {
  category: FilterCategory<K>
  option: Choice
}

/** Returns the values of all categories that match the search. */
function foundValues<K extends string>(categories: readonly FilterCategory<K>[], sought: string): FoundValue<K>[] {
  return categories
    .flatMap((category) => category.options.map((option) => ({ category, option })))
    .filter(({ option }) => folded(option.label).includes(sought))
    .slice(0, MOST_FOUND)
}

function FoundValues<K extends string>(props: {
  values: readonly FoundValue<K>[]
  search: string
  listOf: (category: FilterCategory<K>) => Chosen
}) {
  const found = [...Map.groupBy(props.values, ({ category }) => category)]
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
      {found.length > 0 && (
        <Text size="xs" c="dimmed" visibleFrom="sm">
          Enter adds the first value, Alt+Enter excludes it.
        </Text>
      )}
      {found.length === 0 && (
        <Text size="xs" c="dimmed" role="status">
          Nothing matches “{props.search}”.
        </Text>
      )}
    </Box>
  )
}
