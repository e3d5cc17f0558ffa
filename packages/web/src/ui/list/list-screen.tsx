import type { SelectionMode } from '@benchwatch/contract/vocabulary'
import { Button, Text, VisuallyHidden } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { type ComponentProps, type ReactNode, type Ref, useEffect, useEffectEvent, useRef } from 'react'
import type { ListPlace, PageSize, SortOrder } from '../../lib/list/list-address.ts'
import { FailedQuery } from '../text/notice.tsx'
import styles from './list.module.css'
import { type ListModel, useFittingColumns } from './list-columns.ts'
import { isPlainClick, ListTable, type RowPress, SortSelect } from './list-table.tsx'
import { Pagination, pageCount } from './pagination.tsx'
import { useDensity } from './use-density.ts'
import { useListRows, useSelection } from './use-list-rows.ts'

/** The selection in a list. */
export interface Selected {
  /** `include`: these ids. `exclude`: everything that the list finds, except these ids. */
  mode: SelectionMode
  ids: readonly string[]
  count: number
  clear: () => void
}

/** The table's part of an address. */
export interface TableSearch<Key extends string, OrderBy extends string> extends ListPlace {
  order: SortOrder
  orderBy: OrderBy
  columns: readonly Key[] | null
}

/** The parts of a query that the list shows. */
interface Answer {
  data: unknown
  error: Error | null
  isPending: boolean
  isFetching: boolean
  isSuccess: boolean
  isPlaceholderData: boolean
  refetch: () => unknown
}

/**
 * A whole list screen: header, selection bar, table or cards, pagination. It manages selection, expanded rows, keys,
 * skeleton, empty, failed and stale states; `list` declares the columns. Shows only `search`, which is in the address.
 */
export function ListScreen<K extends string, O extends string, Row, Look>(props: {
  list: ListModel<K, O, Row, Look>
  /** Key under which this tab remembers the opened row. */
  area: string
  search: TableSearch<K, O>
  onPage: (change: { page: number; pageSize?: PageSize }, options?: { replace: boolean }) => void
  onSort: (orderBy: O) => void
  answer: Answer
  rows: readonly Row[]
  /** The number of rows in the whole result, as far as known; `found` is that of the shown answer. */
  total: number | undefined
  found?: number | undefined
  /** The number of rows that "all" selects. */
  selectable?: number
  /** Identifies the search that a selection belongs to. */
  narrowed: unknown
  look: Look
  header: ReactNode
  /** Tabs between header and table; the selection bar covers them. */
  tabs?: ReactNode
  /** A message at the upper edge of the table. Without tabs the selection bar covers and repeats it. */
  strip: ReactNode
  selectionActions: (selected: Selected) => ReactNode
  /** The content of an expanded row; may be lazy. */
  details: (row: Row) => ReactNode
  empty: ReactNode
  failureTitle: string
  /** Button of the shortcut sheet. */
  shortcuts: ReactNode
  /** True if this is the row that `rememberOpened` named. */
  isNamed: (row: Row, name: string) => boolean
  onOpen: (row: Row) => void
  /** Actions of the list's own, which cells name by `data-action`. */
  onAction?: (press: RowPress<Row>) => void
  /** The row with an open panel. */
  open?: string | null
  /** Keys of the list's own, for the current row. */
  keys?: Readonly<Record<string, (row: Row) => void>>
  /** Attributes of the card, if it is a tab panel. */
  panel?: Pick<ComponentProps<'div'>, 'id' | 'role' | 'aria-label'>
}) {
  const { list, search, answer, rows, total, found = total, selectable = total ?? 0 } = props
  const card = useRef<HTMLDivElement>(null)
  const columns = useFittingColumns(list.all, search.columns)
  const isLoaded = answer.isSuccess && !answer.isPlaceholderData
  const hasFailed = answer.error !== null
  /** After a failure without data there is nothing to describe, and the totals of another search would be wrong. */
  const hasNothing = hasFailed && answer.data === undefined
  const ids = rows.map(list.idOf)
  const selection = useSelection({
    area: props.area,
    of: JSON.stringify(props.narrowed),
    total: selectable,
    shown: ids,
    gone: rows.filter((row) => list.isGone?.(row)).map(list.idOf),
  })
  const { mode } = selection.selection
  const selected = { mode, ids: [...selection.selection.ids], count: selection.count, clear: clearSelection }
  const act = (run: ((row: Row) => void) | undefined) => (id: string) => {
    const row = rows.find((one) => list.idOf(one) === id)
    if (row !== undefined) run?.(row)
  }
  const { expanded, current, toggle, setCurrent, follow } = useListRows({
    area: props.area,
    ids,
    isLoaded,
    card,
    idOf: (name) => rows.filter((row) => props.isNamed(row, name)).map(list.idOf)[0],
    keys: {
      open: act(props.onOpen),
      select: selection.toggle,
      escape: () => {
        if (selection.count > 0) selection.clear()
      },
      others: Object.fromEntries(Object.entries(props.keys ?? {}).map(([key, run]) => [key, act(run)])),
    },
  })

  const pages = pageCount(found ?? 0, search.pageSize)
  const goToFirstPage = useEffectEvent(() => props.onPage({ page: 1 }, { replace: true }))
  const isBeyondEnd = isLoaded && search.page > pages
  useEffect(() => {
    if (isBeyondEnd) goToFirstPage()
  }, [isBeyondEnd])

  /** The selection bar disappears, so focus moves to the checkbox that selects everything. */
  function clearSelection() {
    selection.clear()
    card.current?.querySelector<HTMLElement>('thead input')?.focus({ preventScroll: true })
  }

  function handlePress(press: RowPress<Row>) {
    const { row, id, action, click } = press
    setCurrent(id)
    if (action === 'expand') toggle(id)
    else if (action === 'select') selection.toggle(id, { range: click.shiftKey })
    else if (action !== 'open') props.onAction?.(press)
    else if (isPlainClick(click)) {
      click.preventDefault()
      props.onOpen(row)
    }
  }

  const isSelecting = selected.count > 0
  /** With cards the selection bar is at the bottom and covers no line of the list. */
  const isWide = useMediaQuery('(width >= 900px)', true, { getInitialValueInEffect: false })
  const isStripCovered = isSelecting && isWide && props.tabs === undefined
  const table = { list, columns, look: props.look, sort: search, isChosen: search.columns !== null }

  return (
    <div className={styles.page} data-selecting={isSelecting || undefined} data-density={useDensity()}>
      {props.header}
      {props.tabs !== undefined && <div className={styles.tabs}>{props.tabs}</div>}
      <SelectionBar
        label={`Selected ${list.things}`}
        selected={selected}
        total={selectable}
        onSelectAll={selection.selectAll}
        covered={isStripCovered && !hasNothing && props.strip}
      >
        {props.selectionActions(selected)}
      </SelectionBar>
      <div className={styles.card} ref={card} aria-busy={answer.isFetching} onFocus={follow} {...props.panel}>
        {!hasNothing && (
          <div className={styles.strip}>
            {!isStripCovered && props.strip}
            <SortSelect columns={list.all} sort={search} onSort={props.onSort} />
          </div>
        )}
        {hasFailed && rows.length === 0 ? (
          <FailedQuery title={props.failureTitle} query={answer} />
        ) : (
          <div className={styles.scroll} data-stale={answer.isPlaceholderData || undefined}>
            {answer.isPending && <ListTable {...table} rows={search.pageSize} />}
            {rows.length > 0 && (
              <ListTable
                {...table}
                rows={rows}
                onSort={props.onSort}
                headBox={{ state: selection.head, onPress: selection.pressHead }}
                marks={{ expanded, current, selection: selection.selection, open: props.open ?? null }}
                onPress={handlePress}
                details={props.details}
              />
            )}
            {isLoaded && rows.length === 0 && props.empty}
          </div>
        )}
        {hasNothing ? (
          <div className={styles.foot}>{props.shortcuts}</div>
        ) : (
          <Pagination
            page={total === undefined ? search.page : Math.min(search.page, pages)}
            pageSize={search.pageSize}
            total={total}
            onPage={(page) => props.onPage({ page })}
            onPageSize={(pageSize) => props.onPage({ page: 1, pageSize })}
          >
            {props.shortcuts}
          </Pagination>
        )}
      </div>
    </div>
  )
}

/**
 * A message at the upper edge of the table, over the space above it, so that rows do not move. `isQuiet`: only screen
 * readers get it, because it asks for nothing.
 */
export function ListStrip(props: {
  ref?: Ref<HTMLDivElement>
  isLit?: boolean
  hasFailed?: boolean
  isQuiet?: boolean
  children: ReactNode
}) {
  return (
    <div
      ref={props.ref}
      className={styles.stripLine}
      role="status"
      tabIndex={-1}
      data-quiet={props.isQuiet || undefined}
      data-lit={props.isLit || undefined}
      data-failed={props.hasFailed || undefined}
    >
      {props.children}
    </div>
  )
}

/**
 * Shows the number of selected rows and the actions for them (`children`). Covers the tabs, or the table head beside its
 * checkbox, without moving rows, and sticks to the top of the window while the list scrolls.
 */
export function SelectionBar(props: {
  /** Accessible name, such as 'Selected events'. */
  label: string
  selected: Pick<Selected, 'mode' | 'count' | 'clear'>
  total: number
  onSelectAll: () => void
  /** The content of the line that the bar covers, if it is still needed. */
  covered?: ReactNode
  children?: ReactNode
}) {
  const { selected, total } = props
  const isOpen = selected.count > 0
  const text = `${selected.count.toLocaleString('en')} selected`
  return (
    <>
      {/* Always rendered: screen readers ignore the content of a live region that has just been added. */}
      <VisuallyHidden component="p" role="status">
        {isOpen ? text : ''}
      </VisuallyHidden>
      {isOpen && (
        <div className={styles.place}>
          <section className={styles.bar} aria-label={props.label}>
            <Text component="strong" fw={620} className={styles.figures}>
              {text}
            </Text>
            <Button variant="transparent" className={styles.link} onClick={selected.clear}>
              Clear
            </Button>
            {selected.mode === 'include' && selected.count < total && (
              <Button variant="transparent" className={styles.link} onClick={props.onSelectAll}>
                Select all {total.toLocaleString('en')}
              </Button>
            )}
            {props.covered}
            <div className={styles.actions}>{props.children}</div>
          </section>
        </div>
      )}
    </>
  )
}
