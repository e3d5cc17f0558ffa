import type { Instrument } from '@benchwatch/contract/instruments/instruments'
import { ALL_FAMILIES } from '@benchwatch/contract/vocabulary'
import { ActionIcon, Tabs } from '@mantine/core'
import { replaceEqualDeep, useQuery, useQueryClient } from '@tanstack/react-query'
import { lazy, useEffect, useEffectEvent, useMemo, useRef } from 'react'
import { counted } from '../../../lib/folded.ts'
import { familyLabel, instrumentTypesQuery, useInstrumentTypes } from '../../../lib/instrument-type.ts'
import { formatClock } from '../../../lib/time/dates.ts'
import { FilterPresses } from '../../../ui/list/filters/filter-value.tsx'
import { ListScreen, ListStrip } from '../../../ui/list/list-screen.tsx'
import { ShortcutButton, ShortcutSheet } from '../../../ui/overlay/shortcut-sheet.tsx'
import { useFailureToast } from '../../../ui/overlay/toasts.ts'
import { EmptyState, RetryLine } from '../../../ui/text/notice.tsx'
import { useNow } from '../../../ui/time/use-now.ts'
import { useStatusPoll } from '../../connections/connections.api.ts'
import { ExportButton } from '../../exports/export-button.tsx'
import {
  changeInstruments,
  instrumentFamiliesQuery,
  instrumentListQuery,
  instrumentRowsQuery,
  putMaintenances,
} from '../instruments.api.ts'
import { type InstrumentSearch, instrumentAddress, pressValue, sortBy } from '../instruments.search.ts'
import { instrumentColumns } from './instrument-list.columns.tsx'
import { InstrumentListHeader } from './instrument-list-header.tsx'
import { exportOf, listRequest, narrowing } from './instrument-view.ts'
import '@mantine/core/styles/Tabs.layer.css'
import { useMergedRef, useScroller } from '@mantine/hooks'
import { Chevron } from '../../../ui/text/chevron.tsx'
import styles from './instrument-list.module.css'

// Loads the component usage after the rows are painted, before the user expands one.
const loadRowDetails = () => import('./instrument-row-details.tsx')
const InstrumentRowDetails = lazy(() => loadRowDetails().then((file) => ({ default: file.InstrumentRowDetails })))

const PANEL = 'instruments-panel'

/** The list of instruments. It shows `search`, which is in the address, and reports every change through `onSearch`. */
export function InstrumentList(props: {
  search: InstrumentSearch
  /** True until the initial search is known; nothing is loaded until then. */
  isWaiting: boolean
  onSearch: (search: InstrumentSearch, options?: { replace: boolean }) => void
  onOpen: (id: string) => void
}) {
  const { search, onSearch } = props
  const client = useQueryClient()
  const now = useNow()
  const family = useFamilyState(search.instrumentFamily)
  const isGone = family === 'gone'
  const showAllFamilies = useEffectEvent(() =>
    onSearch({ ...search, instrumentFamily: ALL_FAMILIES }, { replace: true }),
  )
  useEffect(() => void (isGone && showAllFamilies()), [isGone])
  const list = useQuery({
    ...instrumentListQuery(listRequest(search)),
    enabled: !props.isWaiting && family === 'there',
  })
  useFailureToast(list, 'Could not get instruments')
  const rows = list.data?.values ?? []
  const total = list.data?.total.instruments
  const isLoaded = list.isSuccess && !list.isPlaceholderData
  const statusesAsOf = useListFreshness(isLoaded ? rows : [], { readAt: list.dataUpdatedAt, now })
  const look = useMemo(
    () => ({ statusesAsOf, onMaintained: putMaintenances.bind(null, client) }),
    [statusesAsOf, client],
  )
  useEffect(() => void (isLoaded && loadRowDetails()), [isLoaded])

  return (
    <FilterPresses onPress={(press) => onSearch(pressValue(search, press))}>
      <ListScreen
        list={instrumentColumns}
        area={instrumentAddress.area}
        search={search}
        onPage={(change, options) => onSearch({ ...search, ...change }, options)}
        onSort={(orderBy) => onSearch(sortBy(search, orderBy))}
        answer={list}
        rows={rows}
        total={total}
        narrowed={narrowing(search)}
        look={look}
        header={<InstrumentListHeader search={search} total={total} now={now} onSearch={onSearch} />}
        tabs={
          <FamilyTabs
            family={search.instrumentFamily}
            panel={PANEL}
            onFamily={(instrumentFamily) => onSearch({ ...search, page: 1, instrumentFamily })}
          />
        }
        panel={{ id: PANEL, role: 'tabpanel', 'aria-label': 'Instruments' }}
        strip={
          <InstrumentListStrip
            limitedTo={search.instruments.length}
            loadedAt={list.dataUpdatedAt}
            hasFailed={list.isError}
            onRetry={() => void list.refetch()}
            onShowAll={() => onSearch({ ...search, page: 1, instruments: [], temporaryFilters: false })}
          />
        }
        selectionActions={(selected) => (
          <ExportButton request={exportOf(search, selected)} count={selected.count} isSelection />
        )}
        details={(instrument) => <InstrumentRowDetails instrument={instrument} />}
        empty={<NothingFound search={search} onSearch={onSearch} />}
        failureTitle="Could not get instruments"
        shortcuts={<ShortcutButton size={30} sheet={(close) => <ShortcutSheet groups={shortcuts} onClose={close} />} />}
        // An address may also name an instrument by its installed product id.
        isNamed={(instrument, name) => instrument.id === name || instrument.instrumentInstalledProductId === name}
        onOpen={({ id }) => props.onOpen(id)}
      />
    </FilterPresses>
  )
}

/**
 * Returns whether the registry has the family, which is asked first: an address or a view may name one that was deleted,
 * and the server would refuse the list.
 */
function useFamilyState(family: string): 'there' | 'asked' | 'gone' {
  const { data, isFetching } = useQuery(instrumentTypesQuery())
  if (family === ALL_FAMILIES || data?.families.some(({ key }) => key === family)) return 'there'
  if (isFetching) return 'asked'
  // If the families could not be read, the list may know more.
  return data === undefined ? 'there' : 'gone'
}

/** Keys bound in `ui/list/use-list-rows.ts`. */
const shortcuts = [
  {
    title: 'Instrument list',
    shortcuts: [
      { keys: ['/'], does: 'Search' },
      { keys: ['j'], does: 'Next instrument' },
      { keys: ['k'], does: 'Previous instrument' },
      { keys: ['x'], does: 'Select or deselect' },
      { keys: ['e'], does: 'Expand or collapse' },
      { keys: ['Esc'], does: 'Collapse' },
      { keys: ['o', 'Enter'], does: 'Open the instrument' },
    ],
  },
  {
    title: 'Families',
    shortcuts: [
      { keys: ['←', '→'], does: 'Move between tabs' },
      { keys: ['Enter'], does: 'Show the family' },
    ],
  },
] as const

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
      <ListStrip hasFailed>
        <button type="button" onClick={props.onRetry}>
          Could not get instruments. Showing data from {formatClock(loadedAt)}. Try again
        </button>
      </ListStrip>
    )
  if (limitedTo === 0) return <ListStrip isQuiet>{loadedAt === 0 && 'Loading instruments…'}</ListStrip>
  return (
    <ListStrip isLit>
      <span>Limited to {counted(limitedTo, 'instrument')}</span>
      <button type="button" onClick={props.onShowAll}>
        Show all
      </button>
    </ListStrip>
  )
}

/** Pixels that one press of an arrow scrolls: document 2 section 9. */
const SCROLL_STEP = 400

/**
 * Tabs for all instruments and for each family. A strip wider than the screen scrolls by swiping, by its arrow
 * buttons, or by the arrow keys. Enter selects, so that moving past a tab sends no request.
 */
export function FamilyTabs(props: {
  family: string
  /** Id of the tab panel. */
  panel: string
  onFamily: (family: string) => void
}) {
  const { family, panel } = props
  const types = useInstrumentTypes()
  const families = useQuery(instrumentFamiliesQuery())
  useFailureToast(families, 'Could not get instrument families')
  const tabs = familyTabs(families.data ?? [], family)
  const strip = useRef<HTMLDivElement>(null)
  const scroller = useScroller({ draggable: false })
  const ref = useMergedRef(strip, scroller.ref)

  useEffect(() => {
    const tab = strip.current?.querySelector('[aria-selected="true"]')
    tab?.scrollIntoView?.({ block: 'nearest', inline: 'nearest' })
  }, [family, tabs.length])

  // The keyboard scrolls the strip on its own; these buttons are for the pointer only.
  const arrow = (to: 'left' | 'right', label: string) => (
    <ActionIcon
      variant="default"
      size={32}
      tabIndex={-1}
      className={styles.arrow}
      data-to={to}
      aria-label={label}
      onClick={() => strip.current?.scrollBy({ left: to === 'left' ? -SCROLL_STEP : SCROLL_STEP })}
    >
      <Chevron to={to} size={16} />
    </ActionIcon>
  )

  return (
    <Tabs
      value={family}
      onChange={(name) => name !== family && props.onFamily(name ?? ALL_FAMILIES)}
      activateTabWithKeyboard={false}
      classNames={{ root: styles.tabs, list: styles.strip, tab: styles.tab }}
      mod={{ before: scroller.canScrollStart, after: scroller.canScrollEnd }}
    >
      <Tabs.List ref={ref} aria-label="Instrument families">
        {tabs.map((name) => (
          <Tabs.Tab key={name} value={name} aria-controls={panel}>
            {familyLabel(types, name)}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      {scroller.canScrollStart && arrow('left', 'Earlier families')}
      {scroller.canScrollEnd && arrow('right', 'More families')}
      {families.isError && families.data === undefined && (
        <RetryLine onRetry={() => void families.refetch()}>Could not get instrument families.</RetryLine>
      )}
    </Tabs>
  )
}

/** Returns the tabs: all, then the families. Always includes the selected one, so that it stays visible. */
export function familyTabs(families: readonly string[], chosen: string): string[] {
  const known = families.includes(chosen) || chosen === ALL_FAMILIES ? families : [...families, chosen]
  return [ALL_FAMILIES, ...known]
}
