import type { NotificationSettings } from '@benchwatch/contract/messages/profiles'
import type { UserFilters } from '@benchwatch/contract/users/users'
import {
  alertTypes,
  type EventFilterCategory,
  instrumentStatuses,
  type NotificationCategory,
  notificationCategories,
  severities,
} from '@benchwatch/contract/vocabulary'
import { Box, Button, Group, Stack, Text, TextInput, VisuallyHidden } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useId, useRef, useState } from 'react'
import { folded, midSentence } from '../../lib/folded.ts'
import { type KnownTypes, useInstrumentTypes, withTypes } from '../../lib/instrument-type.ts'
import type { FilterVocabulary } from '../../lib/list/filter-choice.ts'
import { type OfferedCategory, offeredOptions } from '../../lib/list/filter-options.ts'
import { MultiSelectList } from '../../ui/form/multi-select-list.tsx'
import { RemovablePill } from '../../ui/form/removable-pill.tsx'
import { Dropdown } from '../../ui/overlay/dropdown.tsx'
import { Chevron } from '../../ui/text/chevron.tsx'
import { FilterDataNotice } from '../../ui/text/notice.tsx'
import { EDGE_ISSUE_HINT, filterValueLabel, lackedByEdgeIssues } from '../events/list/event-filters.ts'
import { filtersQuery } from '../users/users.api.ts'
import { hasFilters, inSavedOrder, withoutFilters } from './notification-form.ts'

/** Further values are hidden until the user expands the row. */
const SHOWN_VALUES = 8

type Category = OfferedCategory<NotificationCategory>

interface ChoiceProps {
  category: Category
  chosen: readonly string[]
  onChange: (values: string[]) => void
}

/**
 * The chosen filters of a profile, and a button to add one of the eleven categories. They are disabled while saving and
 * while no channel is on; `hindrance` then says what to do (document 2 section 2 "Behaviour").
 */
export function ProfileFilters(props: {
  /** The profile's title. */
  title: string
  settings: NotificationSettings
  saved: NotificationSettings
  hindrance: string | null
  isSaving: boolean
  onChange: (edits: Partial<NotificationSettings>) => void
}) {
  const { settings, saved, hindrance, onChange } = props
  const filterData = useQuery(filtersQuery())
  const fieldset = useRef<HTMLFieldSetElement>(null)
  const [openKey, setOpenKey] = useState<NotificationCategory | null>(null)
  const hintId = useId()
  const categories = offeredFilters({
    filterData: filterData.data?.eventFilter,
    chosen: settings,
    saved,
    types: useInstrumentTypes(),
  })
  const stoppers = edgeIssueStoppers(settings)
  const isAny = hasFilters(settings)
  // A row stays until its list is closed, even if its last value was taken away there.
  const rows = categories.filter(({ key }) => settings[key].length > 0 || key === openKey)

  const choiceOf = (category: Category): ChoiceProps => ({
    category,
    chosen: settings[category.key],
    onChange: (values) => onChange({ [category.key]: inSavedOrder(values, saved[category.key]) }),
  })

  /** Moves the focus to "Add filter" when the row that had it disappears. */
  function focusAdd() {
    fieldset.current?.querySelector<HTMLElement>('[aria-haspopup]')?.focus()
  }

  return (
    <Box
      component="fieldset"
      ref={fieldset}
      m="18px 0 0"
      p={0}
      bd={0}
      miw={0}
      disabled={hindrance !== null || props.isSaving}
      aria-describedby={hintId}
    >
      {/* A legend cannot share a row with the hint. */}
      <VisuallyHidden component="legend">Filters of {props.title}</VisuallyHidden>
      <Group align="baseline" gap="4px 12px" pb={8} style={{ borderBottom: '1px solid var(--bw-line)' }}>
        <Text component="h3" fw={620} aria-hidden="true">
          Filters
        </Text>
        <Text id={hintId} c="dimmed" flex={1} miw={200}>
          {isAny ? 'An event must match one value in each category.' : 'No filters selected.'} {hindrance}
        </Text>
        {isAny && hindrance === null && (
          <Button variant="subtle" px={8} onClick={() => onChange(withoutFilters(settings))}>
            Clear all
          </Button>
        )}
        <Dropdown
          title="Add filter"
          icon={<IconPlus size={15} stroke={1.8} aria-hidden="true" />}
          align="end"
          panel={(close) => (
            <AddFilter
              categories={categories}
              settings={settings}
              choiceOf={choiceOf}
              data={filterData}
              close={close}
            />
          )}
        >
          Add filter
        </Dropdown>
      </Group>
      {rows.length > 0 && (
        <Stack component="ul" gap={0} m={0} p={0} aria-label="Chosen filters" style={{ listStyle: 'none' }}>
          {rows.map((category) => (
            <FilterRow
              key={category.key}
              {...choiceOf(category)}
              data={filterData}
              isOff={hindrance !== null}
              onOpen={(isOpen) => {
                setOpenKey(isOpen ? category.key : null)
                if (!isOpen && settings[category.key].length === 0) focusAdd()
              }}
              onEmptied={focusAdd}
            />
          ))}
        </Stack>
      )}
      {stoppers.length > 0 && (
        <Text c="dimmed" mt={10}>
          Edge issues have no {stoppers.map(midSentence).join(', ')}, so these filters exclude them.
        </Text>
      )}
    </Box>
  )
}

/** The state of the query for the values, which may be loading or have failed. */
interface FilterData {
  data: unknown
  isFetching: boolean
  refetch: () => unknown
}

/** First the categories, then the values of the chosen one. Enter takes the first category that was found. */
function AddFilter(props: {
  categories: readonly Category[]
  settings: NotificationSettings
  choiceOf: (category: Category) => ChoiceProps
  data: FilterData
  close: () => void
}) {
  const { categories, settings } = props
  const [key, setKey] = useState<NotificationCategory | null>(null)
  const [search, setSearch] = useState('')
  const category = categories.find((each) => each.key === key)
  if (category !== undefined)
    return <ValueChoice {...props.choiceOf(category)} data={props.data} close={props.close} autoFocus />
  const found = categories.filter(({ label }) => folded(label).includes(folded(search.trim())))
  return (
    <Stack gap={8} w={{ base: 'auto', sm: 270 }}>
      <TextInput
        aria-label="Search filters"
        placeholder="Search"
        type="search"
        data-autofocus
        value={search}
        onChange={({ currentTarget }) => setSearch(currentTarget.value)}
        onKeyDown={(press) => {
          if (press.key !== 'Enter') return
          // The panel is inside the form, which Enter would submit.
          press.preventDefault()
          setKey(found[0]?.key ?? null)
        }}
      />
      <Stack gap={0} role="group" aria-label="Filters">
        {found.map(({ key: each, label }) => (
          <Button key={each} variant="subtle" color="gray" justify="space-between" px={8} onClick={() => setKey(each)}>
            {label}
            {settings[each].length > 0 && (
              <Text span size="xs" c="dimmed" ml={8}>
                {settings[each].length} selected
              </Text>
            )}
          </Button>
        ))}
        {found.length === 0 && (
          <Text size="xs" c="dimmed">
            Nothing matches “{search.trim()}”.
          </Text>
        )}
      </Stack>
    </Stack>
  )
}

/** One category with its chosen values and a dropdown to choose from. */
function FilterRow(
  props: ChoiceProps & {
    data: FilterData
    isOff: boolean
    onOpen: (isOpen: boolean) => void
    onEmptied: () => void
  },
) {
  const { category, chosen, onChange } = props
  const [isUnfolded, setUnfolded] = useState(false)
  const row = useRef<HTMLDivElement>(null)
  const name = midSentence(category.label)
  const shown = isUnfolded ? chosen : chosen.slice(0, SHOWN_VALUES)
  const hidden = chosen.length - shown.length

  function handleRemove(value: string) {
    // The pressed button disappears with its value, so the focus moves to the dropdown.
    if (chosen.length > 1) row.current?.querySelector<HTMLElement>('[aria-haspopup]')?.focus()
    else props.onEmptied()
    onChange(chosen.filter((other) => other !== value))
  }

  return (
    <Group
      component="li"
      ref={row}
      gap={8}
      mih={42}
      py={4}
      style={{ borderBottom: '1px solid var(--bw-line-faint)' }}
      data-category={category.key}
    >
      <Text w={128} c={props.isOff ? 'var(--bw-ink-3)' : undefined}>
        {category.label}
      </Text>
      <Group gap={6} flex={1} miw={0}>
        {chosen.length === 0 && <Text c="dimmed">Any</Text>}
        {shown.map((value) => {
          const { label, note } = category.options.find((option) => option.value === value) ?? { label: value }
          return (
            <RemovablePill
              key={value}
              label={label}
              removeLabel={`Remove ${label} from ${name}`}
              title={note && `${label} ${note}`}
              note={note}
              disabled={props.isOff}
              onRemove={() => handleRemove(value)}
            />
          )
        })}
        {hidden > 0 && (
          <Button variant="subtle" size="compact-sm" onClick={() => setUnfolded(true)}>
            {hidden} more
          </Button>
        )}
      </Group>
      <Dropdown
        title={category.label}
        label={`Choose ${name}`}
        align="end"
        mark={<Chevron to="down" />}
        panel={(close) => <ValueChoice {...props} close={close} />}
      >
        Choose
      </Dropdown>
    </Group>
  )
}

/** The values of a category, with buttons to clear the choice and to close the panel. */
function ValueChoice(
  props: ChoiceProps & {
    data: FilterData
    close: () => void
    autoFocus?: boolean
    onOpen?: (isOpen: boolean) => void
  },
) {
  const { category, chosen, data, onChange } = props
  const panel = useRef<HTMLDivElement>(null)
  const note = useEffectEvent((isOpen: boolean) => props.onOpen?.(isOpen))
  useEffect(() => {
    note(true)
    return () => note(false)
  }, [])
  useEffect(() => {
    if (props.autoFocus) panel.current?.querySelector('input')?.focus()
  }, [props.autoFocus])
  return (
    <Stack ref={panel} gap={8} w={{ base: 'auto', sm: 270 }}>
      <Group justify="space-between" align="baseline" gap="0 10px">
        <Text fw={600}>{category.label}</Text>
        {leavesOutEdgeIssues(category.key) && (
          <Text size="xs" c="dimmed">
            {EDGE_ISSUE_HINT}
          </Text>
        )}
      </Group>
      {data.data === undefined && <FilterDataNotice isLoading={data.isFetching} onRetry={() => void data.refetch()} />}
      <MultiSelectList label={category.label} options={category.options} chosen={chosen} onChange={onChange} />
      <Group justify="space-between" pt={10} style={{ borderTop: '1px solid var(--bw-line)' }}>
        <Button variant="default" disabled={chosen.length === 0} onClick={() => onChange([])}>
          Clear
        </Button>
        <Button onClick={props.close}>Done</Button>
      </Group>
    </Stack>
  )
}

/** The key of each category in the filter data of events. */
const eventCategories: Record<NotificationCategory, EventFilterCategory> = {
  alertType: 'alertType',
  severity: 'severity',
  customer: 'enterpriseName',
  instrumentType: 'instrumentType',
  region: 'siteRegion',
  country: 'siteCountry',
  siteCity: 'siteCity',
  componentName: 'componentName',
  instrumentStatus: 'instrumentStatus',
  contractSLA: 'contractSLA',
  qualifiedSystem: 'qualifiedSystem',
}

const vocabulary: FilterVocabulary<NotificationCategory> = {
  categories: notificationCategories,
  closed: {
    alertType: alertTypes.map(String),
    severity: severities,
    instrumentStatus: instrumentStatuses,
    qualifiedSystem: ['true', 'false'],
  },
}

/**
 * Returns the eleven categories in order. `saved` values stay in the list after they were removed, so that a mistake
 * can be undone. Without `filterData`, categories with fixed values are still complete.
 */
export function offeredFilters(input: {
  filterData: UserFilters['eventFilter'] | undefined
  chosen: NotificationSettings
  saved: NotificationSettings
  types: KnownTypes
}): OfferedCategory<NotificationCategory>[] {
  const { filterData, chosen, saved, types } = input
  return offeredOptions(withTypes(vocabulary, types), {
    filterData: filterData?.flatMap(({ key, values }) => {
      const category = notificationCategories.find((one) => eventCategories[one.key] === key)
      return category === undefined ? [] : [{ key: category.key, values }]
    }),
    chosen,
    chosenBefore: saved,
    labelOf: (category, value) => valueLabel(category, value, types),
  })
}

export function valueLabel(category: NotificationCategory, value: string, types: KnownTypes): string {
  // No category has users as values, so no names are needed.
  return filterValueLabel(eventCategories[category], value, { users: undefined, viewerId: '', types })
}

/** True if edge issues lack this property, so that any filter on it excludes them (3-decisions 4). */
export function leavesOutEdgeIssues(category: NotificationCategory): boolean {
  return lackedByEdgeIssues.has(eventCategories[category])
}

/** Returns the names of the selected categories that exclude edge issues; empty if none does. */
export function edgeIssueStoppers(chosen: NotificationSettings): string[] {
  return notificationCategories
    .filter(({ key }) => chosen[key].length > 0 && leavesOutEdgeIssues(key))
    .map(({ label }) => label)
}
