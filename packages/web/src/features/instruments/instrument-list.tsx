import type { Maintenance } from '@benchwatch/contract/maintenance'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useCallback, useEffect, useEffectEvent, useRef } from 'react'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import styles from '../../ui/list-page.module.css'
import { Pagination } from '../../ui/pagination.tsx'
import { pageCount } from '../../ui/pagination-model.ts'
import { SelectionBar } from '../../ui/selection-bar.tsx'
import { SortSelect } from '../../ui/sort-select.tsx'
import { useFailureToast } from '../../ui/use-failure-toast.ts'
import { useFittingColumns } from '../../ui/use-fitting-columns.ts'
import { useListRows } from '../../ui/use-list-rows.ts'
import { useNow } from '../../ui/use-now.ts'
import { useSelection } from '../../ui/use-selection.ts'
import { ExportButton } from '../exports/export-button.tsx'
import { FamilyTabs } from './family-tabs.tsx'
import { instrumentColumns } from './instrument-list.columns.ts'
import { InstrumentListHeader } from './instrument-list-header.tsx'
import { InstrumentListShortcuts } from './instrument-list-shortcuts.tsx'
import { InstrumentListStrip } from './instrument-list-strip.tsx'
import { InstrumentTable, InstrumentTableSkeleton } from './instrument-table.tsx'
import { instrumentListQuery, putMaintenances } from './instruments.api.ts'
import { ALL_FAMILIES, type InstrumentSearch, instrumentAddress, sortBy } from './instruments.search.ts'
import { useListFreshness } from './list-freshness.ts'
import { exportOf, listRequest, narrowing } from './list-request.ts'

const PANEL = 'instruments-panel'

/** The list of instruments. What it shows is `search` alone, which the address holds; every change goes out by `onSearch`. */
export function InstrumentList(props: {
  search: InstrumentSearch
  /** What the list opens with is not known yet: nothing is asked for. */
  isWaiting: boolean
  onSearch: (search: InstrumentSearch, options?: { replace: boolean }) => void
  onOpen: (id: string) => void
}) {
  const { search, onSearch, onOpen } = props
  const client = useQueryClient()
  const now = useNow()
  const list = useQuery({ ...instrumentListQuery(listRequest(search)), enabled: !props.isWaiting })
  useFailureToast(list, 'Could not get instruments')
  const columns = useFittingColumns(instrumentColumns, search.columns)
  const searchBox = useRef<HTMLInputElement>(null)
  const card = useRef<HTMLDivElement>(null)

  const rows = list.data?.values ?? []
  const isLoaded = list.isSuccess && !list.isPlaceholderData
  const hasNothing = list.isError && list.data === undefined
  const total = list.data?.total.instruments
  const statusesAsOf = useListFreshness(isLoaded ? rows : [], { readAt: list.dataUpdatedAt, now })
  const selection = useSelection({
    of: JSON.stringify(narrowing(search)),
    total: total ?? 0,
    shown: rows.map(({ id }) => id),
    gone: [],
  })
  const selected = {
    mode: selection.selection.mode,
    ids: [...selection.selection.ids],
    count: selection.count,
    clear: clearSelection,
  }
  const pages = pageCount(total ?? 0, search.pageSize)
  const { expanded, current, toggle, setCurrent, follow } = useListRows({
    area: instrumentAddress.area,
    ids: rows.map(({ id }) => id),
    isLoaded,
    card,
    // An address may name an instrument by its installed product id as well.
    idOf: (name) =>
      (rows.find(({ id }) => id === name) ?? rows.find((row) => row.instrumentInstalledProductId === name))?.id,
    keys: {
      search: () => searchBox.current?.focus(),
      open: onOpen,
      select: (id) => selection.toggle(id),
    },
  })
  const setMaintenances = useCallback(
    (id: string, maintenances: Maintenance[]) => putMaintenances(client, id, maintenances),
    [client],
  )

  const goToFirstPage = useEffectEvent(() => onSearch({ ...search, page: 1 }, { replace: true }))
  const isBeyondEnd = isLoaded && search.page > pages
  useEffect(() => {
    if (isBeyondEnd) goToFirstPage()
  }, [isBeyondEnd])

  /** The bar goes, so the box that selects everything takes the focus that would be lost with it. */
  function clearSelection() {
    selection.clear()
    card.current?.querySelector<HTMLElement>('thead input')?.focus({ preventScroll: true })
  }

  return (
    <div className={styles.page} data-selecting={selected.count > 0 || undefined}>
      <InstrumentListHeader search={search} total={total} now={now} onSearch={onSearch} searchBox={searchBox} />
      <div className={styles.aboveTable}>
        <FamilyTabs
          family={search.instrumentFamily}
          panel={PANEL}
          onFamily={(instrumentFamily) => onSearch({ ...search, page: 1, instrumentFamily })}
        />
      </div>
      <SelectionBar
        label="Selected instruments"
        selected={selected}
        total={total ?? 0}
        onSelectAll={selection.selectAll}
      >
        <ExportButton request={exportOf(search, selected)} count={selected.count} />
      </SelectionBar>
      <div id={PANEL} role="tabpanel" aria-label="Instruments">
        <div className={styles.card} ref={card} aria-busy={list.isFetching} onFocus={follow}>
          {!hasNothing && (
            <div className={styles.strip}>
              <InstrumentListStrip
                limitedTo={search.instruments.length}
                loadedAt={list.dataUpdatedAt}
                hasFailed={list.isError}
                onRetry={() => void list.refetch()}
                onShowAll={() => onSearch({ ...search, page: 1, instruments: [], temporaryFilters: false })}
              />
              <SortSelect
                columns={instrumentColumns}
                sort={search}
                onSort={(orderBy) => onSearch(sortBy(search, orderBy))}
              />
            </div>
          )}
          {list.isError && rows.length === 0 ? (
            <ErrorState title="Could not get instruments" onRetry={() => void list.refetch()}>
              {list.error.message}
            </ErrorState>
          ) : (
            <div className={styles.scroll} data-stale={list.isPlaceholderData || undefined}>
              {list.isPending && <InstrumentTableSkeleton rows={search.pageSize} columns={columns} />}
              {rows.length > 0 && (
                <InstrumentTable
                  rows={rows}
                  columns={columns}
                  isChosen={search.columns !== null}
                  statusesAsOf={statusesAsOf}
                  sort={search}
                  onSort={(orderBy) => onSearch(sortBy(search, orderBy))}
                  headBox={{ state: selection.head, onPress: selection.pressHead }}
                  marked={{ expanded, current, selection: selection.selection }}
                  actions={{ toggle, open: onOpen, focus: setCurrent, select: selection.toggle }}
                  onMaintained={setMaintenances}
                />
              )}
              {isLoaded && rows.length === 0 && <NothingFound search={search} onSearch={onSearch} />}
            </div>
          )}
          {hasNothing ? (
            <div className={styles.foot}>
              <InstrumentListShortcuts />
            </div>
          ) : (
            <Pagination
              page={Math.min(search.page, pages)}
              pageSize={search.pageSize}
              total={total}
              onPage={(page) => onSearch({ ...search, page })}
              onPageSize={(pageSize) =>
                onSearch({ ...search, page: 1, pageSize: pageSize as InstrumentSearch['pageSize'] })
              }
            >
              <InstrumentListShortcuts />
            </Pagination>
          )}
        </div>
      </div>
    </div>
  )
}

/** Empty because of what narrows the list, which can be undone here, or because there are no instruments at all. */
function NothingFound(props: { search: InstrumentSearch; onSearch: (search: InstrumentSearch) => void }) {
  const { search, onSearch } = props
  const unlimited: InstrumentSearch = {
    ...search,
    page: 1,
    keyword: '',
    instrumentFamily: ALL_FAMILIES,
    instruments: [],
    start: null,
    stop: null,
    filter: {},
  }
  const isNarrowed = JSON.stringify(narrowing(search)) !== JSON.stringify(narrowing(unlimited))
  if (!isNarrowed)
    return (
      <EmptyState title="No instrument(s) found">
        Instruments appear here once they are registered and you may see their customer.
      </EmptyState>
    )
  return (
    <EmptyState
      title="No instrument(s) found"
      action={{ label: 'Show all instruments', onClick: () => onSearch(unlimited) }}
    >
      Nothing matches the search, the family and the filters.
    </EmptyState>
  )
}
