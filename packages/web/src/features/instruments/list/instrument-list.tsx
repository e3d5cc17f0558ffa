import type { Instrument } from '@benchwatch/contract/instruments'
import type { Maintenance } from '@benchwatch/contract/maintenance'
import { VisuallyHidden } from '@mantine/core'
import { replaceEqualDeep, useQuery, useQueryClient } from '@tanstack/react-query'
import { lazy, useCallback, useEffect, useEffectEvent, useRef } from 'react'
import { counted } from '../../../lib/folded.ts'
import { formatClock } from '../../../lib/time/dates.ts'
import { useFittingColumns } from '../../../ui/list/columns/use-fitting-columns.ts'
import styles from '../../../ui/list/list-page.module.css'
import { Pagination, pageCount } from '../../../ui/list/pagination.tsx'
import { SelectionBar } from '../../../ui/list/selection-bar.tsx'
import { SortSelect } from '../../../ui/list/sort-select.tsx'
import { useListRows } from '../../../ui/list/use-list-rows.ts'
import { useSelection } from '../../../ui/list/use-selection.ts'
import { ShortcutButton } from '../../../ui/overlay/shortcut-sheet.tsx'
import { useFailureToast } from '../../../ui/overlay/toasts.ts'
import { EmptyState, ErrorState } from '../../../ui/text/notice.tsx'
import { useNow } from '../../../ui/time/use-now.ts'
import { useStatusPoll } from '../../connections/connections.api.ts'
import { ExportButton } from '../../exports/export-button.tsx'
import { changeInstruments, instrumentListQuery, instrumentRowsQuery, putMaintenances } from '../instruments.api.ts'
import { ALL_FAMILIES, type InstrumentSearch, instrumentAddress, sortBy } from '../instruments.search.ts'
import { FamilyTabs } from './family-tabs.tsx'
import { instrumentColumns } from './instrument-list.columns.ts'
import { InstrumentListHeader } from './instrument-list-header.tsx'
import { InstrumentTable, InstrumentTableSkeleton } from './instrument-table.tsx'
import { exportOf, listRequest, narrowing } from './instrument-view.ts'

const Sheet = lazy(() => import('./instrument-list-sheet.tsx').then((file) => ({ default: file.InstrumentListSheet })))

const PANEL = 'instruments-panel'

/** The list of instruments. It shows `search`, which the address holds, and reports every change through `onSearch`. */
export function InstrumentList(props: {
  search: InstrumentSearch
  /** True until the initial search is known; nothing is loaded until then. */
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
    // An address may also name an instrument by its installed product id.
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

  /** Moves the focus to the select-all box, because the selection bar that had it disappears. */
  function clearSelection() {
    selection.clear()
    card.current?.querySelector<HTMLElement>('thead input')?.focus({ preventScroll: true })
  }

  return (
    <div className={styles.page} data-selecting={selected.count > 0 || undefined}>
      <InstrumentListHeader search={search} total={total} now={now} onSearch={onSearch} searchBox={searchBox} />
      <div className={styles.tabs}>
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
        <ExportButton request={exportOf(search, selected)} count={selected.count} isSelection />
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
              page={total === undefined ? search.page : Math.min(search.page, pages)}
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

/**
 * Explains an empty list: either the search excludes everything, which can be undone here, or there are no
 * instruments.
 */
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
        Registered instruments appear here if you have access to their customer.
      </EmptyState>
    )
  return (
    <EmptyState
      title="No instrument(s) found"
      action={{ label: 'Show all instruments', onClick: () => onSearch(unlimited) }}
    >
      No instrument matches your search, family and filters.
    </EmptyState>
  )
}

/** The keyboard shortcuts of the list. */
function InstrumentListShortcuts() {
  return <ShortcutButton size={30} sheet={(close) => <Sheet onClose={close} />} />
}

/**
 * Keeps the rows on screen up to date without moving them. Polls statuses every ten seconds and reads whole rows again
 * when a live message affects something only the server knows, such as the number of open events. Returns the time of
 * the last confirmed status (epoch ms) if statuses are outdated, else null. `readAt`: when the rows were read.
 */
function useListFreshness(
  rows: readonly Instrument[],
  { readAt, now }: { readAt: number; now: number },
): number | null {
  const client = useQueryClient()
  const shown = rows.map(({ instrumentInstalledProductId }) => instrumentInstalledProductId)
  const ids = shown.toSorted()
  const { data } = useQuery({
    ...instrumentRowsQuery(ids),
    // The list has just loaded the rows; they are read again when a live message makes them stale.
    initialData: [],
    initialDataUpdatedAt: readAt,
  })
  useEffect(() => {
    if (data.length === 0) return
    const fresh = new Map(data.map((instrument) => [instrument.id, instrument]))
    changeInstruments(client, (known) => replaceEqualDeep(known, { ...known, ...fresh.get(known.id) }))
  }, [client, data])

  return useStatusPoll(shown, {
    readAt,
    now,
    apply: (statuses) =>
      changeInstruments(client, (known) => {
        const status = statuses[known.instrumentInstalledProductId]
        return status === undefined || status === known.instrumentStatus
          ? known
          : { ...known, instrumentStatus: status }
      }),
  })
}

/**
 * The strip above the table. It says that the last load failed or that the address limits the list to some instruments;
 * otherwise it takes no space.
 */
function InstrumentListStrip(props: {
  /** Number of instruments the list is limited to; 0 for no limit. */
  limitedTo: number
  loadedAt: number
  hasFailed: boolean
  onRetry: () => void
  onShowAll: () => void
}) {
  const { limitedTo, loadedAt } = props
  if (props.hasFailed && loadedAt > 0)
    return (
      <div className={styles.stripStrip} role="status">
        <button type="button" className={styles.failed} onClick={props.onRetry}>
          Could not get instruments. Showing data from {formatClock(loadedAt)}. Try again
        </button>
      </div>
    )
  if (limitedTo === 0)
    return (
      <VisuallyHidden role="status" data-quiet>
        {loadedAt === 0 && 'Loading instruments…'}
      </VisuallyHidden>
    )
  return (
    <div className={styles.stripStrip} role="status" data-limited>
      <span>Limited to {counted(limitedTo, 'instrument')}</span>
      <button type="button" onClick={props.onShowAll}>
        Show all
      </button>
    </div>
  )
}
