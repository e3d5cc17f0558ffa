import type { EventOrderBy } from '@benchwatch/contract/vocabulary'
import { Fragment, type MouseEvent, type ReactNode } from 'react'
import { type EventColumn, eventColumns, shownDirection } from './event-list.columns.ts'
import type { Viewer } from './event-owner.ts'
import { EventRow } from './event-row.tsx'
import { EventRowDetails } from './event-row-details.tsx'
import styles from './event-table.module.css'
import type { ListedServiceEvent } from './service-event-cache.ts'
import type { EventSearch } from './service-events.search.ts'

export interface RowActions {
  toggle: (id: string) => void
  open: (eventId: string) => void
  focus: (id: string) => void
}

/** The table of one page. It handles the clicks of all rows, so that a row carries no handlers of its own. */
export function EventTable(props: {
  rows: readonly ListedServiceEvent[]
  viewer: Viewer
  now: number
  sort: Pick<EventSearch, 'order' | 'orderBy'>
  onSort: (orderBy: EventOrderBy) => void
  marked: { expanded: ReadonlySet<string>; current: string | null }
  actions: RowActions
}) {
  const { rows, viewer, now, marked, actions } = props

  function handleClick(click: MouseEvent) {
    const target = click.target instanceof Element ? click.target : null
    const id = target?.closest('[data-row]')?.getAttribute('data-row')
    const row = rows.find(({ alarm }) => alarm.id === id)
    if (target === null || row === undefined) return
    actions.focus(row.alarm.id)
    const action = target.closest('[data-action]')?.getAttribute('data-action')
    if (action === 'expand') actions.toggle(row.alarm.id)
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
    <EventTableFrame sort={props.sort} onSort={props.onSort} onClick={handleClick}>
      {rows.map((row) => {
        const isExpanded = marked.expanded.has(row.alarm.id)
        return (
          <Fragment key={row.alarm.id}>
            <EventRow
              row={row}
              viewer={viewer}
              now={now}
              isExpanded={isExpanded}
              isCurrent={marked.current === row.alarm.id}
            />
            {isExpanded && (
              <tr className={styles.detailsRow}>
                <td colSpan={eventColumns.length}>
                  <EventRowDetails event={row.alarm} viewer={viewer} onOpen={actions.open} />
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
export function EventTableSkeleton({ rows }: { rows: number }) {
  const places = Array.from({ length: rows }, (_, place) => place)
  return (
    <EventTableFrame sort={{ order: 'DESC', orderBy: 'createdAt' }}>
      {places.map((place) => (
        <tr key={place} className={styles.row} data-skeleton aria-hidden="true">
          {eventColumns.map(({ key }) => (
            <td key={key} className={styles[key]}>
              {key !== 'expand' && <span className={styles.bone} />}
            </td>
          ))}
        </tr>
      ))}
    </EventTableFrame>
  )
}

function EventTableFrame(props: {
  sort: Pick<EventSearch, 'order' | 'orderBy'>
  onSort?: (orderBy: EventOrderBy) => void
  onClick?: (click: MouseEvent) => void
  children: ReactNode
}) {
  return (
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/no-noninteractive-element-interactions -- one listener for a hundred rows; the keyboard has the button, the link and the checkbox in each row
    <table className={styles.table} onClick={props.onClick}>
      <caption className={styles.hidden}>Service events</caption>
      <thead>
        <tr>
          {eventColumns.map((column) => (
            <ColumnHead key={column.key} column={column} sort={props.sort} onSort={props.onSort} />
          ))}
        </tr>
      </thead>
      <tbody>{props.children}</tbody>
    </table>
  )
}

function ColumnHead(props: {
  column: EventColumn
  sort: Pick<EventSearch, 'order' | 'orderBy'>
  onSort?: ((orderBy: EventOrderBy) => void) | undefined
}) {
  const { key, label, sign, orderBy } = props.column
  const isSorted = orderBy !== undefined && props.sort.orderBy === orderBy
  const direction = isSorted ? shownDirection(props.column, props.sort.order) : undefined
  const text = (
    <>
      <span className={sign === undefined ? undefined : styles.hidden}>{label}</span>
      {sign !== undefined && (
        <span className={styles.sign} aria-hidden="true">
          {sign}
        </span>
      )}
    </>
  )
  if (orderBy === undefined)
    return (
      <th scope="col" className={styles[key]}>
        {text}
      </th>
    )
  return (
    <th scope="col" className={styles[key]} aria-sort={direction}>
      <button
        type="button"
        className={styles.sort}
        title={`Sort by ${label.toLowerCase()}`}
        onClick={() => props.onSort?.(orderBy)}
      >
        {text}
        <span className={styles.direction} data-direction={direction} aria-hidden="true">
          {direction === 'ascending' ? '↑' : direction === 'descending' ? '↓' : '↕'}
        </span>
      </button>
    </th>
  )
}
