import type { EventTotals } from '@benchwatch/contract/events/events'
import type { EventFilterCategory, QuickFilter } from '@benchwatch/contract/vocabulary'
import { Anchor, SegmentedControl, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { formatRange, formatSecond } from '../../../lib/time/dates.ts'
import { ColumnChooser } from '../../../ui/list/column-chooser.tsx'
import { CounterTiles } from '../../../ui/list/counter-tiles.tsx'
import type { FilterPanelProps } from '../../../ui/list/filters/chosen-count.tsx'
import { readColumnKeys, usualKeys } from '../../../ui/list/list-columns.ts'
import { FilterPanel, ListHeader } from '../../../ui/list/list-header.tsx'
import { DateRangePicker } from '../../../ui/time/date-range.tsx'
import { ExportButton } from '../../exports/export-button.tsx'
import { filtersQuery } from '../../users/users.api.ts'
import { ViewMenu } from '../../views/view-menu.tsx'
import type { SearchedTotals } from '../event-cache.ts'
import { filterCountsQuery, totalsQuery } from '../events.api.ts'
import {
  chooseValues,
  defaultEventSearch,
  type EventSearch,
  eventFilters,
  openAmong,
  THE_BEGINNING,
} from '../events.search.ts'
import { appliedFilters, offeredCategories, quickFilterLabels, useFilterNames } from './event-filters.ts'
import { useEventColumns, withinColumns } from './event-list.columns.tsx'
import styles from './event-list.module.css'
import { eventRange, exportOf, isAllTimes, type Narrowing, narrowing, rangeOfAddress } from './event-list-request.ts'
import { ALL_TIMES, eventViews, openPreset, searchOfView, viewOfSearch } from './event-view.ts'

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

/** Shows title, counters, search, filters, range and totals above the table or the map. */
export function EventListHeader(props: {
  search: EventSearch
  total: SearchedTotals | undefined
  now: number
  onSearch: (search: EventSearch) => void
}) {
  const { search, total, now, onSearch } = props
  const range = eventRange(search, now)
  const names = useFilterNames()
  const columns = useEventColumns()
  const table = withinColumns(search, columns)

  return (
    <ListHeader
      title="Service Events"
      subtitle={<IdleCount total={total} />}
      aside={<QuickFilters search={search} total={total} now={now} onSearch={onSearch} />}
      searchLabel="Search events"
      keyword={search.keyword}
      onKeyword={(keyword) => onSearch({ ...search, page: 1, keyword })}
      filters={{
        vocabulary: eventFilters,
        chosen: search.filter,
        onChange: (filter) => onSearch({ ...search, page: 1, filter }),
        panel: (panel) => <EventFilterPanel {...panel} narrowing={narrowing(search, now)} />,
      }}
      chips={appliedFilters(search.filter, names)}
      onRemoveChip={(category) => onSearch(chooseValues(search, category, []))}
      onClearChips={() => onSearch({ ...search, page: 1, filter: {} })}
      tools={
        <>
          <DateRangePicker
            start={range.start}
            stop={range.stop}
            text={isAllTimes(search) ? ALL_TIMES : null}
            onChange={(chosen) => onSearch({ ...search, page: 1, ...rangeOfAddress(chosen, now) })}
          />
          <ViewMenu
            list={eventViews(names)}
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
        isAllTimes(search) ? ALL_TIMES : formatRange(new Date(range.start), new Date(range.stop)),
        ...(search.keyword === '' ? [] : [`“${search.keyword}”`]),
        ...(search.quick === null ? [] : [quickFilterLabels[search.quick]]),
      ]}
    />
  )
}

/**
 * Every category with the values in the user's data scope; only the closed lists if these cannot be read. Each value
 * shows the number of events that it would find.
 */
function EventFilterPanel(props: FilterPanelProps<EventFilterCategory> & { narrowing: Narrowing }) {
  const names = useFilterNames()
  const values = useQuery(filtersQuery())
  const counts = useQuery(filterCountsQuery(props.narrowing))
  return (
    <FilterPanel
      {...props}
      values={values}
      counts={counts}
      offer={(chosenBefore) =>
        offeredCategories({
          filterData: values.data?.eventFilter,
          counts: counts.data?.values,
          chosen: props.chosen,
          chosenBefore,
          names,
        })
      }
    />
  )
}

/**
 * Finds exactly the events that the link counts: open, matching, created before the range. Its filters are temporary
 * and do not replace saved ones.
 */
function olderOpenEvents(search: EventSearch, start: string): EventSearch {
  return {
    ...chooseValues(search, 'alertStatus', openAmong(search.filter)),
    start: THE_BEGINNING,
    stop: start,
    temporaryFilters: true,
  }
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

/** The events that are open at any time, and three counters that narrow what is shown. */
function QuickFilters(props: {
  search: EventSearch
  total: EventTotals | undefined
  now: number
  onSearch: (search: EventSearch) => void
}) {
  const { search, total, now, onSearch } = props
  const { columns, pageSize } = viewOfSearch(search, now)
  const open = {
    ...searchOfView({ ...openPreset.state, columns, pageSize }, search, now),
    // A look at what is open replaces no saved filters.
    temporaryFilters: true,
  }
  const opened = useQuery({ ...totalsQuery(narrowing(open, now)), enabled: total !== undefined }).data
  const isOpen = JSON.stringify(narrowing(search, now)) === JSON.stringify(narrowing(open, now))
  const { filter, start, stop, temporaryFilters } = defaultEventSearch
  return (
    <CounterTiles
      legend="Quick filters"
      tiles={[
        {
          label: openPreset.name,
          meaning: 'New and In progress, whenever they were created',
          count: opened?.events,
          isPressed: isOpen,
          onPress: () => onSearch(isOpen ? { ...search, page: 1, filter, start, stop, temporaryFilters } : open),
        },
        ...counters.map(({ quick, meaning, count }) => {
          const isPressed = search.quick === quick
          return {
            label: quickFilterLabels[quick],
            meaning,
            count: total && count(total),
            isPressed,
            onPress: () => onSearch({ ...search, page: 1, quick: isPressed ? null : quick }),
          }
        }),
      ]}
    />
  )
}

const IDLE = 'no owner for 2 h or no action for 24 h'

/** Counts idle events (no owner or no action), labelled 'New and In progress'. */
function IdleCount({ total }: { total: EventTotals | undefined }) {
  const idle = total === undefined ? '–' : (total.noOwnerEvents + total.noActionEvents).toLocaleString('en')
  return (
    <Text span c="dimmed" className={styles.idle} title={IDLE}>
      <strong>{idle}</strong> New and In progress · idle
      <Text span inherit visibleFrom="xl">
        : {IDLE}
      </Text>
    </Text>
  )
}
