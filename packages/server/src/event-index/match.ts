import type { CodeColumn, Condition } from '../features/events/search/condition.ts'
import { type Chunk, CLOSED, type EventArrays, stateOf } from './event-arrays.ts'

type RowTest = (chunk: Chunk, row: number) => boolean

/** A condition on one column as a table with a byte for each of its values, or on several as a test of each row. */
type Test = { on: 'states' | 'kinds' | 'owners'; table: Uint8Array } | { on: 'rows'; test: RowTest }

/** A compiled condition. Null matches everything. */
interface Match {
  /** Created from this instant on, and before that one. */
  from: number
  to: number
  states: Uint8Array
  kinds: Uint8Array | null
  owners: Uint8Array | null
  test: RowTest | null
}

/** Rows of a chunk that match, ascending. */
export interface Hits {
  chunk: Chunk
  rows: Uint16Array
}

const dimensions = ['instrument', 'component', 'site', 'customer', 'gateway', 'severity', 'alertType'] as const

/**
 * Finds events that match conditions. A condition on one column becomes a table, so it is tested once for each kind
 * instead of once for each event. Conditions that several others of a search share are compiled once.
 */
export class Matcher {
  readonly #arrays: EventArrays
  readonly #compiled = new Map<Condition, Test>()
  readonly #everyRow: Uint16Array

  constructor(arrays: EventArrays) {
    this.#arrays = arrays
    this.#everyRow = Uint16Array.from({ length: arrays.rows }, (_, row) => row)
  }

  find(condition: Condition): Hits[] {
    const match = this.#compile(condition)
    const isOpenOnly = match.states.every((matches, state) => matches === 0 || stateOf.status(state) !== CLOSED)
    const found = new Uint16Array(this.#arrays.rows)
    return this.#arrays.chunks.flatMap((chunk): Hits[] => {
      const candidates = isOpenOnly ? Uint16Array.from(chunk.lastActions.keys()).sort() : this.#everyRow
      const count = findInChunk(chunk, match, { candidates, found })
      if (count === 0) return []
      return [{ chunk, rows: count === candidates.length ? candidates : found.slice(0, count) }]
    })
  }

  #compile(condition: Condition): Match {
    const match = {
      from: Number.NEGATIVE_INFINITY,
      to: Number.POSITIVE_INFINITY,
      kinds: null,
      owners: null,
      test: null,
    }
    const compiled: Match = { ...match, states: tableOf(256, (state) => stateOf.status(state) !== 0) }
    for (const part of partsOf(condition)) {
      if ('column' in part && 'at' in part && part.column === 'createdAt') {
        if (part.is === 'from') compiled.from = Math.max(compiled.from, part.at.getTime())
        else compiled.to = Math.min(compiled.to, part.at.getTime() + (part.is === 'until' ? 1 : 0))
        continue
      }
      const test = this.#testOf(part)
      if (test.on !== 'rows') compiled[test.on] = combined(compiled[test.on], test.table, 'all')
      else compiled.test = compiled.test ? both(compiled.test, test.test) : test.test
    }
    return compiled
  }

  #testOf(condition: Condition): Test {
    const test = this.#compiled.get(condition) ?? this.#build(condition)
    this.#compiled.set(condition, test)
    return test
  }

  #build(condition: Condition): Test {
    switch (condition.is) {
      case 'anyOf': {
        const wanted = new Set(condition.values)
        if (condition.column === 'id') return rowsWhere(({ firstId }, row) => wanted.has(firstId + row))
        return this.#valuesWhere(condition.column, (value) => value !== null && wanted.has(value))
      }
      case 'missing':
        return this.#valuesWhere(condition.column, (value) => value === null)
      case 'belongsNow': {
        const customerOf = new Map(condition.instruments.map((id, index) => [id, condition.customers[index]]))
        const { kinds } = this.#arrays
        const { instrument, customer } = kinds.columns
        const table = tableOf(kinds.size, (kind) => customerOf.get(instrument[kind] as number) === customer[kind])
        return { on: 'kinds', table }
      }
      case 'idBetween':
        return rowsWhere(({ firstId }, row) => firstId + row >= condition.from && firstId + row <= condition.to)
      case 'open':
        return { on: 'states', table: tableOf(256, (state) => stateOf.status(state) !== CLOSED) }
      case 'fullSupport':
        return { on: 'states', table: tableOf(256, stateOf.fullSupport) }
      case 'containing':
        return this.#containing(Buffer.from(condition.word))
      case 'not': {
        const test = this.#testOf(condition.of)
        if (test.on === 'rows') return rowsWhere((chunk, row) => !test.test(chunk, row))
        return { on: test.on, table: test.table.map((matches) => 1 - matches) }
      }
      case 'all':
      case 'any':
        return joined(
          condition.of.map((part) => this.#testOf(part)),
          condition.is,
        )
      default:
        return instantTest(condition)
    }
  }

  /** A test of the values in a column, where null is a missing one. */
  #valuesWhere(column: CodeColumn, matches: (value: number | null) => boolean): Test {
    const { kinds, ownerCount } = this.#arrays
    if (column === 'alertStatus')
      return { on: 'states', table: tableOf(256, (state) => matches(stateOf.status(state))) }
    if (column === 'closeReason') {
      return { on: 'states', table: tableOf(256, (state) => matches(stateOf.reason(state) || null)) }
    }
    if (column === 'owner') {
      return { on: 'owners', table: tableOf(ownerCount, (owner) => matches(owner === 0 ? null : owner - 1)) }
    }
    const dimension = dimensions.find((name) => name === column)
    const values = dimension && kinds.columns[dimension]
    // Only an id is no dimension, and none is missing.
    return { on: 'kinds', table: tableOf(kinds.size, (kind) => values !== undefined && matches(values[kind] || null)) }
  }

  /** Looks into each distinct text at most once, and only into those of events that match otherwise. */
  #containing(word: Uint8Array): Test {
    const { texts } = this.#arrays
    const [unknown, no, yes] = [0, 1, 2]
    const answers = new Uint8Array(texts.count)
    return rowsWhere((chunk, row) => {
      const text = chunk.texts[row] as number
      if (answers[text] === unknown) answers[text] = texts.contains(text, word) ? yes : no
      return answers[text] === yes
    })
  }
}

function findInChunk(
  chunk: Chunk,
  match: Match,
  { candidates, found }: { candidates: Uint16Array; found: Uint16Array },
): number {
  const { states, kinds, owners, test } = match
  const [from, to] = [match.from - chunk.epoch, match.to - chunk.epoch]
  let count = 0
  for (let index = 0; index < candidates.length; index += 1) {
    const row = candidates[index] as number
    const at = chunk.created[row] as number
    if (at < from || at >= to || states[chunk.states[row] as number] === 0) continue
    if (kinds !== null && kinds[chunk.kinds[row] as number] === 0) continue
    if (owners !== null && owners[chunk.owners[row] as number] === 0) continue
    if (test !== null && !test(chunk, row)) continue
    found[count] = row
    count += 1
  }
  return count
}

/** Returns conditions that must all match. */
function partsOf(condition: Condition): readonly Condition[] {
  return condition.is === 'all' ? condition.of.flatMap(partsOf) : [condition]
}

/** Closed events match no condition on their last action, because only those of open events are held. */
function instantTest({ is, column, at }: Extract<Condition, { at: Date }>): Test {
  const wanted = at.getTime()
  const isRight = (instant: number) => (is === 'from' ? instant >= wanted : instant < wanted + (is === 'until' ? 1 : 0))
  if (column === 'createdAt') return rowsWhere(({ created, epoch }, row) => isRight(epoch + (created[row] as number)))
  return rowsWhere(({ lastActions }, row) => isRight(lastActions.get(row) ?? Number.NaN))
}

/** Combines tests: those of one column to one table, then these and the others to a test of rows. */
function joined(tests: readonly Test[], how: 'all' | 'any'): Test {
  const parts: Test[] = []
  for (const on of ['states', 'kinds', 'owners'] as const) {
    const tables = tests.flatMap((test) => (test.on === on ? [test.table] : []))
    if (tables.length > 0) parts.push({ on, table: tables.reduce((table, next) => combined(table, next, how)) })
  }
  // Texts take longest, so they come last.
  parts.push(...tests.filter(({ on }) => on === 'rows'))
  const [first, ...others] = parts
  if (!first) return { on: 'states', table: new Uint8Array(256).fill(how === 'all' ? 1 : 0) }
  if (others.length === 0) return first
  const test = others.reduce<RowTest>((before, next) => {
    const after = rowTestOf(next)
    return how === 'all' ? both(before, after) : (chunk, row) => before(chunk, row) || after(chunk, row)
  }, rowTestOf(first))
  return rowsWhere(test)
}

function both(first: RowTest, second: RowTest): RowTest {
  return (chunk, row) => first(chunk, row) && second(chunk, row)
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

function tableOf(size: number, matches: (value: number) => boolean): Uint8Array {
  const table = new Uint8Array(size)
  for (let value = 0; value < size; value += 1) table[value] = matches(value) ? 1 : 0
  return table
}

function combined(table: Uint8Array | null, other: Uint8Array, how: 'all' | 'any'): Uint8Array {
  if (table === null) return other
  return table.map((matches, value) =>
    how === 'all' ? matches & (other[value] as number) : matches | (other[value] as number),
  )
}
