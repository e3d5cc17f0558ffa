import type { CodeColumn } from '../features/events/search/condition.ts'
import type { IndexedEvent } from './index-rows.queries.ts'

export const CLOSED = 3
const REASON_SHIFT = 2
const FULL_SUPPORT = 0b100_0000

/** A state has a byte: status in two bits, reason in four, then full support. 0 means no event. */
export const stateOf = {
  status: (state: number) => state & 0b11,
  reason: (state: number) => (state >>> REASON_SHIFT) & 0b1111,
  fullSupport: (state: number) => (state & FULL_SUPPORT) !== 0,
}

/** The numbers below `size` that a field of a chunk contains, and the value of each in a column; null for none. */
export interface Codes {
  field: 'kinds' | 'states' | 'owners'
  size: number
  valueOf(number: number): number | null
  /** The values in an array, with 0 for none: there are many kinds, and a loop over arrays is seven times as fast. */
  values?: Uint32Array
}

/** The events of consecutive ids, each in the row of its id. */
export interface Chunk {
  firstId: number
  /** When each event was created, from `epoch` on. 32 bits hold 49 days, which saves 80 MB in ten million events. */
  created: Uint32Array | Float64Array
  /** 0 for none, otherwise from `epoch` on; null until the first e-mail about one of the events. */
  emailed: Uint32Array | Float64Array | null
  epoch: number
  /** Bounds of `created`. */
  earliest: number
  latest: number
  kinds: Uint32Array
  texts: Uint32Array
  /** User id + 1; 0 for none. 8 bits until a user id needs more. */
  owners: Uint8Array | Uint16Array | Uint32Array
  states: Uint8Array
  /** 0 for none; null until the first run of one of the events. */
  runs: Uint32Array | null
  /** Last actions of open events by row. */
  lastActions: Map<number, number>
  /** The rows of open events, ascending; null until they are asked for after a change (`openRowsOf`). */
  openRows: Uint16Array | null
}

export function createdAt({ created, epoch }: Chunk, row: number): number {
  return epoch + (created[row] as number)
}

/** 0 for none. */
function emailedAt({ emailed, epoch }: Chunk, row: number): number {
  return emailed?.[row] ? epoch + emailed[row] : 0
}

/** Gives the instants of a chunk 64 bits if 32 don't hold this one. */
function widenFor(chunk: Chunk, at: number): void {
  if (chunk.epoch === 0 || (at > chunk.epoch && at < chunk.epoch + 2 ** 32)) return
  const { emailed } = chunk
  chunk.created = Float64Array.from(chunk.created, (_, row) => createdAt(chunk, row))
  chunk.emailed = emailed && Float64Array.from(emailed, (_, row) => emailedAt(chunk, row))
  chunk.epoch = 0
}

export function openRowsOf(chunk: Chunk): Uint16Array {
  chunk.openRows ??= Uint16Array.from(chunk.lastActions.keys()).sort()
  return chunk.openRows
}

/** Everything about an event that can change. */
interface Changeable {
  id: number
  state: number
  owner: number
  /** Undefined for a closed event. */
  lastActionAt: number | undefined
  emailedAt: number
  run: number
}

const absent: Omit<Changeable, 'id'> = { state: 0, owner: 0, lastActionAt: undefined, emailedAt: 0, run: 0 }

const pair = new Float64Array(2)
const pairBytes = new Uint8Array(pair.buffer)

function numberIn(pairs: Distinct, first: number, second: number): number {
  pair[0] = first
  pair[1] = second
  return pairs.numberOf(pairBytes)
}

/** The values of events that never change. Thousands of events share them, so each combination has a number. */
export class EventKinds {
  readonly columns = {
    instrument: new Uint32Array(64),
    component: new Uint32Array(64),
    site: new Uint32Array(64),
    customer: new Uint32Array(64),
    gateway: new Uint32Array(64),
    severity: new Uint32Array(64),
    alertType: new Uint32Array(64),
    /** Numbers of the instrument or gateway with the component. */
    subject: new Uint32Array(64),
    /** Numbers of the customer with the site. */
    place: new Uint32Array(64),
  }
  highestInstrument = 0
  readonly subjects = new Distinct()
  readonly places = new Distinct()
  readonly kinds = new Distinct()

  get size(): number {
    return this.kinds.count
  }

  /** Returns the number of a kind; a new one is added. 0 means a missing value; only edge issues have a gateway. */
  numberOf(values: Record<Exclude<Dimension, 'subject' | 'place'>, number>): number {
    const subject = numberIn(this.subjects, values.instrument || -values.gateway, values.component)
    const place = numberIn(this.places, values.customer, values.site)
    const { size } = this
    const number = numberIn(this.kinds, subject * 16 + values.severity * 4 + values.alertType, place)
    if (number < size) return number
    for (const [name, value] of Object.entries({ ...values, subject, place })) {
      const column = this.columns[name as Dimension]
      const longer = number < column.length ? column : copied(column, new Uint32Array(2 * number + 64))
      longer[number] = value
      this.columns[name as Dimension] = longer
    }
    this.highestInstrument = Math.max(this.highestInstrument, values.instrument)
    return number
  }
}

type Dimension = keyof EventKinds['columns']

/** All events in memory: 14 bytes each, 4 more where e-mails were sent, 4 where runs were on, and their distinct texts. */
export class EventArrays {
  readonly kinds = new EventKinds()
  readonly texts = new EventTexts()
  /** In order of ids. */
  readonly chunks: Chunk[] = []
  /** One more than the highest number in `owners`. */
  ownerCount = 1
  /** The rows of a chunk, ascending. */
  readonly rows: Uint16Array

  /** `size`: how many ids a chunk holds. */
  constructor(size = 32_768) {
    this.rows = new Uint16Array(size).map((_, row) => row)
  }

  codesOf(column: Exclude<CodeColumn, 'id' | 'run'>): Codes {
    switch (column) {
      case 'alertStatus':
        return { field: 'states', size: 256, valueOf: stateOf.status }
      case 'closeReason':
        return { field: 'states', size: 256, valueOf: (state) => stateOf.reason(state) || null }
      case 'owner':
        return { field: 'owners', size: this.ownerCount, valueOf: (owner) => (owner === 0 ? null : owner - 1) }
      default: {
        const values = this.kinds.columns[column]
        return { field: 'kinds', size: this.kinds.size, valueOf: (kind) => values[kind] || null, values }
      }
    }
  }

  /** Stores an event as it is now. Returns its earlier state, which `write` brings back. */
  put(event: IndexedEvent): Changeable {
    const { id, alert_status: status, claimed_by: owner } = event
    const before = this.#read(id)
    if (before.state === 0) this.#add(event)
    this.write({
      id,
      state: status | ((event.reason_closed ?? 0) << REASON_SHIFT) | (event.full_support ? FULL_SUPPORT : 0),
      owner: owner === null ? 0 : owner + 1,
      lastActionAt: status === CLOSED ? undefined : event.last_action_at.getTime(),
      emailedAt: event.emailed_at.getTime(),
      run: event.run_id ?? 0,
    })
    return before
  }

  /** Takes a deleted event out. Returns its earlier state. */
  remove(id: number): Changeable {
    const before = this.#read(id)
    this.write({ id, ...absent })
    return before
  }

  write({ id, state, owner, lastActionAt, emailedAt, run }: Changeable): void {
    const chunk = this.#chunkOf(id)
    if (!chunk) return
    const row = id - chunk.firstId
    if (owner >= 256 ** chunk.owners.BYTES_PER_ELEMENT) {
      chunk.owners = (owner > 0xffff ? Uint32Array : Uint16Array).from(chunk.owners)
    }
    if (emailedAt !== 0) {
      widenFor(chunk, emailedAt)
      chunk.emailed ??= new (chunk.epoch === 0 ? Float64Array : Uint32Array)(this.rows.length)
    }
    if (run !== 0) chunk.runs ??= new Uint32Array(this.rows.length)
    chunk.states[row] = state
    chunk.owners[row] = owner
    if (chunk.emailed) chunk.emailed[row] = emailedAt === 0 ? 0 : emailedAt - chunk.epoch
    if (chunk.runs) chunk.runs[row] = run
    const wasOpen = chunk.lastActions.has(row)
    if (lastActionAt === undefined) chunk.lastActions.delete(row)
    else chunk.lastActions.set(row, lastActionAt)
    if (chunk.lastActions.has(row) !== wasOpen) chunk.openRows = null
    this.ownerCount = Math.max(this.ownerCount, owner + 1)
  }

  #read(id: number): Changeable {
    const chunk = this.#chunkOf(id)
    if (!chunk) return { id, ...absent }
    const row = id - chunk.firstId
    return {
      id,
      state: chunk.states[row] as number,
      owner: chunk.owners[row] as number,
      lastActionAt: chunk.lastActions.get(row),
      emailedAt: emailedAt(chunk, row),
      run: chunk.runs?.[row] ?? 0,
    }
  }

  #add(event: IndexedEvent): void {
    const at = event.created_at.getTime()
    const chunk = this.#chunkOf(event.id) ?? this.#newChunk(event.id, at)
    widenFor(chunk, at)
    const row = event.id - chunk.firstId
    chunk.created[row] = at - chunk.epoch
    chunk.earliest = Math.min(chunk.earliest, at)
    chunk.latest = Math.max(chunk.latest, at)
    chunk.kinds[row] = this.kinds.numberOf({
      instrument: event.instrument_id ?? 0,
      component: event.component_id ?? 0,
      site: event.site_id,
      customer: event.customer_id,
      gateway: event.gateway_id ?? 0,
      severity: event.severity,
      alertType: event.alert_type,
    })
    chunk.texts[row] = this.texts.numberOfText(event.text_folded, event.description_bytes)
  }

  #newChunk(id: number, at: number): Chunk {
    const { length } = this.rows
    const chunk: Chunk = {
      firstId: id - (id % length),
      created: new Uint32Array(length),
      // Most of the 49 days lie ahead, because events come nearly in the order of their creation.
      epoch: at - 2 ** 29,
      earliest: at,
      latest: at,
      kinds: new Uint32Array(length),
      texts: new Uint32Array(length),
      owners: new Uint8Array(length),
      states: new Uint8Array(length),
      emailed: null,
      runs: null,
      lastActions: new Map(),
      openRows: null,
    }
    this.chunks.splice(this.chunks.findLastIndex(({ firstId }) => firstId < id) + 1, 0, chunk)
    return chunk
  }

  #chunkOf(id: number): Chunk | undefined {
    return this.chunks.findLast(({ firstId }) => firstId <= id && id < firstId + this.rows.length)
  }
}

/** Distinct pieces of bytes, numbered from 0 and one after the other in one piece of memory. */
class Distinct {
  bytes = new Uint8Array(1 << 12)
  /** The end of each piece in `bytes`. */
  ends = new Uint32Array(64)
  count = 0
  /** Numbers + 1 by hash. A taken slot is followed by the next free one. */
  slots = new Int32Array(128)

  startOf(number: number): number {
    return number === 0 ? 0 : (this.ends[number - 1] as number)
  }

  /** Returns the number of a piece; a new one is copied. */
  numberOf(piece: Uint8Array): number {
    const slot = this.#slotOf(piece, (number) => this.#isAt(number, piece))
    if (this.slots[slot] !== 0) return (this.slots[slot] as number) - 1
    const start = this.startOf(this.count)
    const end = start + piece.length
    if (end > this.bytes.length) this.bytes = copied(this.bytes, new Uint8Array(2 * end))
    if (this.count === this.ends.length) this.ends = copied(this.ends, new Uint32Array(2 * this.count))
    this.bytes.set(piece, start)
    this.ends[this.count] = end
    this.count += 1
    this.slots[slot] = this.count
    if (this.count * 2 > this.slots.length) this.#rehash()
    return this.count - 1
  }

  #isAt(number: number, piece: Uint8Array): boolean {
    const start = this.startOf(number)
    if ((this.ends[number] as number) - start !== piece.length) return false
    for (let at = 0; at < piece.length; at += 1) if (this.bytes[start + at] !== piece[at]) return false
    return true
  }

  #rehash(): void {
    this.slots = new Int32Array(2 * this.slots.length)
    for (let number = 0; number < this.count; number += 1) {
      const piece = this.bytes.subarray(this.startOf(number), this.ends[number])
      this.slots[this.#slotOf(piece, () => false)] = number + 1
    }
  }

  /** Returns the slot of the piece that `isIt` accepts, otherwise the free one. Hashes by FNV-1a. */
  #slotOf(piece: Uint8Array, isIt: (number: number) => boolean): number {
    let hash = 0x811c9dc5
    for (let at = 0; at < piece.length; at += 1) hash = Math.imul(hash ^ (piece[at] as number), 0x01000193)
    const last = this.slots.length - 1
    let slot = (hash ^ (hash >>> 15)) & last
    while (this.slots[slot] !== 0 && !isIt((this.slots[slot] as number) - 1)) slot = (slot + 1) & last
    return slot
  }
}

/** Copies numbers into a larger array and returns that. */
function copied<T extends Uint8Array | Uint32Array>(numbers: T, larger: T): T {
  larger.set(numbers)
  return larger
}

/** Ends each description and each message. No text of the database contains it, and it is the lowest byte. */
const END = 0
/** Added to a sorted text that repeats the description before it. */
const REPEATS = 2 ** 31

/**
 * The distinct texts of events. A text is a folded description with END, and where there is a user message, that with
 * END.
 */
class EventTexts extends Distinct {
  /** Texts in the order of their descriptions, as far as they were sorted. */
  sorted = new Uint32Array(0)
  #ranks = new Uint32Array(0)

  /** Returns the number of a text; a new one is added. */
  numberOfText(text: string, descriptionBytes: number): number {
    const bytes = Buffer.from(`${text}\0`)
    bytes[descriptionBytes] = END
    return this.numberOf(bytes)
  }

  /** True if description or user message contain a word. */
  contains(number: number, word: Uint8Array): boolean {
    const { bytes } = this
    const end = (this.ends[number] as number) - word.length
    for (let at = this.startOf(number); at < end; at += 1) {
      if (bytes[at] !== word[0]) continue
      let length = 1
      while (length < word.length && bytes[at + length] === word[length]) length += 1
      if (length === word.length) return true
    }
    return false
  }

  /** Returns the rank of each text in the order of its description's bytes; equal descriptions share a rank. */
  ranks(): Uint32Array {
    this.sort()
    if (this.#ranks.length === this.count) return this.#ranks
    this.#ranks = new Uint32Array(this.count)
    let rank = 0
    for (let place = 0; place < this.count; place += 1) {
      if ((this.sorted[place] as number) < REPEATS) rank += 1
      this.#ranks[textAt(this.sorted, place)] = rank
    }
    return this.#ranks
  }

  /** Puts texts that were added since the last time among the sorted ones. */
  sort(): void {
    const before = this.sorted
    const added = new Uint32Array(this.count - before.length).map((_, index) => before.length + index)
    added.sort((a, b) => this.#compare(a, b))
    const sorted = new Uint32Array(this.count)
    let from = 0
    const places = added.map((text, index) => {
      let to = before.length
      for (let first = from; first < to; ) {
        const middle = (first + to) >>> 1
        if (this.#compare(textAt(before, middle), text) <= 0) first = middle + 1
        else to = middle
      }
      sorted.set(before.subarray(from, to), from + index)
      sorted[to + index] = text
      from = to
      return to + index
    })
    sorted.set(before.subarray(from), from + added.length)
    for (const place of places) for (const at of [place, place + 1]) this.#mark(sorted, at)
    this.sorted = sorted
  }

  #mark(sorted: Uint32Array, place: number): void {
    if (place === 0 || place >= sorted.length) return
    const text = textAt(sorted, place)
    sorted[place] = this.#compare(textAt(sorted, place - 1), text) === 0 ? text + REPEATS : text
  }

  /** Compares two descriptions by their bytes. */
  #compare(a: number, b: number): number {
    const { bytes } = this
    let at = this.startOf(a)
    let other = this.startOf(b)
    while (bytes[at] === bytes[other] && bytes[at] !== END) {
      at += 1
      other += 1
    }
    return (bytes[at] as number) - (bytes[other] as number)
  }
}

function textAt(sorted: Uint32Array, place: number): number {
  return (sorted[place] as number) & (REPEATS - 1)
}
