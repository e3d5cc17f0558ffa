import type { EventTotals } from '@benchwatch/contract/service-events'
import { limits } from '@benchwatch/contract/vocabulary'
import { lazy, type RefObject } from 'react'
import { countValues } from '../../lib/filter-choice.ts'
import { ColumnChooser } from '../../ui/column-chooser.tsx'
import { readColumnKeys } from '../../ui/column-model.ts'
import { DateRangePicker } from '../../ui/date-range.tsx'
import { FilterChips } from '../../ui/filter-chips.tsx'
import { FilterDropdown } from '../../ui/filter-dropdown.tsx'
import styles from '../../ui/list-page.module.css'
import { SearchBox } from '../../ui/search-box.tsx'
import { useDelayedEdit } from '../../ui/use-delayed-edit.ts'
import { ExportButton } from '../exports/export-button.tsx'
import type { ExportRequest } from '../exports/exports.api.ts'
import { ViewMenu } from '../views/view-menu.tsx'
import { appliedFilters } from './event-filters.ts'
import { eventRange, narrowing, rangeOfAddress } from './event-list-request.ts'
import { eventViews, searchOfView, viewOfSearch } from './event-view.ts'
import { IdleCount, QuickFilters } from './quick-filters.tsx'
import { chooseValues, type EventSearch, openStatuses, readFilters, writeFilters } from './service-events.search.ts'
import { TotalsLine } from './totals-line.tsx'
import { useEventColumns, withinColumns } from './use-event-columns.ts'
import { useFilterPeople } from './use-filter-people.ts'
import { ViewToggle } from './view-toggle.tsx'

// What most visits never open.
const loadFilterPanel = () => import('./event-filter-panel.tsx')
const EventFilterPanel = lazy(() => loadFilterPanel().then((file) => ({ default: file.EventFilterPanel })))

/** Before the first event there is nothing, so this start means "from the beginning". */
const THE_BEGINNING = '1970-01-01T00:00:00.000Z'

/** Title, counters, search, filters, range and totals: all that stands above the table, and above the map. */
export function EventListHeader(props: {
  search: EventSearch
  total: EventTotals | undefined
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
  // What is ticked is seen at once, before the list has it.
  const chosen = readFilters(filters.text)

  return (
    <header className={styles.header}>
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
          count={countValues(chosen)}
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
            <ExportButton
              request={exportOfList({ ...search, ...table }, props.now)}
              count={total?.events ?? 0}
              isSignOnPhone
            />
          </div>
        </div>
      </div>
      <div className={`${styles.summary} ${styles.aboveTable}`}>
        <FilterChips
          chips={appliedFilters(search.filter, people)}
          onRemove={(category) => onSearch(chooseValues(search, category, []))}
          onClear={() => onSearch({ ...search, page: 1, filter: {} })}
        />
        <TotalsLine total={total} onShowOlder={() => onSearch(olderOpenEvents(search, range.start))} />
      </div>
    </header>
  )
}

/** The whole result, in the order of the list. */
function exportOfList(search: EventSearch, now: number): ExportRequest {
  const { query, body } = narrowing(search, now)
  return {
    query: { ...query, order: search.order, orderBy: search.orderBy },
    body: { type: 'event', ids: [], mode: 'exclude', filter: body.filter },
  }
}

/**
 * Exactly the events that the link counts: open, matching, created before the range. A look aside, so the filters that
 * it needs are temporary and replace no saved ones.
 */
function olderOpenEvents(search: EventSearch, start: string): EventSearch {
  const open = openStatuses.filter((status) => search.filter.alertStatus?.includes(status) ?? true)
  return { ...chooseValues(search, 'alertStatus', open), start: THE_BEGINNING, stop: start, temporaryFilters: true }
}
