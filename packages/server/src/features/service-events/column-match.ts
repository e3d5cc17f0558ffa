import { type ColumnBlock, type EventColumns, REASON_SHIFT, ROWS_PER_BLOCK, STATUS_BITS } from './event-columns.ts'
import type { EventKinds, GrowingColumn } from './event-kinds.ts'
import type { EventSelection, SelectedWord } from './filters.ts'

/**
 * The predicate of `filters.ts` over columns in memory: everything of a selection but its range and its flags. A property
 * test holds the two, and a plain scan, to the same answers.
 */
export interface ColumnMatch {
  /** Of the rows in `from` up to `count` those that match, in `into`, which may be the same; returns how many. */
  keep(block: ColumnBlock, rows: { from: Uint32Array; count: number; into: Uint32Array }): number
}

/** Prepares a selection for the columns as they are; undefined where it asks for texts and they hold none. */
export function matchColumns(columns: EventColumns, selection: EventSelection): ColumnMatch | undefined {
  if (columns.texts === null && selection.words.some(({ text }) => text !== null)) return undefined
  const kindMatches = matchingKinds(columns.kinds, selection)
  const stateMatches = matchingStates(selection)
  const ownerMatches = matchingOwners(columns.ownerCount, selection)
  const words = matchingWords(columns, selection.words)
  return {
    keep(block, { from, count, into }) {
      const { kinds, states, owners } = block
      let kept = 0
      for (let index = 0; index < count; index += 1) {
        const row = from[index] as number
        if (stateMatches[states[row] as number] === 0 || kindMatches[kinds[row] as number] === 0) continue
        if (ownerMatches !== null && ownerMatches[owners[row] as number] === 0) continue
        into[kept] = row
        kept += 1
      }
      return words === null ? kept : words(block, { from: into, count: kept, into })
    },
  }
}

function matchingKinds(kinds: EventKinds, selection: EventSelection): Uint8Array {
  const matches = new Uint8Array(kinds.size).fill(1)
  const restrict = (column: GrowingColumn, values: readonly number[] | null) => {
    if (values === null) return
    const wanted = marks(values, column.max + 1)
    for (let kind = 0; kind < matches.length; kind += 1) {
      if (wanted[column.values[kind] as number] === 0) matches[kind] = 0
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
      const customerOf = new Map(ids.map((id, index) => [id, customersNow[index]]))
      for (let kind = 0; kind < matches.length; kind += 1) {
        if (
          matches[kind] !== 0 &&
          customerOf.get(kinds.instruments.values[kind] as number) !== kinds.customers.values[kind]
        )
          matches[kind] = 0
      }
    }
  }
  return matches
}

/** By the byte of status and reason; 0 is no event. */
function matchingStates({ alertStatuses, closeReasons }: EventSelection): Uint8Array {
  return Uint8Array.from({ length: 256 }, (_, state) => {
    const status = state & STATUS_BITS
    const reason = state >> REASON_SHIFT
    if (status === 0) return 0
    if (alertStatuses !== null && !alertStatuses.includes(status)) return 0
    return closeReasons === null || closeReasons.includes(reason) ? 1 : 0
  })
}

function matchingOwners(count: number, { owners }: EventSelection): Uint8Array | null {
  if (owners === null) return null
  const matches = marks(
    owners.ids.map((id) => id + 1),
    count,
  )
  matches[0] = owners.none ? 1 : 0
  return matches
}

/** Each word has a bit, set where a field holds it; a row matches when its kind, text, owner and id together have them all. */
function matchingWords(
  { kinds, texts, ownerCount }: EventColumns,
  words: readonly SelectedWord[],
): ColumnMatch['keep'] | null {
  if (words.length === 0) return null
  const all = 2 ** words.length - 1
  const ofKind = new Int32Array(kinds.size)
  const ofOwner = new Int32Array(ownerCount)
  const ofText = new Int32Array(texts?.count ?? 0)
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
    if (word.text !== null && texts !== null) {
      const holding = texts.holding(word.text)
      for (let text = 0; text < holding.length; text += 1) {
        if (holding[text] !== 0) ofText[text] = (ofText[text] as number) | bit
      }
    }
    const wantedOwners = marks(
      word.owners.map((id) => id + 1),
      ownerCount,
    )
    for (let owner = 1; owner < ownerCount; owner += 1) {
      if (wantedOwners[owner] !== 0) ofOwner[owner] = (ofOwner[owner] as number) | bit
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
      if (ofText.length > 0) bits |= ofText[textsOf[row] as number] as number
      for (const range of near) if (range.from <= firstId + row && firstId + row <= range.to) bits |= range.bit
      if (bits !== all) continue
      into[kept] = row
      kept += 1
    }
    return kept
  }
}

/** A byte for each number below `size`, 1 for those given. */
export function marks(values: readonly number[], size: number): Uint8Array {
  const marked = new Uint8Array(size)
  for (const value of values) if (value < size) marked[value] = 1
  return marked
}

/** Every row of a block. */
export const everyRow = Uint32Array.from({ length: ROWS_PER_BLOCK }, (_, row) => row)
