import type { EventTotals } from '@benchwatch/contract/events'
import { limits, type QuickFilter } from '@benchwatch/contract/vocabulary'
import { lazy, type RefObject, useState } from 'react'
import { formatRange, formatSecond } from '../../../lib/time/dates.ts'
import { useDelayedEdit } from '../../../ui/form/use-delayed-edit.ts'
import { ColumnChooser } from '../../../ui/list/columns/column-chooser.tsx'
import { readColumnKeys } from '../../../ui/list/columns/column-model.ts'
import { FilterChips } from '../../../ui/list/filters/filter-chips.tsx'
import { FilterDropdown } from '../../../ui/list/filters/filter-panel.tsx'
import { SearchBox } from '../../../ui/list/filters/search-box.tsx'
import styles from '../../../ui/list/list-page.module.css'
import { PrintHead } from '../../../ui/print-head.tsx'
import { DateRangePicker } from '../../../ui/time/date-range.tsx'
import { ExportButton } from '../../exports/export-button.tsx'
import type { ExportRequest } from '../../exports/exports.api.ts'
import { ViewMenu } from '../../views/view-menu.tsx'
import type { SearchedTotals } from '../event-cache.ts'
import { chooseValues, type EventSearch, openStatuses, readFilters, writeFilters } from '../events.search.ts'
import { appliedFilters, quickFilterLabels, useFilterPeople } from './event-filters.ts'
import { type EventRange, eventRange, narrowing, rangeOfAddress } from './event-list-request.ts'
import { eventViews, searchOfView, viewOfSearch } from './event-view.ts'
import { useEventColumns, withinColumns } from './use-event-columns.ts'

interface QuickCard {
  quick: QuickFilter
  /** Explains the counter in one sentence, for the tooltip. */
  meaning: string
  count: (total: EventTotals) => number
}

/** The three counters with their meanings from 3-decisions 4. */
const cards: readonly QuickCard[] = [
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

type View = EventSearch['view']

const views: readonly { view: View; label: string }[] = [
  { view: 'list', label: 'List' },
  { view: 'map', label: 'Map' },
]

const parts = [
  { key: 'events', one: 'event', many: 'events' },
  { key: 'instruments', one: 'instrument', many: 'instruments' },
  { key: 'components', one: 'component', many: 'components' },
  { key: 'customers', one: 'customer', many: 'customers' },
  { key: 'locations', one: 'location', many: 'locations' },
] as const

// Most visits never open the panel.
const loadFilterPanel = () => import('./event-filter-panel.tsx')
const EventFilterPanel = lazy(() => loadFilterPanel().then((file) => ({ default: file.EventFilterPanel })))

/** No event is older, so this start means "from the beginning". */
const THE_BEGINNING = '1970-01-01T00:00:00.000Z'

/** Shows title, counters, search, filters, range and totals above the table or the map. */
export function EventListHeader(props: {
  search: EventSearch
  total: SearchedTotals | undefined
  now: number
  onSearch: (search: EventSearch) => void
  searchBox?: RefObject<HTMLInputElement | null>
}) {
  const { search, total, onSearch } = props
  const range = eventRange(search, props.now)
  const people = useFilterPeople()
  const eventColumns = useEventColumns()
  const table = withinColumns(search, eventColumns)
  const filters = useDelayedEdit(writeFilters(search.filter), (compact) =>
    onSearch({ ...search, page: 1, filter: readFilters(compact) }),
  )
  // Shows ticks at once, before the list follows.
  const chosen = readFilters(filters.text)

  return (
    <header className={styles.header}>
      <PrintHead narrowedBy={narrowedBy(search, range)} />
      <div className={styles.titleRow}>
        <div>
          <h1>Service Events</h1>
          <IdleCount total={total} />
        </div>
        <QuickFilters
          total={total}
          active={search.quick}
          onChange={(quick) => onSearch({ ...search, page: 1, quick })}
        />
      </div>
      <div className={styles.tools}>
        <SearchBox
          label="Search events"
          shortcut="/"
          maxLength={limits.keyword}
          keyword={search.keyword}
          {...(props.searchBox !== undefined && { inputRef: props.searchBox })}
          onChange={(keyword) => onSearch({ ...search, page: 1, keyword })}
        />
        <FilterDropdown
          count={appliedFilters(chosen, people).length}
          preload={loadFilterPanel}
          panel={(close) => (
            <EventFilterPanel chosen={chosen} onChange={(next) => filters.edit(writeFilters(next))} onClose={close} />
          )}
        />
        <div className={styles.toolRow}>
          <DateRangePicker
            start={range.start}
            stop={range.stop}
            onChange={(chosenRange) => onSearch({ ...search, page: 1, ...rangeOfAddress(chosenRange, props.now) })}
          />
          <ViewMenu
            list={eventViews(people)}
            state={viewOfSearch(search, props.now)}
            onApply={(state) => onSearch(searchOfView(state, search, props.now))}
          />
          <div className={styles.end}>
            <ViewToggle view={search.view} onChange={(view) => onSearch({ ...search, view })} />
            {search.view === 'list' && (
              <ColumnChooser
                model={eventColumns}
                columns={table.columns}
                onChange={(columns) => onSearch({ ...search, columns: readColumnKeys(eventColumns, columns ?? []) })}
              />
            )}
            <div className={styles.exportAll}>
              <ExportButton
                request={exportOfList({ ...search, ...table }, props.now)}
                count={total?.events ?? 0}
                isIconOnPhone
              />
            </div>
          </div>
        </div>
      </div>
      <div className={styles.summary}>
        <FilterChips
          chips={appliedFilters(search.filter, people)}
          onRemove={(category) => onSearch(chooseValues(search, category, []))}
          onClear={() => onSearch({ ...search, page: 1, filter: {} })}
        />
        <TotalsLine total={total} now={props.now} onShowOlder={() => onSearch(olderOpenEvents(search, range.start))} />
      </div>
    </header>
  )
}

/** Describes keyword, counter and range for the head of a printed list; filters have their own chips. */
function narrowedBy({ keyword, quick }: EventSearch, { start, stop }: EventRange): string[] {
  return [
    formatRange(new Date(start), new Date(stop)),
    ...(keyword === '' ? [] : [`“${keyword}”`]),
    ...(quick === null ? [] : [quickFilterLabels[quick]]),
  ]
}

/** Exports the whole result, in the order of the list. */
function exportOfList(search: EventSearch, now: number): ExportRequest {
  const { query, body } = narrowing(search, now)
  return {
    query: { ...query, order: search.order, orderBy: search.orderBy },
    body: { type: 'event', ids: [], mode: 'exclude', filter: body.filter },
  }
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
  const { total, now } = props
  const older = total?.olderOpenEvents ?? 0
  return (
    <p className={styles.line} data-testid="totals">
      {parts.map(({ key, one, many }) => (
        <span key={key}>
          <strong>{total === undefined ? '–' : total[key].toLocaleString('en')}</strong>{' '}
          {total?.[key] === 1 ? one : many}
        </span>
      ))}
      {older > 0 && (
        <button type="button" className={styles.older} onClick={props.onShowOlder}>
          <span>
            {older.toLocaleString('en')} open {older === 1 ? 'event is' : 'events are'} older
          </span>
        </button>
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

/** Switches between list and map. */
function ViewToggle({ view, onChange }: { view: View; onChange: (view: View) => void }) {
  // Responds to the press at once; the other view may have to load first, and brings its own toggle.
  const [pressed, setPressed] = useState(view)
  return (
    <fieldset className={styles.toggle}>
      <legend className={styles.legend}>Show events as</legend>
      {views.map((option) => (
        <label key={option.view} className={styles.option}>
          <input
            type="radio"
            name="events-view"
            checked={option.view === pressed}
            onChange={() => {
              setPressed(option.view)
              onChange(option.view)
            }}
          />
          {option.label}
        </label>
      ))}
    </fieldset>
  )
}

/** Shows three counters as switches: pressing one shows only its events, pressing it again shows all. */
function QuickFilters(props: {
  total: EventTotals | undefined
  active: QuickFilter | null
  onChange: (quick: QuickFilter | null) => void
}) {
  return (
    <fieldset className={styles.cards}>
      <legend className={styles.filtersLegend}>Quick filters</legend>
      {cards.map(({ quick, meaning, count }) => {
        const isActive = props.active === quick
        const label = quickFilterLabels[quick]
        return (
          <button
            key={quick}
            type="button"
            className={styles.filtersCard}
            aria-pressed={isActive}
            title={`${label}\n${meaning}`}
            onClick={() => props.onChange(isActive ? null : quick)}
          >
            <strong>{props.total ? count(props.total).toLocaleString('en') : '–'}</strong>
            <span>{label}</span>
          </button>
        )
      })}
    </fieldset>
  )
}

/** Counts idle events (no owner or no action), labelled 'New and In progress'. */
function IdleCount({ total }: { total: EventTotals | undefined }) {
  const idle = total === undefined ? '–' : (total.noOwnerEvents + total.noActionEvents).toLocaleString('en')
  return (
    <span
      className={styles.idle}
      title={'New and In progress\nNew without an owner for 2 hours, or In progress without action for 24 hours'}
    >
      <strong>{idle}</strong> idle · New and In progress
    </span>
  )
}
