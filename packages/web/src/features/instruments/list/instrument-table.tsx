import type { Instrument } from '@benchwatch/contract/instruments'
import type { Maintenance } from '@benchwatch/contract/maintenance'
import type { InstrumentOrderBy } from '@benchwatch/contract/vocabulary'
import { Fragment, lazy, memo, type ReactNode, Suspense, useEffect } from 'react'
import { cityAndCountry } from '../../../lib/address.ts'
import { counted } from '../../../lib/folded.ts'
import { isSelected, type Selection } from '../../../lib/list/selection.ts'
import { formatInstrumentDate } from '../../../lib/time/dates.ts'
import {
  CellText,
  DetailsRow,
  type HeadBox,
  isPlainClick,
  ListRow,
  ListTable,
  ListTableSkeleton,
  type RowPress,
} from '../../../ui/list/list-table.tsx'
import { useRowSlots } from '../../../ui/list/use-row-slots.ts'
import { Deadline } from '../../../ui/time/zoned-time.tsx'
import { InstrumentStatusDot } from '../../connections/instrument-status-dot.tsx'
import { OrcStatusMenu } from '../../maintenance/orc-status-menu.tsx'
import { instrumentEventsAddress } from '../details/instrument-events-address.ts'
import { type InstrumentSearch, usualInstrumentOrder } from '../instruments.search.ts'
import { type InstrumentColumn, type InstrumentColumnKey, instrumentColumns } from './instrument-list.columns.ts'
import styles from './instrument-table.module.css'

interface CellContext {
  /** Time of the last confirmed status if statuses are outdated, else null. */
  statusesAsOf: number | null
  onMaintained: (id: string, maintenances: Maintenance[]) => void
}

/** The content of each column. User-entered texts may run in either direction. */
const instrumentCells: Record<InstrumentColumnKey, (instrument: Instrument, context: CellContext) => ReactNode> = {
  instrument: (instrument, { statusesAsOf }) => (
    <span className={styles.named}>
      <InstrumentStatusDot status={instrument.instrumentStatus} asOf={statusesAsOf} orcStatus={instrument.orcStatus} />
      <a
        href={`/instruments/${instrument.id}`}
        data-action="open"
        title={instrument.instrumentProductDescription}
        dir="auto"
      >
        {instrument.instrumentProductDescription}
      </a>
    </span>
  ),
  systemName: (instrument) => <CellText>{instrument.instrumentDefinedSystemName}</CellText>,
  productId: (instrument) => <CellText>{instrument.instrumentInstalledProductId}</CellText>,
  region: (instrument) => <CellText>{instrument.instrumentRegion}</CellText>,
  location: ({ instrumentCity, instrumentCountry }) => (
    <CellText>{cityAndCountry(instrumentCity, instrumentCountry)}</CellText>
  ),
  customer: (instrument) => <CellText>{instrument.instrumentCustomer}</CellText>,
  lastService: (instrument) => formatInstrumentDate(instrument.instrumentLastService),
  nextService: ({ instrumentNextService: day }) =>
    day === null ? '–' : <Deadline day={day} text={formatInstrumentDate(day)} pastWord="overdue" />,
  orcStatus: (instrument, { onMaintained }) => (
    // Keyed by instrument: an open dialog must never switch to another one.
    <OrcStatusMenu
      key={instrument.id}
      instrument={instrument}
      onChanged={(maintenances) => onMaintained(instrument.id, maintenances)}
    />
  ),
  events: (instrument) =>
    instrument.eventCount === 0 ? (
      <span className={styles.none}>0</span>
    ) : (
      <a
        className={styles.count}
        href={instrumentEventsAddress(instrument)}
        target="_blank"
        rel="noopener"
        aria-label={`${counted(instrument.eventCount, 'open event')} of ${instrument.instrumentProductDescription}, in a new tab`}
        title={`${counted(instrument.eventCount, 'open event')}; opens in a new tab`}
      >
        {instrument.eventCount.toLocaleString('en')}
      </a>
    ),
}

const InstrumentRow = memo(function InstrumentRow(props: {
  instrument: Instrument
  /** Must be the same array while the columns do not change; otherwise every row renders again. */
  columns: readonly InstrumentColumn[]
  isSelected: boolean
  isExpanded: boolean
  isCurrent: boolean
  statusesAsOf: number | null
  /** Must be a stable function. */
  onMaintained: (id: string, maintenances: Maintenance[]) => void
}) {
  const { instrument } = props
  return (
    <ListRow
      id={instrument.id}
      name={instrumentName(instrument)}
      columns={props.columns}
      look={styles}
      isSelected={props.isSelected}
      isExpanded={props.isExpanded}
      isCurrent={props.isCurrent}
      cell={(key) => instrumentCells[key](instrument, props)}
    />
  )
})

// Loads the component usage after the rows are painted, before the user expands one.
const loadRowDetails = () => import('./instrument-row-details.tsx')
const InstrumentRowDetails = lazy(() => loadRowDetails().then((file) => ({ default: file.InstrumentRowDetails })))

const frame = { caption: 'Instruments', things: 'instruments', model: instrumentColumns, look: styles }

/** The table of one page of instruments. */
export function InstrumentTable(props: {
  rows: readonly Instrument[]
  columns: readonly InstrumentColumn[]
  /** True if the user chose the columns; cards on narrow screens then show all of them. */
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
    /** With `range`, selects everything from the previously pressed row. */
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

/** Names an instrument in the accessible labels of its checkbox and arrow. */
function instrumentName(instrument: Instrument): string {
  return `${instrument.instrumentProductDescription} ${instrument.instrumentInstalledProductId}`
}
