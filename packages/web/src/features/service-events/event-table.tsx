import type { EventOrderBy } from '@benchwatch/contract/vocabulary'
import { Fragment, lazy, Suspense, useEffect } from 'react'
import { isSelected, type Selection } from '../../lib/selection.ts'
import {
  DetailsRow,
  type HeadBox,
  isPlainClick,
  ListTable,
  ListTableSkeleton,
  type RowPress,
} from '../../ui/list-table.tsx'
import { useRowSlots } from '../../ui/use-row-slots.ts'
import { columnSigns } from './column-sign.tsx'
import { type EventColumn, eventColumns } from './event-list.columns.ts'
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

const frame = { caption: 'Service events', things: 'events', model: eventColumns, look: styles, signs: columnSigns }

/** The table of one page of events. */
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
