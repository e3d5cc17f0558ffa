import { useMediaQuery } from '@mantine/hooks'
import { type QueryClient, useQuery, useQueryClient } from '@tanstack/react-query'
import { lazy, type ReactNode, use, useEffect, useEffectEvent, useRef, useState } from 'react'
import { call } from '../../../lib/http.ts'
import { IsLive } from '../../../lib/live-handler.ts'
import { LazyPart } from '../../../ui/layout/lazy-part.tsx'
import { useFittingColumns } from '../../../ui/list/columns/use-fitting-columns.ts'
import styles from '../../../ui/list/list-page.module.css'
import { Pagination, pageCount } from '../../../ui/list/pagination.tsx'
import { SelectionBar } from '../../../ui/list/selection-bar.tsx'
import { SortSelect } from '../../../ui/list/sort-select.tsx'
import { useListRows } from '../../../ui/list/use-list-rows.ts'
import { useSelection } from '../../../ui/list/use-selection.ts'
import { EmptyState, ErrorState } from '../../../ui/text/notice.tsx'
import { useNow } from '../../../ui/time/use-now.ts'
import { useStatusPoll } from '../../connections/connections.api.ts'
import { ExportButton } from '../../exports/export-button.tsx'
import { usersQuery } from '../../users/users.api.ts'
import { type EventPage, type ListedServiceEvent, type LoadedPage, patchStatus, totalsOf } from '../event-cache.ts'
import { mayAssignToMe, type Viewer } from '../event-owner.ts'
import {
  changeServiceEvents,
  createdQuery,
  listQuery,
  putServiceEvent,
  serviceEventKeys,
  totalsQuery,
} from '../events.api.ts'
import { type EventSearch, eventAddress, sortBy } from '../events.search.ts'
import { useEventActions } from '../use-event-actions.ts'
import { EventListHeader } from './event-list-header.tsx'
import {
  eventRange,
  type ListRequest,
  listRequest,
  type Narrowing,
  narrowing,
  type SelectedEvents,
} from './event-list-request.ts'
import { EventShortcuts } from './event-shortcuts.tsx'
import { EventTable, EventTableSkeleton } from './event-table.tsx'
import { rememberNewEvent } from './new-events.ts'
import { NewEventsBar } from './new-events-bar.tsx'
import { useEventColumns, withinColumns } from './use-event-columns.ts'
import { useUnseenEvents } from './use-unseen-events.ts'

/** The same interval as on the details screen (3-decisions 4: what push missed). */
export const LIST_POLL_MS = 10_000

// Opens on a press, so it is loaded after the rows are painted.
const loadDescription = () => import('../details/event-description.tsx')
const EventDescription = lazy(() => loadDescription().then((file) => ({ default: file.EventDescription })))

/** The event list. It shows only `search`, which the address holds; every change goes out through `onSearch`. */
export function EventList(props: {
  search: EventSearch
  viewer: Viewer
  /** True until the default view is known: nothing is requested. */
  isWaiting?: boolean
  onSearch: (search: EventSearch, options?: { replace: boolean }) => void
  onOpen: (eventId: string) => void
  /** Actions for selected events, shown beside their number. */
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
  /** The event whose description is open, and the element it is anchored to. */
  const [described, setDescribed] = useState<{ id: string; anchor: HTMLElement } | null>(null)
  const columns = useFittingColumns(eventColumns, table.columns)
  const searchBox = useRef<HTMLInputElement>(null)
  const card = useRef<HTMLDivElement>(null)
  /** On a phone the selection bar is at the bottom and covers no line of the list. */
  const isWide = useMediaQuery('(width >= 720px)', true, { getInitialValueInEffect: false })

  const rows = list.data?.values ?? []
  /** After a failure without data there is nothing to describe, and the totals of another search would be wrong. */
  const hasNothing = list.isError && list.data === undefined
  const total = hasNothing ? undefined : (totals.data ?? (list.data && totalsOf(list.data)))
  const polledAt = useListPoll({ request, narrowed, isLoaded })
  const statusesAsOf = useInstrumentStatuses(isLoaded ? rows : [], { readAt: list.dataUpdatedAt, now })
  const shown = list.data && {
    search,
    range: eventRange(search, now),
    page: list.data,
    requestedAt: list.data.requestedAt,
  }
  const unseen = useUnseenEvents(shown, narrowed)
  // The server's totals are refetched after each new event; the page's own totals match what it shows.
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

  /** The selection bar disappears, so focus moves to the checkbox that selects everything. */
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

  const isSelecting = selected.count > 0
  const isStripCovered = isSelecting && isWide
  const strip = (
    <NewEventsBar
      count={unseen.count}
      loadedAt={list.dataUpdatedAt}
      polledAt={polledAt}
      hasFailed={list.isError}
      onLoad={loadNewEvents}
    />
  )

  return (
    <div className={styles.page} data-selecting={isSelecting || undefined}>
      <EventListHeader search={search} total={total} now={now} onSearch={onSearch} searchBox={searchBox} />
      <SelectionBar
        label="Selected events"
        selected={selected}
        total={selectable}
        onSelectAll={selection.selectAll}
        covered={isStripCovered && !hasNothing && strip}
      >
        {props.selectionActions?.(selected)}
        <ExportButton
          request={{
            query: { ...selected.narrowing.query, order: table.order, orderBy: table.orderBy },
            body: { type: 'event', ids: [...selected.ids], mode: selected.mode, filter: search.filter },
          }}
          count={selected.count}
          isSelection
          isIconOnPhone
        />
      </SelectionBar>
      <div className={styles.card} ref={card} aria-busy={list.isFetching} onFocus={follow}>
        {!hasNothing && (
          <div className={styles.strip}>
            {!isStripCovered && strip}
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
            page={total === undefined ? search.page : Math.min(search.page, pages)}
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

/** Shown if the list is empty: either nothing happened, or the filters exclude everything, which can be undone here. */
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

/**
 * Keeps the instrument statuses of the rows up to date. Returns the time (epoch ms) since when they could not be
 * confirmed, or null.
 */
export function useInstrumentStatuses(
  rows: readonly ListedServiceEvent[],
  { readAt, now }: { readAt: number; now: number },
): number | null {
  const client = useQueryClient()
  const shown = rows.filter(({ alarm, removed }) => !alarm.isEdgeIssue && !removed)
  return useStatusPoll(
    shown.map(({ alarm }) => alarm.instrumentInstalledProductId),
    {
      readAt,
      now,
      apply: (statuses) => changeServiceEvents(client, (event) => patchStatus(event, statuses)),
    },
  )
}

/**
 * Polls while there is no live connection, for example behind a proxy without websockets. As with live messages, rows
 * change in place and new events only show the bar. Returns the time of the last answer (epoch ms), or null if polling
 * is off or gets no answer.
 */
export function useListPoll(list: { request: ListRequest; narrowed: Narrowing; isLoaded: boolean }): number | null {
  const { request, narrowed, isLoaded } = list
  const isOn = !use(IsLive) && isLoaded
  const poll = useQuery({
    queryKey: serviceEventKeys.poll(request),
    queryFn: async ({ client, signal }) => {
      const page = await call('listServiceEvents', { ...request, signal })
      client.setQueryData(serviceEventKeys.totalsOf(narrowed), totalsOf(page))
      applyPolledPage(client, page, client.getQueryData<LoadedPage>(serviceEventKeys.list(request)))
      return Date.now()
    },
    enabled: isOn,
    // The list was read a moment ago, and the live connection usually returns before the next poll.
    initialData: 0,
    initialDataUpdatedAt: () => Date.now(),
    staleTime: LIST_POLL_MS,
    refetchInterval: LIST_POLL_MS,
    refetchOnWindowFocus: false,
    retry: false,
    gcTime: 0,
  })
  return isOn && !poll.isError && poll.data > 0 ? poll.data : null
}

/** Handles a polled page like live messages: changes of visible rows, and creations after the newest visible one. */
function applyPolledPage(client: QueryClient, page: EventPage, shown: LoadedPage | undefined): void {
  const newest = Math.max(...(shown?.values ?? []).map(({ alarm }) => Date.parse(alarm.createdAt)))
  for (const { alarm } of page.values) {
    putServiceEvent(client, alarm)
    if (Date.parse(alarm.createdAt) <= newest) continue
    const { id, eventId, createdAt, severity, alertStatus, instrumentInstalledProductId } = alarm
    const created = { id, eventId, createdAt, severity, alertStatus, instrumentInstalledProductId }
    client.setQueryData(createdQuery().queryKey, (known = []) =>
      rememberNewEvent(known, { created, arrivedAt: Date.now() }),
    )
  }
}
