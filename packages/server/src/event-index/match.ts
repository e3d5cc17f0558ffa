import type { CodeColumn, Condition } from '../features/events/search/condition.ts'
import { type Chunk, CLOSED, type Dimension, type EventArrays, ROWS, stateBits } from './event-arrays.ts'

/** A condition on one column as a table with a byte for each of its values: 1 if events with that value match. */
interface TableTest {
  on: 'kinds' | 'owners' | 'states'
  table: Uint8Array
}
type RowTest = (chunk: Chunk, row: number) => boolean
type Test = TableTest | { on: 'rows'; test: RowTest }

/** A compiled condition. Null tables match everything. */
export interface Match {
  /** Created from this instant on, and before that one. */
  from: number
  to: number
  states: Uint8Array
  kinds: Uint8Array | null
  owners: Uint8Array | null
  /** Null if the tables decide. */
  test: RowTest | null
}

/** Rows of a chunk that match, ascending. */
export interface Hits {
  chunk: Chunk
  rows: Uint16Array
}

const dimensionOf: Partial<Record<CodeColumn, Dimension>> = {
  severity: 'severity',
  alertType: 'alertType',
  component: 'component',
  site: 'site',
  instrument: 'instrument',
  customer: 'customer',
  gateway: 'gateway',
}

const isEvent = tableOfStates(() => true)

/**
 * Compiles conditions for the arrays as they are. Conditions on one column become one table, whatever they combine:
 * kinds are tested once each instead of once for each event. The parts that the conditions of one search share are
 * compiled once.
 */
export class MatchCompiler {
  readonly #arrays: EventArrays
  readonly #compiled = new Map<Condition, Test>()

  constructor(arrays: EventArrays) {
    this.#arrays = arrays
  }

  compile(condition: Condition): Match {
    const match: Match = {
      from: Number.NEGATIVE_INFINITY,
      to: Number.POSITIVE_INFINITY,
      states: isEvent,
      kinds: null,
      owners: null,
      test: null,
    }
    const tests: Test[] = []
    for (const part of partsOf(condition)) {
      if ((part.is === 'from' || part.is === 'before' || part.is === 'until') && part.column === 'createdAt') {
        if (part.is === 'from') match.from = Math.max(match.from, part.at.getTime())
        else match.to = Math.min(match.to, part.at.getTime() + (part.is === 'until' ? 1 : 0))
      } else tests.push(this.#testOf(part))
    }
    for (const test of merged(tests, 'all')) {
      if (test.on === 'states') match.states = combined([test.table, isEvent], 'all')
      else if (test.on !== 'rows') match[test.on] = test.table
      else match.test = match.test === null ? test.test : both(match.test, test.test)
    }
    return match
  }

  #testOf(condition: Condition): Test {
    const known = this.#compiled.get(condition)
    if (known) return known
    const test = this.#build(condition)
    this.#compiled.set(condition, test)
    return test
  }

  #build(condition: Condition): Test {
    switch (condition.is) {
      case 'anyOf':
        return this.#anyOf(condition.column, condition.values)
      case 'missing':
        return this.#missing(condition.column)
      case 'belongsNow': {
        const customerOf = new Map(condition.instruments.map((id, index) => [id, condition.customers[index]]))
        const { instrument, customer } = this.#arrays.kinds.values
        return this.#kinds(
          (kind) => customerOf.get(instrument.values[kind] as number) === (customer.values[kind] as number),
        )
      }
      case 'idBetween': {
        const { from, to } = condition
        return rowsWhere(({ firstId }, row) => firstId + row >= from && firstId + row <= to)
      }
      case 'from':
      case 'before':
      case 'until':
        return this.#instant(condition)
      case 'open':
        return { on: 'states', table: tableOfStates((status) => status !== CLOSED) }
      case 'fullSupport':
        return { on: 'states', table: tableOfStates((_, state) => (state & stateBits.fullSupport) !== 0) }
      case 'containing':
        return this.#containing(condition.word)
      case 'not': {
        const test = this.#testOf(condition.of)
        if (test.on === 'rows') return rowsWhere((chunk, row) => !test.test(chunk, row))
        return { on: test.on, table: test.table.map((matches) => 1 - matches) }
      }
      default:
        return single(
          merged(
            condition.of.map((part) => this.#testOf(part)),
            condition.is,
          ),
          condition.is,
        )
    }
  }

  #anyOf(column: CodeColumn, values: readonly number[]): Test {
    const { kinds, ownerCount } = this.#arrays
    const wanted = new Set(values)
    if (column === 'id') return rowsWhere(({ firstId }, row) => wanted.has(firstId + row))
    if (column === 'alertStatus') return { on: 'states', table: tableOfStates((status) => wanted.has(status)) }
    // In the arrays, 0 stands for a missing value, which equals none of them.
    if (column === 'closeReason') {
      return { on: 'states', table: tableOfStates((_, state) => reasonOf(state) !== 0 && wanted.has(reasonOf(state))) }
    }
    if (column === 'owner') {
      return { on: 'owners', table: tableOf(ownerCount, (owner) => owner !== 0 && wanted.has(owner - 1)) }
    }
    const list = kinds.values[dimensionOf[column] as Dimension]
    const isWanted = tableOf(list.max + 1, (value) => value !== 0 && wanted.has(value))
    return this.#kinds((kind) => isWanted[list.values[kind] as number] === 1)
  }

  #missing(column: CodeColumn): Test {
    if (column === 'owner') return { on: 'owners', table: tableOf(this.#arrays.ownerCount, (owner) => owner === 0) }
    if (column === 'closeReason') return { on: 'states', table: tableOfStates((_, state) => reasonOf(state) === 0) }
    const dimension = dimensionOf[column]
    if (dimension === undefined) return { on: 'states', table: new Uint8Array(256) }
    const { values } = this.#arrays.kinds.values[dimension]
    return this.#kinds((kind) => values[kind] === 0)
  }

  #kinds(matches: (kind: number) => boolean): Test {
    return { on: 'kinds', table: tableOf(this.#arrays.kinds.size, matches) }
  }

  /** Closed events match no condition on their last action, because only those of open events are held. */
  #instant({ is, column, at }: Extract<Condition, { is: 'from' | 'before' | 'until' }>): Test {
    const wanted = at.getTime()
    const isRight = (instant: number) =>
      is === 'from' ? instant >= wanted : instant < wanted + (is === 'until' ? 1 : 0)
    if (column === 'createdAt') return rowsWhere(({ created, epoch }, row) => isRight(epoch + (created[row] as number)))
    return rowsWhere(({ lastActions }, row) => isRight(lastActions.get(row) ?? Number.NaN))
  }

  /** Looks into each distinct text at most once, and only into those of events that match otherwise. */
  #containing(word: string): Test {
    const { texts } = this.#arrays
    const bytes = Buffer.from(word)
    const [unknown, no, yes] = [0, 1, 2]
    const answers = new Uint8Array(texts.count)
    return rowsWhere((chunk, row) => {
      const text = chunk.texts[row] as number
      if (answers[text] === unknown) answers[text] = texts.contains(text, bytes) ? yes : no
      return answers[text] === yes
    })
  }
}

/** Returns the rows of all events that match, by chunk. */
export function findHits({ chunks, rows }: EventArrays, match: Match): Hits[] {
  const found = new Uint16Array(rows)
  const hits: Hits[] = []
  for (const chunk of chunks) {
    if (chunk.latest < match.from || chunk.earliest >= match.to) continue
    const count = findInChunk(chunk, match, found)
    if (count === ROWS) hits.push({ chunk, rows: everyRow })
    else if (count > 0) hits.push({ chunk, rows: found.slice(0, count) })
  }
  return hits
}

const everyRow = Uint16Array.from({ length: ROWS }, (_, row) => row)

function findInChunk(chunk: Chunk, match: Match, found: Uint16Array): number {
  const { states, kinds, owners, test } = match
  const { epoch, created, states: stateOf, kinds: kindOf, owners: ownerOf } = chunk
  const from = match.from - epoch
  const to = match.to - epoch
  let count = 0
  for (let row = 0; row < stateOf.length; row += 1) {
    const at = created[row] as number
    if (at < from || at >= to || states[stateOf[row] as number] === 0) continue
    if (kinds !== null && kinds[kindOf[row] as number] === 0) continue
    if (owners !== null && owners[ownerOf[row] as number] === 0) continue
    if (test !== null && !test(chunk, row)) continue
    found[count] = row
    count += 1
  }
  return count
}

/** True if the event of a row matches. */
export function isHit(chunk: Chunk, row: number, { from, to, states, kinds, owners, test }: Match): boolean {
  if (states[chunk.states[row] as number] === 0) return false
  const at = chunk.epoch + (chunk.created[row] as number)
  return (
    at >= from &&
    at < to &&
    (kinds === null || kinds[chunk.kinds[row] as number] === 1) &&
    (owners === null || owners[chunk.owners[row] as number] === 1) &&
    (test === null || test(chunk, row))
  )
}

/** Returns what must all be true for a condition to match. */
function partsOf(condition: Condition): readonly Condition[] {
  return condition.is === 'all' ? condition.of.flatMap(partsOf) : [condition]
}

type Combination = 'all' | 'any'

/** Combines the tests of each column to one. */
function merged(tests: readonly Test[], combination: Combination): Test[] {
  const tables = (['states', 'kinds', 'owners'] as const).flatMap((on): Test[] => {
    const ofColumn = tests.filter((test): test is TableTest => test.on === on).map(({ table }) => table)
    return ofColumn.length === 0 ? [] : [{ on, table: combined(ofColumn, combination) }]
  })
  return [...tables, ...tests.filter(({ on }) => on === 'rows')]
}

function combined([first, ...others]: readonly Uint8Array[], combination: Combination): Uint8Array {
  const table = Uint8Array.from(first ?? [])
  for (const other of others) {
    for (let value = 0; value < table.length; value += 1) {
      const a = table[value] as number
      const b = other[value] as number
      table[value] = combination === 'all' ? a & b : a | b
    }
  }
  return table
}

/** Combines tests of different columns to one. Tables come first, because texts take longest. */
function single(tests: readonly Test[], combination: Combination): Test {
  const [first, ...others] = tests
  if (!first) return { on: 'states', table: new Uint8Array(256).fill(combination === 'all' ? 1 : 0) }
  if (others.length === 0) return first
  const test = rowTestOf(first)
  const next = rowTestOf(single(others, combination))
  return rowsWhere(combination === 'all' ? both(test, next) : (chunk, row) => test(chunk, row) || next(chunk, row))
}

function both(test: RowTest, next: RowTest): RowTest {
  return (chunk, row) => test(chunk, row) && next(chunk, row)
}

function rowTestOf(test: Test): RowTest {
  if (test.on === 'rows') return test.test
  const { on, table } = test
  if (on === 'states') return ({ states }, row) => table[states[row] as number] === 1
  if (on === 'owners') return ({ owners }, row) => table[owners[row] as number] === 1
  return ({ kinds }, row) => table[kinds[row] as number] === 1
}

function rowsWhere(test: RowTest): Test {
  return { on: 'rows', test }
}

function reasonOf(state: number): number {
  return (state >>> stateBits.reasonShift) & stateBits.reason
}

function tableOf(size: number, matches: (value: number) => boolean): Uint8Array {
  const table = new Uint8Array(size)
  for (let value = 0; value < size; value += 1) table[value] = matches(value) ? 1 : 0
  return table
}

function tableOfStates(matches: (status: number, state: number) => boolean): Uint8Array {
  return tableOf(256, (state) => (state & stateBits.status) !== 0 && matches(state & stateBits.status, state))
}
