import { EventTexts } from './event-texts.ts'
import { HashTable, mixed } from './hash-table.ts'

/** An event as the index reads it from the database. Instants are milliseconds since 1970. */
export interface IndexedEvent {
  id: number
  createdAt: number
  customer: number
  site: number
  /** 0 for an edge issue; 0 stands for a missing component, too. */
  instrument: number
  component: number
  /** The gateway of an edge issue, otherwise 0. */
  gateway: number
  severity: number
  alertType: number
  /** 1 new, 2 in progress, 3 closed. */
  status: number
  /** 0 while there is none. */
  reason: number
  owner: number | null
  fullSupport: boolean
  lastActionAt: number
  /** 0 until an e-mail was sent. */
  emailedAt: number
  /** Folded description and user message as UTF-8, divided by `dividedText`. */
  text: Uint8Array
}

/** The state of an event in one byte: its status in two bits, the reason in four, then full support. 0 is no event. */
export const stateBits = { status: 0b11, reasonShift: 2, reason: 0b1111, fullSupport: 0b100_0000 } as const
export const CLOSED = 3

export const ROWS = 65_536

/** The events of 65,536 consecutive ids, each in the row of its id. */
export interface Chunk {
  firstId: number
  /** When each event was created, as milliseconds from `epoch` on: 32 bits hold 49 days. */
  created: Uint32Array | Float64Array
  epoch: number
  /** Bounds of all that it ever held. */
  earliest: number
  latest: number
  kinds: Uint32Array
  texts: Uint32Array
  /** User id + 1; 0 for none. 16 bits until a user id needs more. */
  owners: Uint16Array | Uint32Array
  states: Uint8Array
  /** Null until the first e-mail about one of its events. */
  emailed: Float64Array | null
  /** Last actions of open events by row. */
  lastActions: Map<number, number>
}

/** Everything about an event that can change. */
export interface ChangeableState {
  id: number
  state: number
  owner: number
  /** Of open events alone; null for others. */
  lastActionAt: number | null
  emailedAt: number
}

const dimensions = ['instrument', 'component', 'site', 'customer', 'gateway', 'severity', 'alertType'] as const
export type Dimension = (typeof dimensions)[number]

/**
 * The kinds of events: thousands of events share the values that never change, so these stand here once and each event
 * refers to them by number.
 */
export class EventKinds {
  readonly values = Object.fromEntries(dimensions.map((name) => [name, new NumberList()])) as Record<
    Dimension,
    NumberList
  >
  /** Number of the instrument and component, 0 where one is missing; and of the customer and site. Both from 1. */
  readonly pairs = new NumberList()
  readonly places = new NumberList()
  readonly #pairNumbers = new Map<string, number>()
  readonly #placeNumbers = new Map<string, number>()
  readonly #table = new HashTable((number) => hashOf((name) => this.values[name].values[number] as number))

  get size(): number {
    return this.#table.count
  }

  /** Returns the number of a kind; a new one is added. */
  numberOf(kind: Record<Dimension, number>): number {
    const { values } = this
    const hash = hashOf((name) => kind[name])
    const known = this.#table.find(hash, (number) =>
      dimensions.every((name) => values[name].values[number] === kind[name]),
    )
    if (known !== undefined) return known
    for (const name of dimensions) values[name].push(kind[name])
    const { instrument, component, customer, site } = kind
    const isPair = instrument !== 0 && component !== 0
    this.pairs.push(isPair ? numberIn(this.#pairNumbers, `${instrument} ${component}`) : 0)
    this.places.push(numberIn(this.#placeNumbers, `${customer} ${site}`))
    return this.#table.add(hash)
  }
}

function hashOf(valueOf: (name: Dimension) => number): number {
  let hash = 0
  for (const name of dimensions) hash = Math.imul(hash ^ valueOf(name), 0x01000193)
  return mixed(hash)
}

/** Returns the number of a key, from 1 in the order of their first use. */
function numberIn(numbers: Map<string, number>, key: string): number {
  const known = numbers.get(key)
  if (known !== undefined) return known
  numbers.set(key, numbers.size + 1)
  return numbers.size
}

/** Whole numbers in memory that doubles when it is full. */
export class NumberList {
  values = new Int32Array(1024)
  size = 0
  max = 0

  push(value: number): void {
    if (this.size === this.values.length) {
      const larger = new Int32Array(this.size * 2)
      larger.set(this.values)
      this.values = larger
    }
    this.values[this.size] = value
    this.size += 1
    if (value > this.max) this.max = value
  }
}

/** All events in memory, as typed arrays: 15 bytes each, 8 more where e-mails were sent, and their distinct texts. */
export class EventArrays {
  readonly kinds = new EventKinds()
  readonly texts = new EventTexts()
  /** In order of ids. */
  readonly chunks: Chunk[] = []
  /** Highest owner's id + 2: one more than the highest number in `owners`. */
  ownerCount = 1
  /** Rows of a chunk; tests take fewer. */
  readonly rows: number

  constructor(rows = ROWS) {
    this.rows = rows
  }

  /** Stores an event as it is now. Returns its earlier state, which `write` brings back. */
  put(event: IndexedEvent): ChangeableState {
    const chunk = this.chunkOf(event.id)
    const row = event.id - chunk.firstId
    const before = this.#read(event.id)
    if (before.state === 0) {
      setCreated(chunk, row, event.createdAt)
      chunk.kinds[row] = this.kinds.numberOf(event)
      chunk.texts[row] = this.texts.numberOf(event.text)
    }
    const { status, reason, fullSupport, owner, lastActionAt } = event
    this.write({
      id: event.id,
      state: status | (reason << stateBits.reasonShift) | (fullSupport ? stateBits.fullSupport : 0),
      owner: owner === null ? 0 : owner + 1,
      lastActionAt: status === CLOSED ? null : lastActionAt,
      emailedAt: event.emailedAt,
    })
    return before
  }

  /** Takes a deleted event out. Returns its earlier state. */
  remove(id: number): ChangeableState {
    const before = this.#read(id)
    if (before.state !== 0) this.write({ id, state: 0, owner: 0, lastActionAt: null, emailedAt: 0 })
    return before
  }

  write({ id, state, owner, lastActionAt, emailedAt }: ChangeableState): void {
    const chunk = this.chunkOf(id)
    const row = id - chunk.firstId
    if (owner > 0xffff && chunk.owners instanceof Uint16Array) chunk.owners = Uint32Array.from(chunk.owners)
    if (emailedAt !== 0) chunk.emailed ??= new Float64Array(this.rows)
    chunk.states[row] = state
    chunk.owners[row] = owner
    if (chunk.emailed) chunk.emailed[row] = emailedAt
    this.ownerCount = Math.max(this.ownerCount, owner + 1)
    if (lastActionAt === null) chunk.lastActions.delete(row)
    else chunk.lastActions.set(row, lastActionAt)
  }

  /** Returns the chunk of an id; undefined if there is none. */
  findChunk(id: number): Chunk | undefined {
    const chunk = this.chunks[this.#chunksBefore(id + 1) - 1]
    return chunk && id < chunk.firstId + this.rows ? chunk : undefined
  }

  /** Returns the chunk of an id; a new one is added. */
  chunkOf(id: number): Chunk {
    const known = this.findChunk(id)
    if (known) return known
    const { rows } = this
    const chunk: Chunk = {
      firstId: id - (id % rows),
      created: new Uint32Array(rows),
      epoch: 0,
      earliest: Number.POSITIVE_INFINITY,
      latest: Number.NEGATIVE_INFINITY,
      kinds: new Uint32Array(rows),
      texts: new Uint32Array(rows),
      owners: new Uint16Array(rows),
      states: new Uint8Array(rows),
      emailed: null,
      lastActions: new Map(),
    }
    this.chunks.splice(this.#chunksBefore(id), 0, chunk)
    return chunk
  }

  /** Counts the chunks whose first id is below `id`. */
  #chunksBefore(id: number): number {
    const { chunks } = this
    let from = 0
    let to = chunks.length
    while (from < to) {
      const middle = (from + to) >>> 1
      if ((chunks[middle] as Chunk).firstId < id) from = middle + 1
      else to = middle
    }
    return from
  }

  #read(id: number): ChangeableState {
    const chunk = this.findChunk(id)
    const row = chunk ? id - chunk.firstId : 0
    return {
      id,
      state: chunk?.states[row] ?? 0,
      owner: chunk?.owners[row] ?? 0,
      lastActionAt: chunk?.lastActions.get(row) ?? null,
      emailedAt: chunk?.emailed?.[row] ?? 0,
    }
  }
}

const UINT32 = 2 ** 32

function setCreated(chunk: Chunk, row: number, at: number): void {
  if (chunk.earliest > chunk.latest) chunk.epoch = at - UINT32 / 2
  chunk.earliest = Math.min(chunk.earliest, at)
  chunk.latest = Math.max(chunk.latest, at)
  const { epoch } = chunk
  if (chunk.created instanceof Uint32Array && (at < epoch || at >= epoch + UINT32)) {
    chunk.created = Float64Array.from(chunk.created, (after) => epoch + after)
    chunk.epoch = 0
  }
  chunk.created[row] = at - chunk.epoch
}
