import type { EventOrderBy } from '@benchwatch/contract/vocabulary'
import { type CSSProperties, Fragment, lazy, type MouseEvent, type ReactNode, Suspense, useEffect } from 'react'
import { isSelected, type Selection } from '../../lib/selection.ts'
import { SortButton } from '../../ui/sort-button.tsx'
import { columnSigns } from './column-sign.tsx'
import { type EventColumn, leadingWidths, shownDirection, widthOf } from './event-list.columns.ts'
import type { Viewer } from './event-owner.ts'
import { EventRow } from './event-row.tsx'
import styles from './event-table.module.css'
import type { ListedServiceEvent } from './service-event-cache.ts'
import type { EventSearch } from './service-events.search.ts'

// Menus, dialogs and what places them are 40 kB: they come once the rows are painted, before anybody expands one.
const loadRowDetails = () => import('./event-row-details.tsx')
const EventRowDetails = lazy(() => loadRowDetails().then((file) => ({ default: file.EventRowDetails })))

export interface RowActions {
  toggle: (id: string) => void
  open: (eventId: string) => void
  focus: (id: string) => void
  /** With `range`, everything from the row that was pressed before. */
  select: (id: string, options: { range: boolean }) => void
  /** Opens the description dropdown of a row below the element that was pressed, or closes it. */
  describe: (id: string, pressed: HTMLElement) => void
}

export interface MarkedRows {
  expanded: ReadonlySet<string>
  current: string | null
  selection: Selection
  described: string | null
}

/** The box in the head: what it shows and what a press does. */
export interface HeadBox {
  state: 'all' | 'some' | 'none'
  onPress: () => void
}

/** The table of one page. It handles the clicks of all rows, so that a row carries no handlers of its own. */
export function EventTable(props: {
  rows: readonly ListedServiceEvent[]
  columns: readonly EventColumn[]
  /** Somebody chose these columns; cards on narrow screens then show all of them. */
  isChosen: boolean
  viewer: Viewer
  now: number
  statusesAsOf: number | null
  sort: Pick<EventSearch, 'order' | 'orderBy'>
  onSort: (orderBy: EventOrderBy) => void
  headBox: HeadBox
  marked: MarkedRows
  actions: RowActions
}) {
  const { rows, columns, viewer, now, marked, actions } = props
  useEffect(() => void loadRowDetails(), [])

  function handleClick(click: MouseEvent) {
    const target = click.target instanceof Element ? click.target : null
    const id = target?.closest('[data-row]')?.getAttribute('data-row')
    const row = rows.find(({ alarm }) => alarm.id === id)
    if (target === null || row === undefined) return
    actions.focus(row.alarm.id)
    const pressed = target.closest<HTMLElement>('[data-action]')
    const action = pressed?.dataset['action']
    if (action === 'expand') actions.toggle(row.alarm.id)
    if (action === 'describe' && pressed) actions.describe(row.alarm.id, pressed)
    if (action === 'select') actions.select(row.alarm.id, { range: click.shiftKey })
    // A modified click is left to the browser: a new tab, a new window, a download.
    if (
      action === 'open' &&
      click.button === 0 &&
      !(click.metaKey || click.ctrlKey || click.shiftKey || click.altKey)
    ) {
      click.preventDefault()
      actions.open(row.alarm.eventId)
    }
  }

  return (
    <EventTableFrame
      columns={columns}
      isChosen={props.isChosen}
      sort={props.sort}
      onSort={props.onSort}
      headBox={props.headBox}
      onClick={handleClick}
    >
      {rows.map((row) => {
        const { id } = row.alarm
        const isExpanded = marked.expanded.has(id)
        return (
          <Fragment key={id}>
            <EventRow
              row={row}
              columns={columns}
              viewer={viewer}
              now={now}
              isSelected={isSelected(marked.selection, id)}
              isExpanded={isExpanded}
              isCurrent={marked.current === id}
              isDescribed={marked.described === id}
              statusesAsOf={props.statusesAsOf}
            />
            {isExpanded && (
              <tr className={styles.detailsRow}>
                <td colSpan={columns.length + 2}>
                  <Suspense>
                    <EventRowDetails event={row.alarm} viewer={viewer} />
                  </Suspense>
                </td>
              </tr>
            )}
          </Fragment>
        )
      })}
    </EventTableFrame>
  )
}

/** Rows without content, in the real layout: nothing moves when the first page arrives. */
export function EventTableSkeleton({ rows, columns }: { rows: number; columns: readonly EventColumn[] }) {
  const places = Array.from({ length: rows }, (_, place) => place)
  return (
    <EventTableFrame columns={columns} sort={{ order: 'DESC', orderBy: 'createdAt' }}>
      {places.map((place) => (
        <tr key={place} className={styles.row} data-skeleton aria-hidden="true">
          <td className={styles.select} aria-hidden="true" />
          <td className={styles.expand} aria-hidden="true" />
          {columns.map(({ key }) => (
            <td key={key} className={styles[key]} aria-hidden="true">
              <span className={styles.bone} />
            </td>
          ))}
        </tr>
      ))}
    </EventTableFrame>
  )
}

function EventTableFrame(props: {
  columns: readonly EventColumn[]
  isChosen?: boolean
  sort: Pick<EventSearch, 'order' | 'orderBy'>
  onSort?: (orderBy: EventOrderBy) => void
  headBox?: HeadBox
  onClick?: (click: MouseEvent) => void
  children: ReactNode
}) {
  const { columns } = props
  // The description takes what is left; where it is hidden, the others share it.
  const widthIn = ({ key, width }: EventColumn) => (key === 'description' ? undefined : width)
  return (
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/no-noninteractive-element-interactions -- one listener for a hundred rows; the keyboard has the button, the link and the checkbox in each row
    <table
      className={styles.table}
      data-chosen={props.isChosen || undefined}
      style={{ '--table-width': `${widthOf(columns)}px` } as CSSProperties}
      onClick={props.onClick}
    >
      <caption className={styles.hidden}>Service events</caption>
      <colgroup>
        <col style={{ width: leadingWidths.select }} />
        <col style={{ width: leadingWidths.expand }} />
        {columns.map((column) => (
          <col key={column.key} style={{ width: widthIn(column) }} />
        ))}
      </colgroup>
      <thead>
        <tr>
          <th scope="col" className={styles.select}>
            <SelectAll box={props.headBox} />
          </th>
          <th scope="col" className={styles.expand}>
            <span className={styles.hidden}>Expand</span>
          </th>
          {columns.map((column) => (
            <ColumnHead key={column.key} column={column} sort={props.sort} onSort={props.onSort} />
          ))}
        </tr>
      </thead>
      <tbody>{props.children}</tbody>
    </table>
  )
}

function SelectAll({ box }: { box: HeadBox | undefined }) {
  const state = box?.state ?? 'none'
  return (
    <label className={styles.box}>
      <input
        type="checkbox"
        aria-label="Select all events"
        checked={state === 'all'}
        disabled={box === undefined}
        // A mixed box has no attribute for it.
        ref={(input) => {
          if (input !== null) input.indeterminate = state === 'some'
        }}
        onChange={() => box?.onPress()}
      />
    </label>
  )
}

function ColumnHead(props: {
  column: EventColumn
  sort: Pick<EventSearch, 'order' | 'orderBy'>
  onSort?: ((orderBy: EventOrderBy) => void) | undefined
}) {
  const { column, sort } = props
  const direction = sort.orderBy === column.orderBy ? shownDirection(column, sort.order) : undefined
  return (
    <th scope="col" className={styles[column.key]} aria-sort={direction}>
      <SortButton
        label={column.label}
        sign={columnSigns[column.key]}
        direction={direction}
        onPress={() => props.onSort?.(column.orderBy)}
      />
    </th>
  )
}
