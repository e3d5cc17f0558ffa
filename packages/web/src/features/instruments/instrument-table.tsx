import type { Instrument } from '@benchwatch/contract/instruments'
import type { Maintenance } from '@benchwatch/contract/maintenance'
import type { InstrumentOrderBy } from '@benchwatch/contract/vocabulary'
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
import { type InstrumentColumn, instrumentColumns } from './instrument-list.columns.ts'
import { InstrumentRow } from './instrument-row.tsx'
import styles from './instrument-table.module.css'
import { type InstrumentSearch, usualInstrumentOrder } from './instruments.search.ts'

// The usage of components comes along: once the rows are painted, before anybody expands one.
const loadRowDetails = () => import('./instrument-row-details.tsx')
const InstrumentRowDetails = lazy(() => loadRowDetails().then((file) => ({ default: file.InstrumentRowDetails })))

const frame = { caption: 'Instruments', things: 'instruments', model: instrumentColumns, look: styles }

/** The table of one page of instruments. */
export function InstrumentTable(props: {
  rows: readonly Instrument[]
  columns: readonly InstrumentColumn[]
  /** Somebody chose these columns; cards on narrow screens then show all of them. */
  isChosen: boolean
  statusesAsOf: number | null
  sort: Pick<InstrumentSearch, 'order' | 'orderBy'>
  onSort: (orderBy: InstrumentOrderBy) => void
  headBox: HeadBox
  marked: { expanded: ReadonlySet<string>; current: string | null; selection: Selection }
  actions: {
    toggle: (id: string) => void
    open: (id: string) => void
    focus: (id: string) => void
    /** With `range`, everything from the row that was pressed before. */
    select: (id: string, options: { range: boolean }) => void
  }
  onMaintained: (id: string, maintenances: Maintenance[]) => void
}) {
  const { rows, columns, marked, actions } = props
  const slots = useRowSlots(rows.map(({ id }) => id))
  useEffect(() => void loadRowDetails(), [])

  function handlePress({ id, action, click }: RowPress) {
    actions.focus(id)
    if (action === 'expand') actions.toggle(id)
    if (action === 'select') actions.select(id, { range: click.shiftKey })
    if (action === 'open' && isPlainClick(click)) {
      click.preventDefault()
      actions.open(id)
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
      {rows.map((instrument) => {
        const { id } = instrument
        const isExpanded = marked.expanded.has(id)
        return (
          <Fragment key={slots.get(id)}>
            <InstrumentRow
              instrument={instrument}
              columns={columns}
              isSelected={isSelected(marked.selection, id)}
              isExpanded={isExpanded}
              isCurrent={marked.current === id}
              statusesAsOf={props.statusesAsOf}
              onMaintained={props.onMaintained}
            />
            {isExpanded && (
              <DetailsRow key={id} columns={columns}>
                <Suspense>
                  <InstrumentRowDetails instrument={instrument} />
                </Suspense>
              </DetailsRow>
            )}
          </Fragment>
        )
      })}
    </ListTable>
  )
}

export function InstrumentTableSkeleton({ rows, columns }: { rows: number; columns: readonly InstrumentColumn[] }) {
  return <ListTableSkeleton {...frame} rows={rows} columns={columns} sort={usualInstrumentOrder} />
}
