import { useQuery, useQueryClient } from '@tanstack/react-query'
import { type FocusEvent, lazy, type ReactNode, Suspense, useEffect, useEffectEvent, useRef, useState } from 'react'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { Pagination } from '../../ui/pagination.tsx'
import { SelectionBar } from '../../ui/selection-bar.tsx'
import { useNow } from '../../ui/use-now.ts'
import { useSelection } from '../../ui/use-selection.ts'
import { ExportButton } from '../exports/export-button.tsx'
import { usersQuery } from '../users/users.api.ts'
import styles from './event-list.module.css'
import { EventListHeader } from './event-list-header.tsx'
import { eventRange, lastPage, listRequest, narrowing } from './event-list-request.ts'
import { mayAssignToMe, type Viewer } from './event-owner.ts'
import type { SelectedEvents } from './event-selection.ts'
import { EventShortcuts } from './event-shortcuts.tsx'
import { EventTable, EventTableSkeleton } from './event-table.tsx'
import { countNewEvents } from './new-events.ts'
import { NewEventsBar } from './new-events-bar.tsx'
import { createdQuery, listQuery, serviceEventKeys, totalsQuery } from './service-events.api.ts'
import { type EventSearch, sortBy } from './service-events.search.ts'
import { SortSelect } from './sort-select.tsx'
import { useEventActions } from './use-event-actions.ts'
import { focusRow, useEventKeys } from './use-event-keys.ts'
import { useFittingColumns } from './use-fitting-columns.ts'
import { useInstrumentStatuses } from './use-instrument-statuses.ts'
import { useReturnToRow } from './use-return-to-row.ts'

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
  const client = useQueryClient()
  const now = useNow()
  const request = listRequest(search, now)
  const narrowed = narrowing(search, now)
  const list = useQuery({ ...listQuery(request, narrowed), enabled: props.isWaiting !== true })
  const isLoaded = list.isSuccess && !list.isPlaceholderData
  const totals = useQuery({ ...totalsQuery(narrowed), enabled: isLoaded })
  const created = useQuery(createdQuery())
  const { data: users = [] } = useQuery(usersQuery())
  const { assign, isPending: isAssigning } = useEventActions(viewer)
  const [expanded, setExpanded] = useState<ReadonlySet<string>>(new Set())
  const [current, setCurrent] = useState<string | null>(null)
  /** Whose description is open, and below which element. */
  const [described, setDescribed] = useState<{ id: string; anchor: HTMLElement } | null>(null)
  const columns = useFittingColumns(search.columns)
  const searchBox = useRef<HTMLInputElement>(null)
  const card = useRef<HTMLDivElement>(null)

  const rows = list.data?.values ?? []
  /** The answer failed: there is nothing of which anything could be said, least of all numbers of another search. */
  const hasNothing = list.isError && list.data === undefined
  const total = hasNothing ? undefined : (totals.data ?? list.data?.total)
  const statusesAsOf = useInstrumentStatuses(isLoaded ? rows : [], { readAt: list.dataUpdatedAt, now })
  const selection = useSelection({
    of: JSON.stringify(narrowed),
    total: total?.events ?? 0,
    shown: rows.map(({ alarm }) => alarm.id),
    gone: rows.filter(({ removed }) => removed).map(({ alarm }) => alarm.id),
  })
  const selected: SelectedEvents = {
    mode: selection.selection.mode,
    ids: [...selection.selection.ids],
    count: selection.count,
    narrowing: narrowed,
    clear: clearSelection,
  }
  const pages = lastPage(list.data?.total.events ?? 0, search.pageSize)
  const newEvents = list.data
    ? countNewEvents(created.data, {
        search,
        range: eventRange(search, now),
        page: list.data,
        loadedAt: list.dataUpdatedAt,
      })
    : 0

  const goToFirstPage = useEffectEvent(() => onSearch({ ...search, page: 1 }, { replace: true }))
  const isBeyondEnd = isLoaded && search.page > pages
  useEffect(() => {
    if (isBeyondEnd) goToFirstPage()
  }, [isBeyondEnd])
  useEffect(() => void (isLoaded && loadDescription()), [isLoaded])

  function toggle(id: string) {
    setExpanded((known) => {
      const next = new Set(known)
      if (!next.delete(id)) next.add(id)
      return next
    })
  }

  /** The bar goes, so the box that selects everything takes the focus that would be lost with it. */
  function clearSelection() {
    selection.clear()
    card.current?.querySelector<HTMLElement>('thead input')?.focus({ preventScroll: true })
  }

  function move(step: 1 | -1) {
    const place = rows.findIndex(({ alarm }) => alarm.id === current)
    const next = place < 0 ? 0 : Math.min(Math.max(place + step, 0), rows.length - 1)
    const id = rows[next]?.alarm.id
    if (id === undefined) return
    setCurrent(id)
    focusRow(card.current, id)
  }

  useReturnToRow(isLoaded, (eventId) => {
    const id = rows.find(({ alarm }) => alarm.eventId === eventId)?.alarm.id
    if (id === undefined) return
    setCurrent(id)
    focusRow(card.current, id)
  })

  const describedEvent = rows.find(({ alarm }) => alarm.id === described?.id)?.alarm
  /** Keys are about the row that has the focus, however it came there. */
  function follow({ target }: FocusEvent<HTMLElement>) {
    const id = target.closest('[data-row]')?.getAttribute('data-row')
    if (typeof id === 'string') setCurrent(id)
  }

  const focused = rows.find(({ alarm }) => alarm.id === current)?.alarm
  useEventKeys({
    search: () => searchBox.current?.focus(),
    move,
    open: () => focused && onOpen(focused.eventId),
    expand: () => focused && toggle(focused.id),
    collapse: () => {
      if (focused === undefined || !expanded.has(focused.id)) return
      toggle(focused.id)
      // What had the focus may be gone with the details.
      focusRow(card.current, focused.id)
    },
    select: () => focused && selection.toggle(focused.id),
    assignToMe: () => {
      const me = users.find(({ id }) => id === viewer.id)
      if (focused && me && !isAssigning && mayAssignToMe(focused, viewer, users)) void assign(focused, me)
    },
  })

  function loadNewEvents() {
    client.setQueryData(createdQuery().queryKey, [])
    void client.invalidateQueries({ queryKey: serviceEventKeys.lists })
    if (search.page !== 1) onSearch({ ...search, page: 1 })
  }

  return (
    <div className={styles.page} data-selecting={selected.count > 0 || undefined}>
      <EventListHeader search={search} total={total} now={now} onSearch={onSearch} searchBox={searchBox} />
      <SelectionBar
        label="Selected events"
        selected={selected}
        total={total?.events ?? 0}
        onSelectAll={selection.selectAll}
      >
        {props.selectionActions?.(selected)}
        <ExportButton
          request={{
            query: { ...narrowed.query, order: search.order, orderBy: search.orderBy },
            body: { ids: [...selected.ids], mode: selected.mode, filter: search.filter },
          }}
          count={selected.count}
          isSignOnPhone
        />
      </SelectionBar>
      <div className={styles.card} ref={card} aria-busy={list.isFetching} onFocus={follow}>
        {!hasNothing && (
          <div className={styles.strip}>
            <NewEventsBar
              count={newEvents}
              loadedAt={list.dataUpdatedAt}
              hasFailed={list.isError}
              onLoad={loadNewEvents}
            />
            <SortSelect sort={search} onSort={(orderBy) => onSearch(sortBy(search, orderBy))} />
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
                isChosen={search.columns !== null}
                viewer={viewer}
                now={now}
                statusesAsOf={statusesAsOf}
                sort={search}
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
            total={total?.events ?? 0}
            onPage={(page) => onSearch({ ...search, page })}
            onPageSize={(pageSize) => onSearch({ ...search, page: 1, pageSize: pageSize as EventSearch['pageSize'] })}
          >
            <EventShortcuts />
          </Pagination>
        )}
      </div>
      {described !== null && describedEvent !== undefined && (
        <Suspense>
          <EventDescription event={describedEvent} anchor={described.anchor} onClose={() => setDescribed(null)} />
        </Suspense>
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
