import type { Condition } from '../features/events/search/condition.ts'
import { type Chunk, CLOSED, type Codes, createdAt, type EventArrays, openRowsOf, stateOf } from './event-arrays.ts'

type RowTest = (chunk: Chunk, row: number) => boolean

/** A condition on one column as a table with a byte for each of its values, or on several as a test of each row. */
type Test = { on: Codes['field']; table: Uint8Array } | { on: 'rows'; test: RowTest }

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

const everything = {
  from: Number.NEGATIVE_INFINITY,
  to: Number.POSITIVE_INFINITY,
  kinds: null,
  owners: null,
  test: null,
}

/** Rows of a chunk that match, ascending. */
export interface Hits {
  chunk: Chunk
  rows: Uint16Array
}

export function countEvents(hits: readonly Hits[]): number {
  return hits.reduce((sum, { rows }) => sum + rows.length, 0)
}

/** Counts rows by the number in a field. */
export function tally(
  hits: readonly Hits[],
  { field, size }: { field: Codes['field'] | 'texts'; size: number },
): Uint32Array {
  const counts = new Uint32Array(size)
  for (const { chunk, rows } of hits) {
    const numbers = chunk[field]
    for (let index = 0; index < rows.length; index += 1) {
      const number = numbers[rows[index] as number] as number
      counts[number] = (counts[number] as number) + 1
    }
  }
  return counts
}

/**
 * Finds events that match conditions. A condition on one column becomes a table, so it is tested once for each kind
 * instead of once for each event. A condition that several others of a search share is compiled once.
 */
export class Matcher {
  readonly #arrays: EventArrays
  readonly #compiled = new Map<Condition, Test>()
  readonly #merged = new Map<Condition, readonly Test[]>()

  constructor(arrays: EventArrays) {
    this.#arrays = arrays
  }

  find(condition: Condition): Hits[] {
    const match = this.#compile(condition)
    const isOpenOnly = match.states.every((matches, state) => matches === 0 || stateOf.status(state) !== CLOSED)
    const isRangeOnly =
      !(match.kinds ?? match.owners ?? match.test) &&
      match.states.every((matches, state) => matches === 1 || stateOf.status(state) === 0)
    const found = new Uint16Array(this.#arrays.rows.length)
    return this.#arrays.chunks.flatMap((chunk): Hits[] => {
      if (chunk.latest < match.from || chunk.earliest >= match.to) return []
      // A list of everything need not look at events one by one.
      const isInRange = chunk.earliest >= match.from && chunk.latest < match.to
      if (isRangeOnly && isInRange && !chunk.states.includes(0)) return [{ chunk, rows: this.#arrays.rows }]
      const candidates = isOpenOnly ? openRowsOf(chunk) : this.#arrays.rows
      const count = findInChunk(chunk, match, { candidates, found })
      if (count === 0) return []
      return [{ chunk, rows: count === candidates.length ? candidates : found.slice(0, count) }]
    })
  }

  #compile(condition: Condition): Match {
    const match: Match = { ...everything, states: tableOf(256, (state) => stateOf.status(state) !== 0) }
    for (const { is, at } of rangeOf(condition)) {
      if (is === 'from') match.from = Math.max(match.from, at.getTime())
      else match.to = Math.min(match.to, at.getTime() + (is === 'until' ? 1 : 0))
    }
    const exists: Test = { on: 'states', table: match.states }
    const parts = mergedByColumn([exists, ...this.#testsOf(condition)], 'all')
    for (const part of parts) if (part.on !== 'rows') match[part.on] = part.table
    const others = parts.filter(({ on }) => on === 'rows')
    if (others.length > 0) match.test = rowTestOf(joined(others, 'all'))
    return match
  }

  /** Tests that must all pass, one for each column. Those of the range are left out. */
  #testsOf(condition: Condition): readonly Test[] {
    if (condition.is !== 'all') return isOfRange(condition) ? [] : [this.#testOf(condition)]
    const tests =
      this.#merged.get(condition) ??
      mergedByColumn(
        condition.of.flatMap((part) => this.#testsOf(part)),
        'all',
      )
    this.#merged.set(condition, tests)
    return tests
  }

  #testOf(condition: Condition): Test {
    const test = this.#compiled.get(condition) ?? this.#build(condition)
    this.#compiled.set(condition, test)
    return test
  }

  #build(condition: Condition): Test {
    switch (condition.is) {
      case 'anyOf': {
        const { column } = condition
        // Ids of events are too large for an array, which is read ten times as fast.
        if (column === 'id' || column === 'run') {
          const wanted = new Set(condition.values)
          if (column === 'id') return rowsWhere(({ firstId }, row) => wanted.has(firstId + row))
          // A row outside every run holds 0, which is no run's id.
          wanted.delete(0)
          return rowsWhere(({ runs }, row) => runs !== null && wanted.has(runs[row] as number))
        }
        const codes = this.#arrays.codesOf(column)
        const { field, size, values } = codes
        if (!values) {
          // An owner's id is as users type it, so it may be too large for an array.
          const wanted = new Set(condition.values)
          return codesWhere(codes, (value) => value !== null && wanted.has(value))
        }
        const isWanted = new Uint8Array(highest(condition.values) + 1)
        for (const value of condition.values) isWanted[value] = 1
        isWanted[0] = 0
        const table = new Uint8Array(size)
        for (let number = 0; number < size; number += 1) table[number] = isWanted[values[number] as number] as number
        return { on: field, table }
      }
      case 'belongsNow': {
        const { size, highestInstrument, columns } = this.#arrays.kinds
        const customerOf = new Float64Array(highestInstrument + 1).fill(-1)
        condition.instruments.forEach((id, index) => {
          customerOf[id] = condition.customers[index] as number
        })
        const belongs = (kind: number) => customerOf[columns.instrument[kind] as number] === columns.customer[kind]
        return { on: 'kinds', table: tableOf(size, belongs) }
      }
      case 'idBetween':
        return rowsWhere(({ firstId }, row) => firstId + row >= condition.from && firstId + row <= condition.to)
      case 'open':
        return { on: 'states', table: tableOf(256, (state) => stateOf.status(state) !== CLOSED) }
      case 'withoutOwner':
        return codesWhere(this.#arrays.codesOf('owner'), (owner) => owner === null)
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
      case 'any': {
        const tests = condition.of.map((part) => this.#testOf(part))
        return joined(tests, condition.is)
      }
      default:
        return instantTest(condition)
    }
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

/**
 * Writes the candidates that match; returns how many. Each column has a loop of its own that always writes and counts by
 * addition: the branch of a loop for all of them would be guessed wrong for every third event, which takes twice as long.
 */
function findInChunk(
  chunk: Chunk,
  { from, to, states, kinds, owners, test }: Match,
  { candidates, found }: { candidates: Uint16Array; found: Uint16Array },
): number {
  let count = 0
  for (let index = 0; index < candidates.length; index += 1) {
    const row = candidates[index] as number
    found[count] = row
    count += states[chunk.states[row] as number] as number
  }
  if (chunk.earliest < from || chunk.latest >= to) {
    const [least, most] = [from - chunk.epoch, to - chunk.epoch]
    count = keep(
      found,
      count,
      (row) => (chunk.created[row] as number) >= least && (chunk.created[row] as number) < most,
    )
  }
  if (kinds !== null) {
    const end = count
    count = 0
    for (let index = 0; index < end; index += 1) {
      const row = found[index] as number
      found[count] = row
      count += kinds[chunk.kinds[row] as number] as number
    }
  }
  if (owners !== null) count = keep(found, count, (row) => owners[chunk.owners[row] as number] === 1)
  if (test !== null) count = keep(found, count, (row) => test(chunk, row))
  return count
}

/** Keeps those of the first `end` rows that pass a test; returns how many. */
function keep(rows: Uint16Array, end: number, test: (row: number) => boolean): number {
  let count = 0
  for (let index = 0; index < end; index += 1) {
    const row = rows[index] as number
    if (!test(row)) continue
    rows[count] = row
    count += 1
  }
  return count
}

type Instant = Extract<Condition, { at: Date }>

function isOfRange(condition: Condition): condition is Instant {
  return 'at' in condition && condition.column === 'createdAt'
}

/** Returns the conditions on the time of creation that must all match. */
function rangeOf(condition: Condition): readonly Instant[] {
  if (condition.is === 'all') return condition.of.flatMap(rangeOf)
  return isOfRange(condition) ? [condition] : []
}

/** Closed events match no condition on their last action, because only those of open events are held. */
function instantTest({ is, column, at }: Instant): Test {
  const wanted = at.getTime()
  const isRight = (instant: number) => (is === 'from' ? instant >= wanted : instant < wanted + (is === 'until' ? 1 : 0))
  if (column === 'createdAt') return rowsWhere((chunk, row) => isRight(createdAt(chunk, row)))
  return rowsWhere(({ lastActions }, row) => isRight(lastActions.get(row) ?? Number.NaN))
}

type Combination = 'all' | 'any'

/** Combines the tables of each column to one. Texts take longest, so tests of rows come last. */
function mergedByColumn(tests: readonly Test[], how: Combination): Test[] {
  const merged = (['states', 'kinds', 'owners'] as const).flatMap((on): Test[] => {
    const [first, ...others] = tests.flatMap((test) => (test.on === on ? [test.table] : []))
    if (!first) return []
    if (others.length === 0) return [{ on, table: first }]
    const table = new Uint8Array(first)
    for (const other of others) {
      for (let value = 0; value < table.length; value += 1) {
        if (how === 'all') table[value] = (table[value] as number) & (other[value] as number)
        else table[value] = (table[value] as number) | (other[value] as number)
      }
    }
    return [{ on, table }]
  })
  return [...merged, ...tests.filter(({ on }) => on === 'rows')]
}

/** Combines tests to one. */
function joined(tests: readonly Test[], how: Combination): Test {
  const [first, ...others] = mergedByColumn(tests, how)
  if (!first) return { on: 'states', table: new Uint8Array(256).fill(how === 'all' ? 1 : 0) }
  return others.reduce((before, next) => {
    const [one, other] = [rowTestOf(before), rowTestOf(next)]
    if (how === 'all') return rowsWhere((chunk, row) => one(chunk, row) && other(chunk, row))
    return rowsWhere((chunk, row) => one(chunk, row) || other(chunk, row))
  }, first)
}

function rowTestOf(test: Test): RowTest {
  if (test.on === 'rows') return test.test
  const { on, table } = test
  if (on === 'states') return ({ states }, row) => table[states[row] as number] === 1
  if (on === 'owners') return ({ owners }, row) => table[owners[row] as number] === 1
  return ({ kinds }, row) => table[kinds[row] as number] === 1
}

/** Returns the highest number; 0 for none. There may be more of them than a call takes arguments. */
export function highest(numbers: readonly number[]): number {
  return numbers.reduce((most, number) => Math.max(most, number), 0)
}

function rowsWhere(test: RowTest): Test {
  return { on: 'rows', test }
}

function codesWhere({ field, size, valueOf }: Codes, matches: (value: number | null) => boolean): Test {
  return { on: field, table: tableOf(size, (number) => matches(valueOf(number))) }
}

function tableOf(size: number, matches: (value: number) => boolean): Uint8Array {
  const table = new Uint8Array(size)
  for (let value = 0; value < size; value += 1) table[value] = matches(value) ? 1 : 0
  return table
}
