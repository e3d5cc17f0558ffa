import { limits } from '@benchwatch/contract/vocabulary'
import { Box, Button, Group, Pill, Stack, Text, Title } from '@mantine/core'
import '@mantine/core/styles/Pill.layer.css'
import { IconFilter } from '@tabler/icons-react'
import { lazy, type ReactNode, useRef } from 'react'
import { type FilterChoice, type FilterVocabulary, readChoice, writeChoice } from '../../lib/list/filter-choice.ts'
import { useDelayedEdit } from '../form/use-delayed-edit.ts'
import { Dropdown } from '../overlay/dropdown.tsx'
import { useShortcuts } from '../overlay/use-shortcuts.ts'
import { PrintHead } from '../print-head.tsx'
import { Chevron } from '../text/chevron.tsx'
import { ChosenCount, type FilterPanelProps } from './filters/chosen-count.tsx'
import type { FilterPanel as FilterPanelType } from './filters/filter-panel.tsx'
import { SearchBox } from './filters/search-box.tsx'
import styles from './list.module.css'

// Most visits never open it.
const loadFilterPanel = () => import('./filters/filter-panel.tsx')
/** Loaded when the pointer or the focus reaches its button. */
export const FilterPanel = lazy(() =>
  loadFilterPanel().then((file) => ({ default: file.FilterPanel as never })),
) as unknown as typeof FilterPanelType

export interface FilterChip<Key extends string> {
  key: Key
  label: string
  /** The first values and the number of others: 'Sweden, Norway +3', 'not Sweden'. */
  text: string
  /** All values. */
  full: string
}

/** More values would push the other chips away. */
const SHOWN_ON_CHIP = 2

/** Returns the chip of a category with the labels of its values; a key that ends in `!` excludes them. */
export function filterChip<Key extends string>(key: Key, label: string, values: readonly string[]): FilterChip<Key> {
  const not = key.endsWith('!') ? 'not ' : ''
  const more = values.length - SHOWN_ON_CHIP
  const text = values.slice(0, SHOWN_ON_CHIP).join(', ') + (more > 0 ? ` +${more}` : '')
  return { key, label, text: not + text, full: not + values.join(', ') }
}

/** Title, search, filters and actions of a list, above its table. */
export function ListHeader<Category extends string, ChipKey extends string>(props: {
  title: string
  /** Beside the title, and at the end of its row. */
  subtitle?: ReactNode
  aside?: ReactNode
  searchLabel: string
  keyword: string
  onKeyword: (keyword: string) => void
  filters: {
    vocabulary: FilterVocabulary<Category>
    chosen: FilterChoice<Category>
    onChange: (chosen: FilterChoice<Category>) => void
    panel: (props: FilterPanelProps<Category>) => ReactNode
  }
  chips: readonly FilterChip<ChipKey>[]
  onRemoveChip: (key: ChipKey) => void
  onClearChips: () => void
  /** Further controls, such as a date range and saved views. */
  tools: ReactNode
  /** Actions on the list at the end of the line. `exporting` hides while rows are selected, which have their own. */
  actions: ReactNode
  exporting: ReactNode
  totals?: ReactNode
  /** Describes what narrows a printed list, besides the chips. */
  narrowedBy: readonly string[]
}) {
  const { vocabulary, chosen, onChange, panel } = props.filters
  // Shows ticks at once, before the list follows.
  const edit = useDelayedEdit(writeChoice(vocabulary, chosen), (compact) => onChange(readChoice(vocabulary, compact)))
  const shown = readChoice(vocabulary, edit.text)
  const count = Object.keys(shown).length
  const searchBox = useRef<HTMLInputElement>(null)
  useShortcuts({ '/': () => searchBox.current?.focus() })

  return (
    <Stack component="header" gap={6} pos="relative">
      <PrintHead narrowedBy={props.narrowedBy} />
      <Group justify="space-between" gap="8px 16px">
        {/* Its totals take two lines rather than the row of the counters. */}
        <Box flex="1 1 20rem">
          <Group gap="0 12px" align="baseline">
            <Title>{props.title}</Title>
            {props.subtitle}
          </Group>
          {props.totals}
        </Box>
        {props.aside}
      </Group>
      <div className={styles.tools}>
        <SearchBox
          label={props.searchLabel}
          shortcut="/"
          maxLength={limits.keyword}
          keyword={props.keyword}
          inputRef={searchBox}
          onChange={props.onKeyword}
        />
        <Dropdown
          title="Filter"
          icon={<IconFilter size={15} stroke={1.7} aria-hidden="true" />}
          mark={count > 0 ? <ChosenCount count={count} /> : <Chevron to="down" />}
          preload={loadFilterPanel}
          panel={(onClose) =>
            panel({ chosen: shown, onChange: (next) => edit.edit(writeChoice(vocabulary, next)), onClose })
          }
        >
          Filter
        </Dropdown>
        <div className={styles.toolRow}>
          {props.tools}
          {props.chips.length === 0 && (
            <Text c="dimmed" size="sm" className={styles.unfiltered}>
              No filters selected.
            </Text>
          )}
          <div className={styles.end}>
            {props.actions}
            <div className={styles.exportAll}>{props.exporting}</div>
          </div>
        </div>
      </div>
      <FilterChips chips={props.chips} onRemove={props.onRemoveChip} onClear={props.onClearChips} />
    </Stack>
  )
}

/** Shows one removable chip per active category, and a button that removes all. */
function FilterChips<Key extends string>(props: {
  chips: readonly FilterChip<Key>[]
  onRemove: (key: Key) => void
  onClear: () => void
}) {
  if (props.chips.length === 0) return null
  return (
    <Group component="ul" gap={6} m={0} p={0} className={styles.chips} aria-label="Applied filters">
      {props.chips.map(({ key, label, text, full }) => (
        <li key={key} title={`${label}: ${full}`}>
          <Pill
            size="md"
            bd="1px solid var(--bw-line)"
            bg="var(--bw-panel)"
            maw={320}
            withRemoveButton
            onRemove={() => props.onRemove(key)}
            removeButtonProps={{
              'aria-label': `Remove filter ${label}${key.endsWith('!') ? `: ${full}` : ''}`,
              'aria-hidden': undefined,
              tabIndex: 0,
            }}
          >
            <Text span inherit c="dimmed">
              {label}
            </Text>{' '}
            <bdi>{text}</bdi>
          </Pill>
        </li>
      ))}
      <li>
        <Button variant="transparent" className={styles.link} onClick={props.onClear}>
          Clear all
        </Button>
      </li>
    </Group>
  )
}
