import { ActionIcon, Stack, Text, VisuallyHidden } from '@mantine/core'
import {
  type CSSProperties,
  Fragment,
  type HTMLAttributes,
  type MouseEvent,
  memo,
  type ReactNode,
  Suspense,
  useMemo,
} from 'react'
import { midSentence } from '../../lib/folded.ts'
import { isSelected, type Selection } from '../../lib/list/selection.ts'
import { NativeSelect } from '../form/native-select.tsx'
import { Chevron } from '../text/chevron.tsx'
import { usePrinting } from '../use-printing.ts'
import {
  areaOf,
  type Column,
  cardGrid,
  isAtEnd,
  type ListModel,
  type PrimaryButton,
  shownDirection,
  tracksOf,
  useCards,
  widthOf,
} from './list-columns.ts'
import styles from './list-table.module.css'
import { useRowSlots } from './use-list-rows.ts'

/** State of the header checkbox and its action. */
export interface HeadBox {
  state: 'all' | 'some' | 'none'
  onPress: () => void
}

/** A click within a row. */
export interface RowPress<Row> {
  row: Row
  id: string
  /** The pressed control: `select`, `expand`, `open` or an action of the list's own; null for the rest of the row. */
  action: string | null
  pressed: HTMLElement | null
  click: MouseEvent
}

/** Marks of rows, by id. */
export interface RowMarks {
  selection: Selection
  expanded: ReadonlySet<string>
  /** The row that keys act on. */
  current: string | null
  /** The row with an open panel. */
  open?: string | null
}

interface Sort<OrderBy extends string> {
  order: 'ASC' | 'DESC'
  orderBy: OrderBy
}

/**
 * Shows one page of a list: a head that sorts and selects, and the rows. It handles the clicks of all rows, so that
 * rows need no handlers of their own.
 */
export function ListTable<K extends string, O extends string, Row, Look>(props: {
  list: ListModel<K, O, Row, Look>
  /** The visible columns. Must be the same array while they are the same, or every row is painted again. */
  columns: readonly Column<Row, Look, K, O>[]
  /** A number shows as many placeholders, so that nothing moves when the first page arrives. */
  rows: readonly Row[] | number
  /** Passed to cells. Must be the same object while it is the same, or every row is painted again. */
  look: Look
  /** True if the user chose these columns; cards on narrow screens then show all of them. */
  isChosen?: boolean
  sort: Sort<O>
  onSort?: (orderBy: O) => void
  headBox?: HeadBox
  marks?: RowMarks
  onPress?: (press: RowPress<Row>) => void
  /** The content of an expanded row; may be lazy. */
  details?: (row: Row) => ReactNode
}) {
  const { list, columns, look, sort, marks } = props
  const rows = typeof props.rows === 'number' ? [] : props.rows
  const placeholders = typeof props.rows === 'number' ? props.rows : 0
  const slots = useRowSlots(rows.map(list.idOf))
  const isCards = useCards()
  const card = cardGrid(
    columns.filter(({ isExtra }) => props.isChosen || !isExtra),
    cardEdges,
  )
  const cells = useMemo(
    () => columns.map((column) => ({ column, props: cellProps(list.all, column, isCards) })),
    [list.all, columns, isCards],
  )

  function handleClick(click: MouseEvent) {
    const target = click.target instanceof Element ? click.target : null
    const id = target?.closest('[data-row]')?.getAttribute('data-row')
    const row = rows.find((one) => list.idOf(one) === id)
    if (typeof id !== 'string' || row === undefined) return
    const pressed = target?.closest<HTMLElement>('[data-action]') ?? null
    props.onPress?.({ row, id, action: pressed?.dataset['action'] ?? null, pressed, click })
  }

  return (
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/no-noninteractive-element-interactions -- one listener for a hundred rows; the keyboard has the button, the link and the checkbox in each row
    <table
      className={styles.table}
      data-chosen={props.isChosen || undefined}
      style={{ '--width': `${widthOf(columns)}px`, '--tracks': tracksOf(columns), '--card': card } as CSSProperties}
      onClick={handleClick}
    >
      <VisuallyHidden component="caption">{list.caption}</VisuallyHidden>
      <thead>
        <tr>
          <th scope="col" className={styles.select}>
            <SelectAll things={list.things} box={props.headBox} />
          </th>
          <th scope="col" className={styles.expand}>
            <VisuallyHidden>Expand</VisuallyHidden>
          </th>
          {columns.map(({ key, label, icon, orderBy, className, ...column }) => {
            const direction = sort.orderBy === orderBy ? shownDirection(column, sort.order) : undefined
            return (
              <th key={key} scope="col" className={className} aria-sort={direction}>
                {orderBy === undefined ? (
                  label
                ) : (
                  <SortButton label={label} icon={icon} direction={direction} onPress={() => props.onSort?.(orderBy)} />
                )}
              </th>
            )
          })}
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => {
          const id = list.idOf(row)
          const isExpanded = marks?.expanded.has(id) ?? false
          return (
            <Fragment key={slots.get(id)}>
              <ListRow
                row={row}
                list={list}
                cells={cells}
                look={look}
                isSelected={marks !== undefined && isSelected(marks.selection, id)}
                isExpanded={isExpanded}
                isCurrent={marks?.current === id}
                isOpen={marks?.open === id}
              />
              {isExpanded && (
                <tr key={id} className={styles.detailsRow}>
                  <td colSpan={columns.length + 2}>
                    <Suspense>{props.details?.(row)}</Suspense>
                  </td>
                </tr>
              )}
            </Fragment>
          )
        })}
        {Array.from({ length: placeholders }, (_, place) => (
          <tr key={place} className={styles.row} data-skeleton aria-hidden="true">
            <td className={styles.select} aria-hidden="true" />
            <td className={styles.expand} aria-hidden="true" />
            {cells.map(({ column, props: cell }) => (
              <td key={column.key} {...cell} aria-hidden="true">
                <span className={styles.bone} />
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  )
}

interface RowProps<K extends string, O extends string, Row, Look> {
  row: Row
  list: ListModel<K, O, Row, Look>
  cells: readonly { column: Column<Row, Look, K, O>; props: HTMLAttributes<HTMLTableCellElement> }[]
  look: Look
  isSelected: boolean
  isExpanded: boolean
  isCurrent: boolean
  isOpen: boolean
}

/** React skips an element that is the same as before. */
const arrow = <Chevron to="right" />

/** Uses native elements only: a hundred rows of component library cells take three times as long to paint. */
const ListRow = memo(function ListRow<K extends string, O extends string, Row, Look>(props: RowProps<K, O, Row, Look>) {
  const { row, list, look, isSelected, isExpanded } = props
  const name = list.nameOf(row)
  const isGone = list.isGone?.(row)
  return (
    <tr
      className={styles.row}
      data-row={list.idOf(row)}
      data-selected={isSelected || undefined}
      data-expanded={isExpanded || undefined}
      data-current={props.isCurrent || undefined}
      data-removed={isGone || undefined}
    >
      <td className={styles.select}>
        <label className={styles.box}>
          <input
            type="checkbox"
            data-action="select"
            checked={isSelected}
            disabled={isGone}
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
          {arrow}
        </button>
      </td>
      {props.cells.map(({ column, props: cell }) => (
        <td key={column.key} {...cell}>
          {column.cell(row, look, props.isOpen)}
          {column.key === list.primary?.column && <PrimaryAction button={isGone ? null : list.primary.of(row, look)} />}
        </td>
      ))}
    </tr>
  )
}) as <K extends string, O extends string, Row, Look>(props: RowProps<K, O, Row, Look>) => ReactNode

function PrimaryAction({ button }: { button: PrimaryButton | null }) {
  if (button === null) return null
  return (
    <button type="button" className={styles.primary} data-action="primary" aria-label={button.name}>
      {button.label}
    </button>
  )
}

/** The tracks of a card for the checkbox and the arrow. */
const cardEdges = { select: '38px', expand: '44px' }

function cellProps<Row, Look>(
  all: readonly Column<Row, Look>[],
  column: Column<Row, Look>,
  isCard: boolean,
): HTMLAttributes<HTMLTableCellElement> {
  const { card, className, cardLabel, isExtra, isQuiet } = column
  const names = { 'data-quiet': isQuiet, 'data-extra': isExtra, 'data-label': cardLabel }
  if (!isCard || card === undefined) return { className, ...names }
  const end = { 'data-end': isAtEnd(all, column) || undefined }
  return { className, ...names, ...end, style: { gridArea: areaOf(card) } }
}

/** Browsers draw a title of ten thousand characters across the whole screen. */
const LONGEST_TITLE = 300

/**
 * Text of a cell: at most two lines, in its own direction, longer on hover; a dash if empty. A button contains one,
 * because Safari cuts no lines of a button itself.
 */
export function CellText({ children, isQuiet }: { children: string | null; isQuiet?: boolean | undefined }) {
  return (
    <span
      className={styles.text}
      title={children?.slice(0, LONGEST_TITLE) || undefined}
      dir="auto"
      data-none={isQuiet || undefined}
    >
      {children || '–'}
    </span>
  )
}

/** A text or control that may be cut, and marks beside it that are not. */
export function CellFlow({ children, marks }: { children: ReactNode; marks: ReactNode }) {
  return (
    <div className={styles.flow}>
      {children}
      <span className={styles.marks}>{marks}</span>
    </div>
  )
}

/** A small framed mark in a cell. */
export function CellMark(props: { title?: string; tone?: 'warning' | 'accent' | undefined; children: ReactNode }) {
  return (
    <span className={styles.mark} data-tone={props.tone} title={props.title}>
      {props.children}
    </span>
  )
}

/** Words of a mark that only wide columns have room for; screen readers always read them. */
export function WideWords({ children }: { children: ReactNode }) {
  return <span className={styles.wide}>{children}</span>
}

/** Names and values in an expanded row. `tracks` are those of a CSS grid; on a phone there are two. */
export function RowFacts({ tracks, children }: { tracks: string; children: ReactNode }) {
  return (
    <dl className={styles.facts} style={{ '--tracks': tracks } as CSSProperties}>
      {children}
    </dl>
  )
}

/** One name with its values, each a `FactLine`. */
export function RowFact(props: { name: string; isWide?: boolean; children: ReactNode }) {
  return (
    <div data-wide={props.isWide}>
      <Text component="dt" size="xs" c="dimmed" mb={2}>
        {props.name}
      </Text>
      {props.children}
    </div>
  )
}

/** A value of a fact; `isQuiet` for what only explains it. Right-to-left text is aligned with its name, too. */
export function FactLine(props: { isQuiet?: boolean; lines?: number; children: ReactNode }) {
  return (
    <Text
      component="dd"
      ta="left"
      dir="auto"
      c={props.isQuiet ? 'dimmed' : undefined}
      {...(props.lines !== undefined && { lineClamp: props.lines })}
    >
      {props.children}
    </Text>
  )
}

/** Content of an expanded row, aligned with the first column. */
export function RowDetails({ children }: { children: ReactNode }) {
  return (
    <Stack gap={14} pt={6} pr={14} pb={16} pl={{ base: 14, md: 68 }}>
      {children}
    </Stack>
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

type Direction = 'ascending' | 'descending' | undefined

/** Head of a column: its name, or its icon if narrow, and the sort direction. */
function SortButton(props: { label: string; icon: ReactNode; direction: Direction; onPress: () => void }) {
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
      {icon === undefined ? <span>{label}</span> : <VisuallyHidden>{label}</VisuallyHidden>}
      {icon}
      <span className={styles.direction} data-direction={direction}>
        <SortArrow direction={direction} />
      </span>
    </button>
  )
}

/** Sorts without a table head, on a phone. Choosing a column has the same effect as the first click on its head. */
export function SortSelect<O extends string>(props: {
  columns: readonly { label: string; orderBy?: O; isInverse?: boolean }[]
  sort: Sort<O>
  onSort: (orderBy: O) => void
}) {
  const { columns, sort, onSort } = props
  const current = columns.find(({ orderBy }) => orderBy === sort.orderBy)
  const direction = current === undefined ? 'ascending' : shownDirection(current, sort.order)
  return (
    <div className={styles.sortSelect}>
      <NativeSelect
        aria-label="Sort by"
        value={sort.orderBy}
        onChange={({ currentTarget }) => onSort(currentTarget.value as O)}
      >
        {columns.map(
          ({ label, orderBy }) =>
            orderBy !== undefined && (
              <option key={orderBy} value={orderBy}>
                {label}
              </option>
            ),
        )}
      </NativeSelect>
      <ActionIcon
        color="accent"
        size={43}
        aria-label={`Sorted ${direction}; reverse`}
        onClick={() => onSort(sort.orderBy)}
      >
        <SortArrow direction={direction} />
      </ActionIcon>
    </div>
  )
}

const strokes = {
  ascending: 'M8 13V3.5M4.5 7 8 3.5 11.5 7',
  descending: 'M8 3v9.5M4.5 9 8 12.5 11.5 9',
  none: 'M5.5 12V4M3 6.5 5.5 4 8 6.5M10.5 4v8M8 9.5l2.5 2.5L13 9.5',
} as const

/** Arrow for the sort direction; both directions if the column is not sorted. The button's name describes it. */
function SortArrow({ direction }: { direction: Direction }) {
  return (
    <svg viewBox="0 0 16 16" width="13" height="13" aria-hidden="true">
      <path
        d={strokes[direction ?? 'none']}
        fill="none"
        stroke="currentColor"
        strokeWidth="1.6"
        strokeLinecap="round"
        strokeLinejoin="round"
      />
    </svg>
  )
}
