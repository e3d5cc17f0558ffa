import type { ServiceEvent } from '@benchwatch/contract/events/events'
import { type QueryClient, useQuery, useQueryClient } from '@tanstack/react-query'
import { lazy, type ReactNode, use, useEffect, useEffectEvent, useMemo, useState } from 'react'
import { call } from '../../../lib/http.ts'
import { useInstrumentTypes } from '../../../lib/instrument-type.ts'
import { IsLive } from '../../../lib/live-handler.ts'
import { eventName } from '../../../lib/screen-name.ts'
import { LazyPart } from '../../../ui/layout/lazy-part.tsx'
import { FilterPresses } from '../../../ui/list/filters/filter-value.tsx'
import { ListScreen } from '../../../ui/list/list-screen.tsx'
import { rowTarget } from '../../../ui/list/use-list-rows.ts'
import { showNotice } from '../../../ui/overlay/toasts.ts'
import { EmptyState } from '../../../ui/text/notice.tsx'
import { useNow } from '../../../ui/time/use-now.ts'
import { useStatusPoll } from '../../connections/connections.api.ts'
import { ExportButton } from '../../exports/export-button.tsx'
import { KeyedLogs } from '../../logs/viewer/view-logs.tsx'
import { usersQuery } from '../../users/users.api.ts'
import { CloseEventDialog } from '../close/use-close-dialog.tsx'
import { type EventPage, type ListedServiceEvent, type LoadedPage, patchStatus, totalsOf } from '../event-cache.ts'
import {
  afterClaim,
  changeServiceEvents,
  createdQuery,
  listQuery,
  putServiceEvent,
  serviceEventKeys,
  totalsQuery,
} from '../events.api.ts'
import { type EventSearch, eventAddress, pressValue, sortBy, writeEventSearch } from '../events.search.ts'
import { rememberWalk } from '../list-walk.ts'
import { mayAssignToMe, primaryAction, type Viewer, whyNotOwner } from '../owner/event-owner.ts'
import { useEventActions } from '../use-event-actions.ts'
import { useEventColumns, withinColumns } from './event-list.columns.tsx'
import { EventListHeader } from './event-list-header.tsx'
import {
  eventRange,
  exportOf,
  type ListRequest,
  listRequest,
  type Narrowing,
  narrowing,
  type SelectedEvents,
} from './event-list-request.ts'
import { EventShortcuts } from './event-shortcuts.tsx'
import { rememberNewEvent } from './new-events.ts'
import { NewEventsBar, useUnseenEvents } from './new-events-bar.tsx'

/** The same interval as on the details screen (3-decisions 4: what push missed). */
export const LIST_POLL_MS = 10_000

// Menus and dialogs are 40 kB. They load after the rows are painted, before a row is expanded.
const loadRowDetails = () => import('./event-row-details.tsx')
const EventRowDetails = lazy(() => loadRowDetails().then((file) => ({ default: file.EventRowDetails })))

/** The event list. It shows only `search`, which the address contains; every change goes out through `onSearch`. */
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
  const { search, viewer, onSearch } = props
  const columns = useEventColumns()
  const table = withinColumns(search, columns)
  const client = useQueryClient()
  const now = useNow()
  const request = listRequest(table, now)
  const narrowed = narrowing(search, now)
  const list = useQuery({ ...listQuery(request, narrowed), enabled: props.isWaiting !== true })
  const isLoaded = list.isSuccess && !list.isPlaceholderData
  const totals = useQuery({ ...totalsQuery(narrowed), enabled: isLoaded })
  const { data: users = [] } = useQuery(usersQuery())
  const { assign } = useEventActions(viewer)
  const [panel, setPanel] = useState<{ kind: RowPanelKind; id: string; anchor: HTMLElement } | null>(null)

  const rows = list.data?.values ?? []
  // After a failure without data the totals of another search would be wrong.
  const isWithout = list.isError && list.data === undefined
  const total = isWithout ? undefined : (totals.data ?? (list.data && totalsOf(list.data)))
  const polledAt = useListPoll({ request, narrowed, isLoaded })
  const statusesAsOf = useInstrumentStatuses(isLoaded ? rows : [], { readAt: list.dataUpdatedAt, now })
  const mayOwn = users.some(({ id }) => id === viewer.id)
  const types = useInstrumentTypes()
  const look = useMemo(() => ({ viewer, types, now, mayOwn, statusesAsOf }), [viewer, types, now, mayOwn, statusesAsOf])
  const shown = list.data && {
    search,
    range: eventRange(search, now),
    page: list.data,
    requestedAt: list.data.requestedAt,
  }
  const unseen = useUnseenEvents(shown, narrowed)
  useRememberedWalk(table, isLoaded ? list.data : undefined)
  const panelEvent = rows.find(({ alarm }) => alarm.id === panel?.id)?.alarm
  useEffect(() => {
    if (!isLoaded) return
    void loadRowDetails()
    void loadDescription()
    void CloseEventDialog.preload()
  }, [isLoaded])

  function assignToMe({ alarm }: ListedServiceEvent) {
    const me = users.find((user) => user.id === viewer.id)
    if (me && mayAssignToMe(afterClaim(client, alarm, viewer), viewer, users)) void assign(alarm, me)
  }

  function open(kind: RowPanelKind, { alarm }: ListedServiceEvent) {
    const anchor = rowTarget(document, alarm.id)
    if (anchor !== undefined) setPanel({ kind, id: alarm.id, anchor })
  }

  function close(row: ListedServiceEvent) {
    if (primaryAction(afterClaim(client, row.alarm, viewer), look) === 'close') open('close', row)
    else showNotice(whyNotClose(row.alarm, viewer))
  }

  return (
    <FilterPresses onPress={(press) => onSearch(pressValue(search, press))}>
      <ListScreen
        list={columns}
        area={eventAddress.area}
        search={table}
        onPage={(change, options) => onSearch({ ...search, ...change }, options)}
        onSort={(orderBy) => onSearch(sortBy(search, orderBy))}
        answer={list}
        rows={rows}
        total={total?.events}
        found={list.data?.total.events}
        // The server's totals are refetched after each new event; the page's own totals match what it shows.
        selectable={(unseen.isWhole ? total : list.data?.total)?.events ?? 0}
        narrowed={narrowed}
        look={look}
        header={<EventListHeader search={search} total={total} now={now} onSearch={onSearch} />}
        strip={
          <NewEventsBar
            count={unseen.count}
            loadedAt={list.dataUpdatedAt}
            polledAt={polledAt}
            hasFailed={list.isError}
            onLoad={() => {
              void client.invalidateQueries({ queryKey: serviceEventKeys.lists })
              if (search.page !== 1) onSearch({ ...search, page: 1 })
            }}
          />
        }
        selectionActions={(selection) => {
          const selected = { ...selection, narrowing: unseen.seen }
          return (
            <>
              {props.selectionActions?.(selected)}
              <ExportButton request={exportOf(table, selected)} count={selected.count} isSelection isIconOnPhone />
            </>
          )
        }}
        details={({ alarm }) => <EventRowDetails event={alarm} viewer={viewer} />}
        empty={<NothingFound search={search} onSearch={onSearch} />}
        failureTitle="Could not get events"
        shortcuts={<EventShortcuts />}
        isNamed={({ alarm }, name) => alarm.eventId === name}
        onOpen={({ alarm }) => props.onOpen(alarm.eventId)}
        onAction={({ id, row, action, pressed }) => {
          if (action === 'describe' && pressed !== null)
            setPanel(id === panel?.id ? null : { kind: 'describe', id, anchor: pressed })
          if (action !== 'primary') return
          if (primaryAction(row.alarm, look) === 'close') open('close', row)
          else assignToMe(row)
          // The button changes its meaning, so the focus goes to the row.
          rowTarget(document, id)?.focus({ preventScroll: true })
        }}
        open={panel?.kind === 'describe' ? panel.id : null}
        keys={{
          a: assignToMe,
          c: close,
          l: (row) => open('logs', row),
          e: (row) => open('emails', row),
        }}
      />
      {panel !== null && panelEvent !== undefined && (
        <RowPanel {...panel} event={panelEvent} viewer={viewer} onClose={() => setPanel(null)} />
      )}
    </FilterPresses>
  )
}

/** Remembers the page on the screen, so that the page of an event leads to the next one. */
function useRememberedWalk(search: EventSearch, page: LoadedPage | undefined): void {
  const names = page?.values.map(({ alarm }) => alarm.eventId).join()
  const total = page?.total.events ?? 0
  const remember = useEffectEvent(() => {
    if (names === undefined) return
    const offset = (search.page - 1) * search.pageSize
    rememberWalk({ address: writeEventSearch(search), offset, total, names: names === '' ? [] : names.split(',') })
  })
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new page has new names or another total.
  useEffect(() => remember(), [names, total])
}

/** Says why the key that closes an event did nothing, and what to do. */
function whyNotClose(event: ServiceEvent, viewer: Viewer) {
  const message =
    event.alertStatus === '3_CLOSED'
      ? 'The event is closed already.'
      : whyNotOwner(event, { viewer, act: 'close the event' })
  return { title: `${eventName(event)} was not closed`, message }
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

const loadDescription = () => import('../details/event-description.tsx')
const EventDescription = lazy(() => loadDescription().then((file) => ({ default: file.EventDescription })))
const DropdownFrame = lazy(() =>
  import('../../../ui/overlay/dropdown-frame.tsx').then((file) => ({ default: file.DropdownFrame })),
)
const EmailList = lazy(() => import('../../event-emails/email-list.tsx').then((file) => ({ default: file.EmailList })))

/** A panel that a press or a key opens over the list, for one row. */
type RowPanelKind = 'describe' | 'close' | 'logs' | 'emails'

/** The open panel of one row. `anchor` is in the row; it gets the focus back. */
function RowPanel(props: {
  kind: RowPanelKind
  event: ServiceEvent
  viewer: Viewer
  anchor: HTMLElement
  onClose: () => void
}) {
  const { kind, event, viewer, anchor } = props

  function close() {
    props.onClose()
    anchor.focus({ preventScroll: true })
  }

  return (
    <LazyPart onFailure={close}>
      {kind === 'describe' && <EventDescription event={event} anchor={anchor} onClose={props.onClose} />}
      {kind === 'close' && <CloseEventDialog event={event} viewer={viewer} onDone={close} />}
      {kind === 'logs' && <KeyedLogs event={event} onClose={close} />}
      {kind === 'emails' && (
        <DropdownFrame
          anchor={anchor}
          title={`E-mails about ${eventName(event)}`}
          align="start"
          width={440}
          onClose={close}
        >
          <EmailList event={event} />
        </DropdownFrame>
      )}
    </LazyPart>
  )
}
