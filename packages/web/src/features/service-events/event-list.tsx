import { useQuery, useQueryClient } from '@tanstack/react-query'
import { lazy, type ReactNode, useEffect, useEffectEvent, useRef, useState } from 'react'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { LazyPart } from '../../ui/lazy-part.tsx'
import styles from '../../ui/list-page.module.css'
import { Pagination } from '../../ui/pagination.tsx'
import { pageCount } from '../../ui/pagination-model.ts'
import { SelectionBar } from '../../ui/selection-bar.tsx'
import { SortSelect } from '../../ui/sort-select.tsx'
import { useFittingColumns } from '../../ui/use-fitting-columns.ts'
import { useListRows } from '../../ui/use-list-rows.ts'
import { useNow } from '../../ui/use-now.ts'
import { useSelection } from '../../ui/use-selection.ts'
import { ExportButton } from '../exports/export-button.tsx'
import { usersQuery } from '../users/users.api.ts'
import { EventListHeader } from './event-list-header.tsx'
import { eventRange, listRequest, narrowing } from './event-list-request.ts'
import { mayAssignToMe, type Viewer } from './event-owner.ts'
import type { SelectedEvents } from './event-selection.ts'
import { EventShortcuts } from './event-shortcuts.tsx'
import { EventTable, EventTableSkeleton } from './event-table.tsx'
import { NewEventsBar } from './new-events-bar.tsx'
import { listQuery, serviceEventKeys, totalsQuery } from './service-events.api.ts'
import { type EventSearch, eventAddress, sortBy } from './service-events.search.ts'
import { useEventActions } from './use-event-actions.ts'
import { useEventColumns, withinColumns } from './use-event-columns.ts'
import { useInstrumentStatuses } from './use-instrument-statuses.ts'
import { useListPoll } from './use-list-poll.ts'
import { useUnseenEvents } from './use-unseen-events.ts'

// Opens on a press, so it comes once the rows are painted.
const loadDescription = () => import('./event-description.tsx')
const EventDescription = lazy(() => loadDescription().then((file) => ({ default: file.EventDescription })))

/** The event list. What it shows is `search` alone, which the address holds; every change goes out by `onSearch`. */
export function EventList(props: {
  search: EventSearch
  viewer: Viewer
  /** What the list opens with is not known yet: nothing is asked for. */
  isWaiting?: boolean
  onSearch: (search: EventSearch, options?: { replace: boolean }) => void
  onOpen: (eventId: string) => void
  /** What can be done with selected events; stands beside their number. */
  selectionActions?: (selected: SelectedEvents) => ReactNode
}) {
  const { search, viewer, onSearch, onOpen } = props
  const eventColumns = useEventColumns()
  const table = withinColumns(search, eventColumns)
  const client = useQueryClient()
  const now = useNow()
  const request = listRequest({ ...search, ...table }, now)
  const narrowed = narrowing(search, now)
  const list = useQuery({ ...listQuery(request, narrowed), enabled: props.isWaiting !== true })
  const isLoaded = list.isSuccess && !list.isPlaceholderData
  const totals = useQuery({ ...totalsQuery(narrowed), enabled: isLoaded })
  const { data: users = [] } = useQuery(usersQuery())
  const { assign, isPending: isAssigning } = useEventActions(viewer)
  /** Whose description is open, and below which element. */
  const [described, setDescribed] = useState<{ id: string; anchor: HTMLElement } | null>(null)
  const columns = useFittingColumns(eventColumns, table.columns)
  const searchBox = useRef<HTMLInputElement>(null)
  const card = useRef<HTMLDivElement>(null)

  const rows = list.data?.values ?? []
  /** The answer failed: there is nothing of which anything could be said, least of all numbers of another search. */
  const hasNothing = list.isError && list.data === undefined
  const total = hasNothing ? undefined : (totals.data ?? list.data?.total)
  const polledAt = useListPoll({ request, narrowed, isLoaded })
  const statusesAsOf = useInstrumentStatuses(isLoaded ? rows : [], { readAt: list.dataUpdatedAt, now })
  const shown = list.data && { search, range: eventRange(search, now), page: list.data, askedAt: list.data.askedAt }
  const unseen = useUnseenEvents(shown, narrowed)
  // Totals are read again with each new event; those of the page are of what it shows.
  const selectable = (unseen.isWhole ? total : list.data?.total)?.events ?? 0
  const selection = useSelection({
    of: JSON.stringify(narrowed),
    total: selectable,
    shown: rows.map(({ alarm }) => alarm.id),
    gone: rows.filter(({ removed }) => removed).map(({ alarm }) => alarm.id),
  })
  const selected: SelectedEvents = {
    mode: selection.selection.mode,
    ids: [...selection.selection.ids],
    count: selection.count,
    narrowing: unseen.seen,
    clear: clearSelection,
  }
  const pages = pageCount(list.data?.total.events ?? 0, search.pageSize)

  const goToFirstPage = useEffectEvent(() => onSearch({ ...search, page: 1 }, { replace: true }))
  const isBeyondEnd = isLoaded && search.page > pages
  useEffect(() => {
    if (isBeyondEnd) goToFirstPage()
  }, [isBeyondEnd])
  useEffect(() => void (isLoaded && loadDescription()), [isLoaded])

  /** The bar goes, so the box that selects everything takes the focus that would be lost with it. */
  function clearSelection() {
    selection.clear()
    card.current?.querySelector<HTMLElement>('thead input')?.focus({ preventScroll: true })
  }

  const eventOf = (id: string | undefined) => rows.find(({ alarm }) => alarm.id === id)?.alarm
  const describedEvent = eventOf(described?.id)

  function assignToMe(id: string) {
    const event = eventOf(id)
    const me = users.find((user) => user.id === viewer.id)
    if (event && me && !isAssigning && mayAssignToMe(event, viewer, users)) void assign(event, me)
  }

  const { expanded, current, toggle, setCurrent, follow } = useListRows({
    area: eventAddress.area,
    ids: rows.map(({ alarm }) => alarm.id),
    isLoaded,
    card,
    idOf: (eventId) => rows.find(({ alarm }) => alarm.eventId === eventId)?.alarm.id,
    keys: {
      search: () => searchBox.current?.focus(),
      open: (id) => onOpen(eventOf(id)?.eventId ?? ''),
      select: (id) => selection.toggle(id),
      others: { a: assignToMe },
    },
  })

  function loadNewEvents() {
    void client.invalidateQueries({ queryKey: serviceEventKeys.lists })
    if (search.page !== 1) onSearch({ ...search, page: 1 })
  }

  return (
    <div className={styles.page} data-selecting={selected.count > 0 || undefined}>
      <EventListHeader search={search} total={total} now={now} onSearch={onSearch} searchBox={searchBox} />
      <SelectionBar label="Selected events" selected={selected} total={selectable} onSelectAll={selection.selectAll}>
        {props.selectionActions?.(selected)}
        <ExportButton
          request={{
            query: { ...selected.narrowing.query, order: table.order, orderBy: table.orderBy },
            body: { type: 'event', ids: [...selected.ids], mode: selected.mode, filter: search.filter },
          }}
          count={selected.count}
          isSignOnPhone
        />
      </SelectionBar>
      <div className={styles.card} ref={card} aria-busy={list.isFetching} onFocus={follow}>
        {!hasNothing && (
          <div className={styles.strip}>
            <NewEventsBar
              count={unseen.count}
              loadedAt={list.dataUpdatedAt}
              polledAt={polledAt}
              hasFailed={list.isError}
              onLoad={loadNewEvents}
            />
            <SortSelect columns={eventColumns} sort={table} onSort={(orderBy) => onSearch(sortBy(search, orderBy))} />
          </div>
        )}
        {list.isError && rows.length === 0 ? (
          <ErrorState title="Could not get events" onRetry={() => void list.refetch()}>
            {list.error.message}
          </ErrorState>
        ) : (
          <div className={styles.scroll} data-stale={list.isPlaceholderData || undefined}>
            {list.isPending && <EventTableSkeleton rows={search.pageSize} columns={columns} />}
            {rows.length > 0 && (
              <EventTable
                rows={rows}
                columns={columns}
                isChosen={table.columns !== null}
                viewer={viewer}
                now={now}
                statusesAsOf={statusesAsOf}
                sort={table}
                onSort={(orderBy) => onSearch(sortBy(search, orderBy))}
                headBox={{ state: selection.head, onPress: selection.pressHead }}
                marked={{ expanded, current, selection: selection.selection, described: described?.id ?? null }}
                actions={{
                  toggle,
                  open: onOpen,
                  focus: setCurrent,
                  select: selection.toggle,
                  describe: (id, anchor) => setDescribed(id === described?.id ? null : { id, anchor }),
                }}
              />
            )}
            {isLoaded && rows.length === 0 && <NothingFound search={search} onSearch={onSearch} />}
          </div>
        )}
        {hasNothing ? (
          <div className={styles.foot}>
            <EventShortcuts />
          </div>
        ) : (
          <Pagination
            page={Math.min(search.page, pages)}
            pageSize={search.pageSize}
            total={total?.events}
            onPage={(page) => onSearch({ ...search, page })}
            onPageSize={(pageSize) => onSearch({ ...search, page: 1, pageSize: pageSize as EventSearch['pageSize'] })}
          >
            <EventShortcuts />
          </Pagination>
        )}
      </div>
      {described !== null && describedEvent !== undefined && (
        <LazyPart onFailure={() => setDescribed(null)}>
          <EventDescription event={describedEvent} anchor={described.anchor} onClose={() => setDescribed(null)} />
        </LazyPart>
      )}
    </div>
  )
}

/** Empty because nothing happened, or because of what is filtered: the second can be undone here. */
function NothingFound({ search, onSearch }: { search: EventSearch; onSearch: (search: EventSearch) => void }) {
  const isNarrowed = search.keyword !== '' || search.quick !== null || Object.keys(search.filter).length > 0
  if (!isNarrowed)
    return <EmptyState title="No events in this range">Choose a longer date range to see older ones.</EmptyState>
  return (
    <EmptyState
      title="No events found"
      action={{
        label: 'Clear search and filters',
        onClick: () => onSearch({ ...search, page: 1, keyword: '', quick: null, filter: {} }),
      }}
    >
      Nothing in this range matches the search and the filters.
    </EmptyState>
  )
}
