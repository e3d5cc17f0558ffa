import type { EventOrderBy } from '@benchwatch/contract/vocabulary'
import { Fragment, lazy, memo, type ReactNode, Suspense, useEffect } from 'react'
import { isSelected, type Selection } from '../../../lib/list/selection.ts'
import { eventName } from '../../../lib/screen-name.ts'
import {
  DetailsRow,
  type HeadBox,
  isPlainClick,
  ListRow,
  ListTable,
  ListTableSkeleton,
  type RowPress,
} from '../../../ui/list/list-table.tsx'
import { useRowSlots } from '../../../ui/list/use-row-slots.ts'
import type { ListedServiceEvent } from '../event-cache.ts'
import type { Viewer } from '../event-owner.ts'
import type { EventSearch } from '../events.search.ts'
import { MailIcon } from '../status-block.tsx'
import { eventCells } from './event-cells.tsx'
import { type EventColumn, type EventColumnKey, eventColumns } from './event-list.columns.ts'
import styles from './event-table.module.css'

/** One row of the list. */
export const EventRow = memo(function EventRow(props: {
  row: ListedServiceEvent
  /** Must be the same array while the columns are the same, or every row repaints. */
  columns: readonly EventColumn[]
  viewer: Viewer
  now: number
  isSelected: boolean
  isExpanded: boolean
  isCurrent: boolean
  /** True if its description dropdown is open. */
  isDescribed: boolean
  /** The time since when no instrument status could be confirmed; null if they are current. */
  statusesAsOf: number | null
}) {
  const { row } = props
  return (
    <ListRow
      id={row.alarm.id}
      name={eventName(row.alarm)}
      columns={props.columns}
      look={styles}
      isSelected={props.isSelected}
      isExpanded={props.isExpanded}
      isCurrent={props.isCurrent}
      isRemoved={row.removed}
      cell={(key) => eventCells[key](row, props)}
    />
  )
})

/** Icons for columns that are too narrow for their name; screen readers get the name. */
const columnIcons: Partial<Record<EventColumnKey, ReactNode>> = {
  instrumentStatus: (
    <svg viewBox="0 0 16 16" width="14" height="14" aria-hidden="true">
      <circle cx="8" cy="8" r="5.6" fill="none" stroke="currentColor" strokeWidth="1.3" />
      <circle cx="8" cy="8" r="2.6" fill="currentColor" />
    </svg>
  ),
  email: <MailIcon />,
}

// Menus and dialogs are 40 kB. They load after the rows are painted, before a row is expanded.
const loadRowDetails = () => import('./event-row-details.tsx')
const EventRowDetails = lazy(() => loadRowDetails().then((file) => ({ default: file.EventRowDetails })))

export interface RowActions {
  toggle: (id: string) => void
  open: (eventId: string) => void
  focus: (id: string) => void
  /** With `range`, selects everything from the previously pressed row to this one. */
  select: (id: string, options: { range: boolean }) => void
  /** Opens the description dropdown of a row below the pressed element, or closes it. */
  describe: (id: string, pressed: HTMLElement) => void
}

export interface MarkedRows {
  expanded: ReadonlySet<string>
  current: string | null
  selection: Selection
  described: string | null
}

const frame = { caption: 'Service events', things: 'events', model: eventColumns, look: styles, icons: columnIcons }

/** Table of one page of events. */
export function EventTable(props: {
  rows: readonly ListedServiceEvent[]
  columns: readonly EventColumn[]
  /** True if the user chose the columns; cards on narrow screens then show all of them. */
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
  const slots = useRowSlots(rows.map(({ alarm }) => alarm.id))
  useEffect(() => void loadRowDetails(), [])

  function handlePress({ id, action, pressed, click }: RowPress) {
    const event = rows.find(({ alarm }) => alarm.id === id)?.alarm
    if (event === undefined) return
    actions.focus(id)
    if (action === 'expand') actions.toggle(id)
    if (action === 'describe' && pressed) actions.describe(id, pressed)
    if (action === 'select') actions.select(id, { range: click.shiftKey })
    if (action === 'open' && isPlainClick(click)) {
      click.preventDefault()
      actions.open(event.eventId)
    }
  }

  return (
    <ListTable
      {...frame}
      columns={columns}
      isChosen={props.isChosen}
      sort={props.sort}
      onSort={props.onSort}
      headBox={props.headBox}
      onPress={handlePress}
    >
      {rows.map((row) => {
        const { id } = row.alarm
        const isExpanded = marked.expanded.has(id)
        return (
          <Fragment key={slots.get(id)}>
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
              <DetailsRow key={id} columns={columns}>
                <Suspense>
                  <EventRowDetails event={row.alarm} viewer={viewer} />
                </Suspense>
              </DetailsRow>
            )}
          </Fragment>
        )
      })}
    </ListTable>
  )
}

export function EventTableSkeleton({ rows, columns }: { rows: number; columns: readonly EventColumn[] }) {
  return <ListTableSkeleton {...frame} rows={rows} columns={columns} sort={{ order: 'DESC', orderBy: 'createdAt' }} />
}
