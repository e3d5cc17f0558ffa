import type { CodeColumn, Condition } from '../features/events/search/condition.ts'
import { type Chunk, CLOSED, type EventArrays, stateOf } from './event-arrays.ts'

type RowTest = (chunk: Chunk, row: number) => boolean

/** A compiled condition: a table with a byte for each kind of events, or, where that does not suffice, a test of rows. */
type Test = Uint8Array | RowTest

/** Rows of a chunk that match, ascending. */
export interface Hits {
  chunk: Chunk
  rows: Uint16Array
}

/** Finds events that match conditions. A condition that several searches share is compiled once. */
export class Matcher {
  readonly #arrays: EventArrays
  readonly #compiled = new Map<Condition, Test>()
  readonly #openRows = new Map<Chunk, Uint16Array>()

  constructor(arrays: EventArrays) {
    this.#arrays = arrays
  }

  /** Finds the events that match all of the conditions. */
  find(...conditions: readonly Condition[]): Hits[] {
    const { chunks, rows } = this.#arrays
    const parts = conditions.flatMap(partsOf)
    const { table, test } = combined(parts.map(this.#testOf), 'all')
    const isOpenOnly = parts.some(({ is }) => is === 'open')
    const found = new Uint16Array(rows.length)
    return chunks.flatMap((chunk): Hits[] => {
      if (!parts.every((part) => mayMatch(chunk, part))) return []
      const candidates = isOpenOnly ? this.#openRowsOf(chunk) : rows
      const count = findInChunk(chunk, { table, test, candidates, found })
      return count === 0 ? [] : [{ chunk, rows: found.slice(0, count) }]
    })
  }

  #openRowsOf(chunk: Chunk): Uint16Array {
    const rows = this.#openRows.get(chunk) ?? Uint16Array.from(chunk.lastActions.keys()).sort()
    this.#openRows.set(chunk, rows)
    return rows
  }

  readonly #testOf = (condition: Condition): Test => {
    const test = this.#compiled.get(condition) ?? this.#compile(condition)
    this.#compiled.set(condition, test)
    return test
  }

  #compile(condition: Condition): Test {
    switch (condition.is) {
      case 'anyOf': {
        const wanted = new Set(condition.values)
        return this.#valuesWhere(condition.column, (value) => value !== null && wanted.has(value))
      }
      case 'missing':
        return this.#valuesWhere(condition.column, (value) => value === null)
      case 'belongsNow': {
        const customerOf = new Map(condition.instruments.map((id, index) => [id, condition.customers[index]]))
        const { size, columns } = this.#arrays.kinds
        return tableOf(size, (kind) => customerOf.get(columns.instrument[kind] ?? 0) === columns.customer[kind])
      }
      case 'idBetween':
        return ({ firstId }, row) => firstId + row >= condition.from && firstId + row <= condition.to
      case 'open':
        return ({ states }, row) => stateOf.status(states[row] as number) !== CLOSED
      case 'fullSupport':
        return ({ states }, row) => stateOf.fullSupport(states[row] as number)
      case 'containing':
        return this.#containing(Buffer.from(condition.word))
      case 'not': {
        const test = this.#testOf(condition.of)
        if (typeof test === 'function') return (chunk, row) => !test(chunk, row)
        return test.map((matches) => 1 - matches)
      }
      case 'all':
      case 'any': {
        const { table, test } = combined(condition.of.map(this.#testOf), condition.is)
        if (!table || !test) return table ?? test ?? (() => condition.is === 'all')
        const ofKind: RowTest = ({ kinds }, row) => table[kinds[row] as number] === 1
        return bothOrEither(ofKind, test, condition.is)
      }
      default:
        return instantTest(condition)
    }
  }

  /** Tests the values in a column, where null is a missing one. */
  #valuesWhere(column: CodeColumn, matches: (value: number | null) => boolean): Test {
    if (column === 'id') return ({ firstId }, row) => matches(firstId + row)
    const { on, size, valueOf } = this.#arrays.column(column)
    const table = tableOf(size, (number) => matches(valueOf(number)))
    if (on === 'kinds') return table
    return on === 'states'
      ? ({ states }, row) => table[states[row] as number] === 1
      : ({ owners }, row) => table[owners[row] as number] === 1
  }

  /** Looks into each distinct text at most once, and only into those of events that match otherwise. */
  #containing(word: Uint8Array): Test {
    const { texts } = this.#arrays
    const [unknown, no, yes] = [0, 1, 2]
    const answers = new Uint8Array(texts.count)
    return (chunk, row) => {
      const text = chunk.texts[row] as number
      if (answers[text] === unknown) answers[text] = texts.contains(text, word) ? yes : no
      return answers[text] === yes
    }
  }
}

/** Writes the candidates that match; returns how many. */
function findInChunk(
  chunk: Chunk,
  { table, test, candidates, found }: Combined & { candidates: Uint16Array; found: Uint16Array },
): number {
  const { states, kinds } = chunk
  let count = 0
  for (let index = 0; index < candidates.length; index += 1) {
    const row = candidates[index] as number
    if (states[row] === 0 || (table && table[kinds[row] as number] === 0) || (test && !test(chunk, row))) continue
    found[count] = row
    count += 1
  }
  return count
}

/** Returns conditions that must all match. */
function partsOf(condition: Condition): readonly Condition[] {
  return condition.is === 'all' ? condition.of.flatMap(partsOf) : [condition]
}

/** Returns false if the times of creation rule out all events of a chunk, or if nothing matches. */
function mayMatch(chunk: Chunk, part: Condition): boolean {
  if (part.is === 'any') return part.of.some((one) => mayMatch(chunk, one))
  if (!('at' in part) || part.column !== 'createdAt') return true
  return part.is === 'from' ? chunk.latest >= part.at.getTime() : chunk.earliest <= part.at.getTime()
}

/** Closed events match no condition on their last action, because only those of open events are held. */
function instantTest({ is, column, at }: Extract<Condition, { at: Date }>): RowTest {
  const limit = at.getTime() + (is === 'until' ? 1 : 0)
  const isRight = is === 'from' ? (instant: number) => instant >= limit : (instant: number) => instant < limit
  if (column === 'createdAt') return ({ created, epoch }, row) => isRight(epoch + (created[row] as number))
  return ({ lastActions }, row) => isRight(lastActions.get(row) ?? Number.NaN)
}

type Combination = 'all' | 'any'

interface Combined {
  table: Uint8Array | undefined
  test: RowTest | undefined
}

/** Combines the tables to one, and the tests of rows to one. */
function combined(tests: readonly Test[], how: Combination): Combined {
  const [first, ...others] = tests.filter((test) => typeof test !== 'function')
  const [firstTest, ...otherTests] = tests.filter((test) => typeof test === 'function')
  const table = first && Uint8Array.from(first)
  for (const other of others) {
    other.forEach((matches, kind) => {
      if (table && (how === 'any') === (matches === 1)) table[kind] = matches
    })
  }
  return { table, test: firstTest && otherTests.reduce((one, other) => bothOrEither(one, other, how), firstTest) }
}

function bothOrEither(one: RowTest, other: RowTest, how: Combination): RowTest {
  if (how === 'all') return (chunk, row) => one(chunk, row) && other(chunk, row)
  return (chunk, row) => one(chunk, row) || other(chunk, row)
}

function tableOf(size: number, matches: (number: number) => boolean): Uint8Array {
  const table = new Uint8Array(size)
  for (let number = 0; number < size; number += 1) table[number] = matches(number) ? 1 : 0
  return table
}
