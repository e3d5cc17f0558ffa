import type { CSSProperties, MouseEvent, ReactNode } from 'react'
import { midSentence } from '../../lib/folded.ts'
import { Chevron } from '../text/chevron.tsx'
import { usePrinting } from '../use-printing.ts'
import { type ColumnModel, type ListColumn, leadingWidths, shownDirection, widthOf } from './columns/column-model.ts'
import styles from './list-table.module.css'
import { SortArrow } from './sort-select.tsx'

/** State of the header checkbox and its action. */
export interface HeadBox {
  state: 'all' | 'some' | 'none'
  onPress: () => void
}

/** A click within a row. */
export interface RowPress {
  /** The row's id. */
  id: string
  /** The pressed control: `select`, `expand`, `open` or an action of the list's own; null for the rest of the row. */
  action: string | null
  pressed: HTMLElement | null
  click: MouseEvent
}

interface Look {
  /** CSS classes of the list: `table`, `row`, and one per column key. */
  [name: string]: string | undefined
}

interface Frame<Key extends string, OrderBy extends string> {
  /** Content of the table, such as 'Service events'. */
  caption: string
  /** Plural noun of the rows, such as 'events'. */
  things: string
  model: ColumnModel<Key, OrderBy>
  /** The visible columns. Must be the same array while they are the same, or every row is painted again. */
  columns: readonly ListColumn<Key, OrderBy>[]
  look: Look
  /** Icon in the head of a column that is too narrow for its name; screen readers read the name. */
  icons?: Partial<Record<Key, ReactNode>>
  sort: { order: 'ASC' | 'DESC'; orderBy: OrderBy }
}

/**
 * Shows one page of a list: a head that sorts and selects, and rows that `children` draws by ListRow. It handles the
 * clicks of all rows, so that rows need no handlers of their own.
 */
export function ListTable<K extends string, O extends string>(
  props: Frame<K, O> & {
    /** True if the user chose these columns; cards on narrow screens then show all of them. */
    isChosen?: boolean
    onSort?: (orderBy: O) => void
    headBox?: HeadBox
    onPress?: (press: RowPress) => void
    children: ReactNode
  },
) {
  const { columns, model, look, sort } = props

  function handleClick(click: MouseEvent) {
    const target = click.target instanceof Element ? click.target : null
    const id = target?.closest('[data-row]')?.getAttribute('data-row')
    if (typeof id !== 'string') return
    const pressed = target?.closest<HTMLElement>('[data-action]') ?? null
    props.onPress?.({ id, action: pressed?.dataset['action'] ?? null, pressed, click })
  }

  return (
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/no-noninteractive-element-interactions -- one listener for a hundred rows; the keyboard has the button, the link and the checkbox in each row
    <table
      className={`${styles.table} ${look.table}`}
      data-chosen={props.isChosen || undefined}
      style={{ '--table-width': `${widthOf(columns)}px` } as CSSProperties}
      onClick={handleClick}
    >
      <caption className={styles.hidden}>{props.caption}</caption>
      <colgroup>
        <col style={{ width: leadingWidths.select }} />
        <col style={{ width: leadingWidths.expand }} />
        {columns.map(({ key, width }) => (
          <col key={key} style={{ width: key === model.elastic ? undefined : width }} />
        ))}
      </colgroup>
      <thead>
        <tr>
          <th scope="col" className={styles.select}>
            <SelectAll things={props.things} box={props.headBox} />
          </th>
          <th scope="col" className={styles.expand}>
            <span className={styles.hidden}>Expand</span>
          </th>
          {columns.map((column) => {
            const direction = sort.orderBy === column.orderBy ? shownDirection(column, sort.order) : undefined
            return (
              <th key={column.key} scope="col" className={look[column.key]} aria-sort={direction}>
                <SortButton
                  label={column.label}
                  icon={props.icons?.[column.key]}
                  direction={direction}
                  onPress={() => props.onSort?.(column.orderBy)}
                />
              </th>
            )
          })}
        </tr>
      </thead>
      <tbody>{props.children}</tbody>
    </table>
  )
}

/** Placeholder rows in the real layout, so that nothing moves when the first page arrives. */
export function ListTableSkeleton<K extends string, O extends string>(props: Frame<K, O> & { rows: number }) {
  const { columns, look } = props
  return (
    <ListTable {...props}>
      {Array.from({ length: props.rows }, (_, place) => (
        <tr key={place} className={`${styles.row} ${look.row}`} data-skeleton aria-hidden="true">
          <td className={styles.select} aria-hidden="true" />
          <td className={styles.expand} aria-hidden="true" />
          {columns.map(({ key }) => (
            <td key={key} className={look[key]} aria-hidden="true">
              <span className={styles.bone} />
            </td>
          ))}
        </tr>
      ))}
    </ListTable>
  )
}

/**
 * One row. Uses native elements only: a hundred rows of component library cells take three times as long to paint. Use
 * it inside a memo.
 */
export function ListRow<K extends string>(props: {
  id: string
  /** Read out for its checkbox and arrow. */
  name: string
  columns: readonly { key: K }[]
  look: Look
  isSelected: boolean
  isExpanded: boolean
  isCurrent: boolean
  /** True if the server has deleted the row since the page was loaded. */
  isRemoved?: boolean | undefined
  cell: (key: K) => ReactNode
}) {
  const { id, name, look, isSelected, isExpanded } = props
  return (
    <tr
      className={`${styles.row} ${look.row}`}
      data-row={id}
      data-selected={isSelected || undefined}
      data-expanded={isExpanded || undefined}
      data-current={props.isCurrent || undefined}
      data-removed={props.isRemoved || undefined}
    >
      <td className={styles.select}>
        <label className={styles.box}>
          <input
            type="checkbox"
            data-action="select"
            checked={isSelected}
            disabled={props.isRemoved}
            aria-label={`Select ${name}`}
            onChange={handledByTable}
          />
        </label>
      </td>
      <td className={styles.expand}>
        <button
          type="button"
          className={styles.arrow}
          data-action="expand"
          aria-expanded={isExpanded}
          aria-label={`${isExpanded ? 'Collapse' : 'Expand'} ${name}`}
        >
          <Chevron to="right" />
        </button>
      </td>
      {props.columns.map(({ key }) => (
        <td key={key} className={look[key]}>
          {props.cell(key)}
        </td>
      ))}
    </tr>
  )
}

/** Content of an expanded row, as wide as the table. */
export function DetailsRow({ columns, children }: { columns: readonly unknown[]; children: ReactNode }) {
  return (
    <tr className={styles.detailsRow}>
      <td colSpan={columns.length + 2}>{children}</td>
    </tr>
  )
}

/** Text of a cell: at most two lines, in its own direction, complete on hover; a dash if empty. */
export function CellText({ children }: { children: string | null }) {
  return (
    <span className={styles.text} title={children || undefined} dir="auto">
      {children || '–'}
    </span>
  )
}

/**
 * True for a plain click on a link, which the page handles. Modified clicks are the browser's: new tab, new window,
 * download.
 */
export function isPlainClick(click: MouseEvent): boolean {
  return click.button === 0 && !(click.metaKey || click.ctrlKey || click.shiftKey || click.altKey)
}

function SelectAll({ things, box }: { things: string; box: HeadBox | undefined }) {
  const state = box?.state ?? 'none'
  return (
    <label className={styles.box}>
      <input
        type="checkbox"
        aria-label={`Select all ${things}`}
        checked={state === 'all'}
        disabled={box === undefined}
        // The indeterminate state has no attribute.
        ref={(input) => {
          if (input !== null) input.indeterminate = state === 'some'
        }}
        onChange={() => box?.onPress()}
      />
    </label>
  )
}

/** React requires a handler for a controlled checkbox; the table handles its clicks. */
function handledByTable(): void {}

/** Head of a column: its name, or its icon if narrow, and the sort direction. */
function SortButton(props: {
  /** Read out if an icon replaces it. */
  label: string
  icon?: ReactNode
  direction: 'ascending' | 'descending' | undefined
  onPress: () => void
}) {
  const { label, icon, direction } = props
  // Browsers repeat the table head on each printed page, but omit the text of buttons.
  if (usePrinting() !== null) return icon ?? label
  return (
    <button
      type="button"
      className={styles.sort}
      data-narrow={icon !== undefined || undefined}
      title={`Sort by ${midSentence(label)}`}
      onClick={props.onPress}
    >
      <span className={icon === undefined ? undefined : styles.name}>{label}</span>
      {icon}
      <span className={styles.direction} data-direction={direction}>
        <SortArrow direction={direction} />
      </span>
    </button>
  )
}
