import { limits } from '@benchwatch/contract/vocabulary'
import { Button } from '@mantine/core'
import { IconCalendarCog } from '@tabler/icons-react'
import { lazy, type RefObject } from 'react'
import { useDelayedEdit } from '../../../ui/form/use-delayed-edit.ts'
import { ColumnChooser } from '../../../ui/list/columns/column-chooser.tsx'
import { FilterChips } from '../../../ui/list/filters/filter-chips.tsx'
import { FilterDropdown } from '../../../ui/list/filters/filter-panel.tsx'
import { SearchBox } from '../../../ui/list/filters/search-box.tsx'
import styles from '../../../ui/list/list-page.module.css'
import { PrintHead } from '../../../ui/print-head.tsx'
import { DateRangePicker } from '../../../ui/time/date-range.tsx'
import { ExportButton } from '../../exports/export-button.tsx'
import type { KeptRange } from '../../views/list-state.ts'
import { ViewMenu } from '../../views/view-menu.tsx'
import { ALL_FAMILIES, chooseValues, type InstrumentSearch, readFilters, writeFilters } from '../instruments.search.ts'
import { instrumentColumns } from './instrument-list.columns.ts'
import counts from './instrument-list-header.module.css'
import {
  appliedFilters,
  type ChipKey,
  exportOf,
  instrumentViews,
  searchOfView,
  viewOfSearch,
} from './instrument-view.ts'
import { daysOf, serviceDays, serviceLabel, serviceRanges, usualServiceRange } from './list-next-service.ts'
import listServiceRangeStyles from './list-service-range.module.css'

// Loaded on demand: most visits never open it.
const loadFilterPanel = () => import('./instrument-filter-panel.tsx')
const InstrumentFilterPanel = lazy(() => loadFilterPanel().then((file) => ({ default: file.InstrumentFilterPanel })))

/** Title, search, filters, next service range and list actions, all above the family tabs. */
export function InstrumentListHeader(props: {
  search: InstrumentSearch
  /** Undefined until known. */
  total: number | undefined
  now: number
  onSearch: (search: InstrumentSearch) => void
  searchBox: RefObject<HTMLInputElement | null>
}) {
  const { search, total, now, onSearch } = props
  const filters = useDelayedEdit(writeFilters(search.filter), (compact) =>
    onSearch({ ...search, page: 1, filter: readFilters(compact) }),
  )
  // Shows ticked values at once, before the list is updated.
  const chosen = readFilters(filters.text)

  return (
    <header className={styles.header}>
      <PrintHead
        narrowedBy={[
          ...(search.instrumentFamily === ALL_FAMILIES ? [] : [search.instrumentFamily]),
          ...(search.keyword === '' ? [] : [`“${search.keyword}”`]),
        ]}
      />
      <h1>Instrument Summary</h1>
      <div className={styles.tools}>
        <SearchBox
          label="Search instruments"
          shortcut="/"
          maxLength={limits.keyword}
          keyword={search.keyword}
          inputRef={props.searchBox}
          onChange={(keyword) => onSearch({ ...search, page: 1, keyword })}
        />
        <FilterDropdown
          count={appliedFilters({ filter: chosen, start: null, stop: null }).length}
          preload={loadFilterPanel}
          panel={(close) => (
            <InstrumentFilterPanel
              chosen={chosen}
              onChange={(next) => filters.edit(writeFilters(next))}
              onClose={close}
            />
          )}
        />
        <div className={styles.toolRow}>
          <ServiceRange range={search} now={now} onChange={(range) => onSearch({ ...search, page: 1, ...range })} />
          <ViewMenu
            list={instrumentViews}
            state={viewOfSearch(search, now)}
            onApply={(state) => onSearch(searchOfView(state, search, now))}
          />
          <div className={styles.end}>
            <ColumnChooser
              model={instrumentColumns}
              columns={search.columns}
              onChange={(columns) => onSearch({ ...search, columns })}
            />
            <div className={styles.exportAll}>
              <ExportButton request={exportOf(search, { ids: [], mode: 'exclude' })} count={total ?? 0} isIconOnPhone />
            </div>
          </div>
        </div>
      </div>
      <div className={styles.summary}>
        <FilterChips
          chips={appliedFilters(search)}
          onRemove={(key) => onSearch(withoutChip(search, key))}
          onClear={() => onSearch({ ...search, page: 1, filter: {}, start: null, stop: null })}
        />
        {total !== undefined && (
          <p className={counts.total}>
            <strong>{total.toLocaleString('en')}</strong> {total === 1 ? 'instrument' : 'instruments'}
          </p>
        )}
      </div>
    </header>
  )
}

function withoutChip(search: InstrumentSearch, key: ChipKey): InstrumentSearch {
  if (key === 'nextService') return { ...search, page: 1, start: null, stop: null }
  return chooseValues(search, key, [])
}

/** The toggle of the next service range. When on, the range appears beside it. `now` in milliseconds. */
export function ServiceRange(props: { range: KeptRange; now: number; onChange: (range: KeptRange) => void }) {
  const { now, onChange } = props
  const days = serviceDays(props.range)
  const isOn = days !== null
  return (
    <div className={listServiceRangeStyles.pair} data-on={isOn || undefined}>
      <Button
        variant="default"
        className={listServiceRangeStyles.toggle}
        aria-pressed={isOn}
        aria-label="Next service date filter"
        title={isOn ? 'Turn off the next service filter' : 'Filter by next service date'}
        leftSection={<IconCalendarCog size={16} stroke={1.7} aria-hidden="true" />}
        onClick={() => onChange(isOn ? { start: null, stop: null } : usualServiceRange(now))}
      >
        Next service
      </Button>
      {days !== null && (
        <DateRangePicker
          name="Next service"
          start={days.start.toISOString()}
          stop={days.stop.toISOString()}
          text={serviceLabel(props.range)}
          kind={serviceRanges}
          onChange={({ start, stop }) => onChange(daysOf({ start: new Date(start), stop: new Date(stop) }))}
        />
      )}
    </div>
  )
}
