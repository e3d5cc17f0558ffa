import type { EventTotals } from '@benchwatch/contract/events'
import type { EventFilterCategory, QuickFilter } from '@benchwatch/contract/vocabulary'
import { Anchor, SegmentedControl, Text, UnstyledButton, VisuallyHidden } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { formatRange, formatSecond } from '../../../lib/time/dates.ts'
import { ColumnChooser } from '../../../ui/list/column-chooser.tsx'
import type { FilterPanelProps } from '../../../ui/list/filters/chosen-count.tsx'
import { readColumnKeys, usualKeys } from '../../../ui/list/list-columns.ts'
import { FilterPanel, ListHeader } from '../../../ui/list/list-header.tsx'
import { DateRangePicker } from '../../../ui/time/date-range.tsx'
import { ExportButton } from '../../exports/export-button.tsx'
import { filtersQuery } from '../../users/users.api.ts'
import { ViewMenu } from '../../views/view-menu.tsx'
import type { SearchedTotals } from '../event-cache.ts'
import { chooseValues, type EventSearch, eventFilters, openStatuses, THE_BEGINNING } from '../events.search.ts'
import { appliedFilters, offeredCategories, quickFilterLabels, useFilterPeople } from './event-filters.ts'
import { useEventColumns, withinColumns } from './event-list.columns.tsx'
import styles from './event-list.module.css'
import { eventRange, exportOf, narrowing, rangeOfAddress } from './event-list-request.ts'
import { eventViews, searchOfView, viewOfSearch } from './event-view.ts'

/** The three counters with their meanings from 3-decisions 4. */
const counters: readonly { quick: QuickFilter; meaning: string; count: (total: EventTotals) => number }[] = [
  {
    quick: 'noOwner',
    meaning: 'New events without an owner, created at least 2 hours ago',
    count: (total) => total.noOwnerEvents,
  },
  {
    quick: 'noAction',
    meaning: 'Events in progress, unchanged for at least 24 hours',
    count: (total) => total.noActionEvents,
  },
  {
    quick: 'fullSupport',
    meaning: 'Open events under a 24-hour contract',
    count: (total) => total.fullSupportEvents,
  },
]

const parts = [
  { key: 'events', one: 'event', many: 'events' },
  { key: 'instruments', one: 'instrument', many: 'instruments' },
  { key: 'components', one: 'component', many: 'components' },
  { key: 'customers', one: 'customer', many: 'customers' },
  { key: 'locations', one: 'location', many: 'locations' },
] as const

/** No event is older, so this start means "from the beginning". */

/** Shows title, counters, search, filters, range and totals above the table or the map. */
export function EventListHeader(props: {
  search: EventSearch
  total: SearchedTotals | undefined
  now: number
  onSearch: (search: EventSearch) => void
}) {
  const { search, total, now, onSearch } = props
  const range = eventRange(search, now)
  const people = useFilterPeople()
  const columns = useEventColumns()
  const table = withinColumns(search, columns)

  return (
    <ListHeader
      title="Service Events"
      subtitle={<IdleCount total={total} />}
      aside={
        <QuickFilters
          total={total}
          active={search.quick}
          onChange={(quick) => onSearch({ ...search, page: 1, quick })}
        />
      }
      searchLabel="Search events"
      keyword={search.keyword}
      onKeyword={(keyword) => onSearch({ ...search, page: 1, keyword })}
      filters={{
        vocabulary: eventFilters,
        chosen: search.filter,
        onChange: (filter) => onSearch({ ...search, page: 1, filter }),
        panel: (panel) => <EventFilterPanel {...panel} />,
      }}
      chips={appliedFilters(search.filter, people)}
      onRemoveChip={(category) => onSearch(chooseValues(search, category, []))}
      onClearChips={() => onSearch({ ...search, page: 1, filter: {} })}
      tools={
        <>
          <DateRangePicker
            start={range.start}
            stop={range.stop}
            onChange={(chosen) => onSearch({ ...search, page: 1, ...rangeOfAddress(chosen, now) })}
          />
          <ViewMenu
            list={eventViews(people)}
            state={viewOfSearch(search, now)}
            onApply={(state) => onSearch(searchOfView(state, search, now))}
          />
        </>
      }
      actions={
        <>
          <ViewToggle view={search.view} onChange={(view) => onSearch({ ...search, view })} />
          {search.view === 'list' && (
            <ColumnChooser
              model={columns}
              columns={table.columns}
              onChange={(keys) => onSearch({ ...search, columns: readColumnKeys(usualKeys(columns), keys ?? []) })}
            />
          )}
        </>
      }
      exporting={
        <ExportButton
          request={exportOf(table, { narrowing: narrowing(search, now), mode: 'exclude', ids: [] })}
          count={total?.events ?? 0}
          isIconOnPhone
        />
      }
      totals={<TotalsLine total={total} now={now} onShowOlder={() => onSearch(olderOpenEvents(search, range.start))} />}
      narrowedBy={[
        formatRange(new Date(range.start), new Date(range.stop)),
        ...(search.keyword === '' ? [] : [`“${search.keyword}”`]),
        ...(search.quick === null ? [] : [quickFilterLabels[search.quick]]),
      ]}
    />
  )
}

/** Every category with the values in the user's data scope; the closed lists alone if these cannot be read. */
function EventFilterPanel(props: FilterPanelProps<EventFilterCategory>) {
  const people = useFilterPeople()
  const values = useQuery(filtersQuery())
  return (
    <FilterPanel
      {...props}
      values={values}
      offer={(chosenBefore) =>
        offeredCategories({ filterData: values.data?.eventFilter, chosen: props.chosen, chosenBefore, people })
      }
    />
  )
}

/**
 * Finds exactly the events that the link counts: open, matching, created before the range. Its filters are temporary
 * and do not replace saved ones.
 */
function olderOpenEvents(search: EventSearch, start: string): EventSearch {
  const open = openStatuses.filter((status) => search.filter.alertStatus?.includes(status) ?? true)
  return { ...chooseValues(search, 'alertStatus', open), start: THE_BEGINNING, stop: start, temporaryFilters: true }
}

/**
 * Shows the totals of the whole result, not only of this page, and how many open events are older than the range, with
 * a link to them.
 */
function TotalsLine(props: { total: SearchedTotals | undefined; now: number; onShowOlder: () => void }) {
  const { total, now, onShowOlder } = props
  const older = total?.olderOpenEvents ?? 0
  return (
    <p className={styles.totals} data-testid="totals">
      {parts.map(({ key, one, many }) => (
        <span key={key}>
          <strong>{total === undefined ? '–' : total[key].toLocaleString('en')}</strong>{' '}
          {total?.[key] === 1 ? one : many}
        </span>
      ))}
      {older > 0 && (
        <Anchor component="button" type="button" fz={13} onClick={onShowOlder}>
          {older.toLocaleString('en')} open {older === 1 ? 'event is' : 'events are'} older
        </Anchor>
      )}
      <output className={styles.note} aria-live="polite">
        {total && searchNote(total, now)}
      </output>
    </p>
  )
}

/** An answer that is younger than this counts as of now. */
const FRESH_MS = 3000

/** Says which moment an answer is of, or that answers take longer than usual. */
function searchNote({ asOf, isDegraded }: SearchedTotals, now: number): string | null {
  if (isDegraded) return 'Searches take longer than usual at the moment. Results are complete.'
  return asOf && now - Date.parse(asOf) > FRESH_MS ? `As of ${formatSecond(asOf)}.` : null
}

const views = [
  { value: 'list', label: 'List' },
  { value: 'map', label: 'Map' },
] as const

/** Switches between list and map. */
function ViewToggle({ view, onChange }: { view: EventSearch['view']; onChange: (view: EventSearch['view']) => void }) {
  // Responds to the press at once; the other view may have to load first, and brings its own toggle.
  const [pressed, setPressed] = useState(view)
  return (
    <SegmentedControl
      className={styles.toggle}
      aria-label="Show events as"
      name="events-view"
      value={pressed}
      data={[...views]}
      onChange={(next) => {
        setPressed(next)
        onChange(next)
      }}
    />
  )
}

/** Shows three counters as switches: pressing one shows only its events, pressing it again shows all. */
function QuickFilters(props: {
  total: EventTotals | undefined
  active: QuickFilter | null
  onChange: (quick: QuickFilter | null) => void
}) {
  const { total } = props
  return (
    <fieldset className={styles.counters}>
      <VisuallyHidden component="legend">Quick filters</VisuallyHidden>
      {counters.map(({ quick, meaning, count }) => {
        const isActive = props.active === quick
        const label = quickFilterLabels[quick]
        return (
          <UnstyledButton
            key={quick}
            className={styles.counter}
            aria-pressed={isActive}
            title={`${label}\n${meaning}`}
            onClick={() => props.onChange(isActive ? null : quick)}
          >
            <Text component="strong" size="xl" lh={1.25} fw={700} c={isActive ? undefined : 'var(--bw-ink-1)'}>
              {total ? count(total).toLocaleString('en') : '–'}
            </Text>
            <span>{label}</span>
          </UnstyledButton>
        )
      })}
    </fieldset>
  )
}

/** Counts idle events (no owner or no action), labelled 'New and In progress'. */
function IdleCount({ total }: { total: EventTotals | undefined }) {
  const idle = total === undefined ? '–' : (total.noOwnerEvents + total.noActionEvents).toLocaleString('en')
  return (
    <Text
      span
      c="dimmed"
      className={styles.idle}
      title={'New and In progress\nNew without an owner for 2 hours, or In progress without action for 24 hours'}
    >
      <strong>{idle}</strong> idle · New and In progress
    </Text>
  )
}
