import type { EventSelection, SelectedWord } from '../search/filters.ts'
import { allRows, keepMarked, ReusedMemory, type RowFilter, type Rows } from './block-rows.ts'
import {
  CLOSED,
  type ColumnBlock,
  type EventColumns,
  ROWS_PER_BLOCK,
  reasonOf,
  STATUS_MASK,
  statesWhere,
} from './event-columns.ts'
import type { EventDimensions, GrowingColumn } from './event-dimensions.ts'
import type { EventTexts } from './event-texts.ts'

/**
 * The predicate of `filters.ts` over columns in memory: everything of a selection but its range and its flags. A property
 * test holds the two, and a plain scan, to the same answers.
 */
export interface ColumnMatch {
  /** Rows of a block that may match, ascending. */
  candidates(block: ColumnBlock, into: Uint32Array): Rows
  keep: RowFilter
  /** Set if kind and status decide, and closed events match for any reason; otherwise null. */
  byKind: MatchByKind | null
}

export interface MatchByKind {
  /** For each kind whether its events match; null where all do. */
  kinds: Uint8Array | null
  /** For each state whether its events match, which is to be asked of open ones alone. */
  states: Uint8Array
}

/**
 * Prepares a selection for the columns as they are; undefined where it asks for texts and they hold none. `rows` is how
 * many will be tried at most.
 */
export function matchColumns(
  columns: EventColumns,
  { selection, rows }: { selection: EventSelection; rows: number },
): ColumnMatch | undefined {
  if (columns.texts === null && selection.words.some(({ text }) => text !== null)) return undefined
  const kindMatches = matchingKinds(columns.kinds, selection)
  const stateMatches = matchingStates(selection)
  const owners = wantedOwners(selection)
  const ownerMatches = owners && marks(owners, columns.ownerCount)
  const words = matchingWords(columns, { words: selection.words, rows })
  const takesAllClosed =
    takesClosed(selection) && stateMatches.every((matches, state) => (state & STATUS_MASK) !== CLOSED || matches === 1)
  const isByKind = ownerMatches === null && words === null && takesAllClosed
  return {
    byKind: isByKind ? { kinds: kindMatches, states: stateMatches } : null,
    candidates(block, into) {
      const count = owners === null ? undefined : columns.ownedRows(block).write(owners, into)
      return count === undefined ? allRows(into) : { from: into, count, into }
    },
    keep(block, rows) {
      // Kinds first, because that leaves the fewest where they decide at all.
      let kept = kindMatches === null ? rows : keepMarked(block.kinds, kindMatches, rows)
      kept = keepMarked(block.states, stateMatches, kept)
      if (ownerMatches !== null) kept = keepMarked(block.owners, ownerMatches, kept)
      return words === null ? kept : words(block, kept)
    },
  }
}

/** True if a selection can contain closed events; if not, only the few open events are searched. */
export function takesClosed({ alertStatuses, flags }: EventSelection): boolean {
  const asksForOpen = flags.noOwner || flags.noAction || flags.fullSupport
  return !asksForOpen && (alertStatuses === null || alertStatuses.includes(CLOSED))
}

const kindMemory = new ReusedMemory((length) => new Uint8Array(length))

/** For each kind whether its events match; null where all do. */
function matchingKinds(kinds: EventDimensions, selection: EventSelection): Uint8Array | null {
  const matches = kindMemory.take(kinds.size).fill(1)
  const restrict = ({ values: ofKinds, max }: GrowingColumn, values: readonly number[] | null) => {
    if (values === null) return
    const wanted = marks(values, max + 1)
    for (let kind = 0; kind < matches.length; kind += 1) {
      matches[kind] = (matches[kind] as number) & (wanted[ofKinds[kind] as number] as number)
    }
  }
  // 0 stands for none, which no filter asks for.
  const present = (values: readonly number[] | null) => values?.filter((value) => value !== 0) ?? null
  if (selection.scope !== 'all') restrict(kinds.customers, selection.scope)
  restrict(kinds.severities, selection.severities)
  restrict(kinds.alertTypes, selection.alertTypes)
  restrict(kinds.components, present(selection.components))
  restrict(kinds.sites, selection.sites)
  if (selection.instruments !== null) {
    const { ids, customersNow } = selection.instruments
    restrict(kinds.instruments, present(ids))
    if (customersNow !== null) {
      const belongs = belongingNow(kinds, { ids, customersNow })
      for (let kind = 0; kind < matches.length; kind += 1) if (!belongs(kind)) matches[kind] = 0
    }
  }
  return matches.includes(0) ? matches : null
}

/** True if a kind belongs to one of the instruments and to that instrument's present customer. */
function belongingNow(
  { instruments, customers }: EventDimensions,
  { ids, customersNow }: SelectedWord['namedNow'],
): (kind: number) => boolean {
  // No customer is 0.
  const customerOf = new Int32Array(instruments.max + 1)
  ids.forEach((id, index) => {
    if (id < customerOf.length) customerOf[id] = customersNow[index] ?? 0
  })
  return (kind) => customerOf[instruments.values[kind] as number] === customers.values[kind]
}

/** Returns the matching states by their code (`row-state.ts`). */
function matchingStates({ alertStatuses, closeReasons }: EventSelection): Uint8Array {
  return statesWhere((state) => {
    const status = state & STATUS_MASK
    if (status === 0) return false
    if (alertStatuses !== null && !alertStatuses.includes(status)) return false
    return closeReasons === null || closeReasons.includes(reasonOf(state))
  })
}

/** As they stand in the columns: user id + 1, and 0 for nobody, whom a number that is no user's must not become. */
function wantedOwners({ owners }: EventSelection): number[] | null {
  if (owners === null) return null
  const named = owners.ids.filter((id) => id >= 0).map((id) => id + 1)
  return owners.none ? [0, ...named] : named
}

/** Each word has a bit, set where a field holds it; a row matches when its kind, text, owner and id together have them all. */
function matchingWords(
  { kinds, texts, ownerCount }: EventColumns,
  { words, rows }: { words: readonly SelectedWord[]; rows: number },
): RowFilter | null {
  if (words.length === 0) return null
  const all = 2 ** words.length - 1
  const ofKind = new Int32Array(kinds.size)
  const ofOwner = new Int32Array(ownerCount)
  const ofText = texts && bitsOfTexts(texts, { words, rows })
  words.forEach((word, index) => {
    const bit = 2 ** index
    for (const [column, ids] of [
      [kinds.instruments, word.instruments],
      [kinds.components, word.components],
      [kinds.customers, word.customers],
      [kinds.sites, word.sites],
      [kinds.gateways, word.gateways],
    ] as const) {
      if (ids.length === 0) continue
      const wanted = marks(ids, column.max + 1)
      for (let kind = 0; kind < ofKind.length; kind += 1) {
        if (wanted[column.values[kind] as number] !== 0) ofKind[kind] = (ofKind[kind] as number) | bit
      }
    }
    if (word.namedNow.ids.length > 0) {
      const belongs = belongingNow(kinds, word.namedNow)
      for (let kind = 0; kind < ofKind.length; kind += 1) {
        if (belongs(kind)) ofKind[kind] = (ofKind[kind] as number) | bit
      }
    }
    const namedOwners = marks(
      word.owners.map((id) => id + 1),
      ownerCount,
    )
    for (let owner = 1; owner < ownerCount; owner += 1) {
      if (namedOwners[owner] !== 0) ofOwner[owner] = (ofOwner[owner] as number) | bit
    }
  })
  const ranges = words.flatMap(({ eventIds }, index) => eventIds.map((range) => ({ ...range, bit: 2 ** index })))
  return (block, { from, count, into }) => {
    const { firstId, kinds: kindsOf, texts: textsOf, owners } = block
    const near = ranges.filter((range) => range.from < firstId + ROWS_PER_BLOCK && range.to >= firstId)
    let kept = 0
    for (let index = 0; index < count; index += 1) {
      const row = from[index] as number
      let bits = (ofKind[kindsOf[row] as number] as number) | (ofOwner[owners[row] as number] as number)
      if (ofText !== null && bits !== all) bits |= ofText(textsOf[row] as number)
      for (const range of near) if (range.from <= firstId + row && firstId + row <= range.to) bits |= range.bit
      if (bits !== all) continue
      into[kept] = row
      kept += 1
    }
    return { from: into, count: kept, into }
  }
}

/** To look into one text takes as long as to search four of them end to end. */
const LOOKS_PER_SEARCH = 4

/** The bits of the words that a text holds: of all texts at once, or of each as it is asked for where those are few. */
function bitsOfTexts(
  texts: EventTexts,
  { words, rows }: { words: readonly SelectedWord[]; rows: number },
): ((text: number) => number) | null {
  const wanted = words.flatMap(({ text }, index) =>
    text === null ? [] : [{ word: Buffer.from(text), bit: 2 ** index }],
  )
  if (wanted.length === 0) return null
  if (rows * LOOKS_PER_SEARCH > texts.count) {
    const bits = new Int32Array(texts.count)
    for (const { word, bit } of wanted) {
      texts.holding(word).forEach((holds, text) => {
        if (holds !== 0) bits[text] = (bits[text] as number) | bit
      })
    }
    return (text) => bits[text] as number
  }
  const known = new Map<number, number>()
  return (text) => {
    let bits = known.get(text)
    if (bits === undefined) {
      bits = wanted.reduce((held, { word, bit }) => (texts.holds(text, word) ? held | bit : held), 0)
      known.set(text, bits)
    }
    return bits
  }
}

/** A byte for each number below `size`, 1 for those given. */
export function marks(values: readonly number[], size: number): Uint8Array {
  const marked = new Uint8Array(size)
  for (const value of values) if (value < size) marked[value] = 1
  return marked
}
