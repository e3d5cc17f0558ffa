import { EventTexts } from './event-texts.ts'
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

/** The events of consecutive ids, each in the row of its id. */
export interface Chunk {
  firstId: number
  /** When each event was created, from `epoch` on. 32 bits hold 49 days, which saves 40 MB in ten million events. */
  created: Uint32Array | Float64Array
  epoch: number
  /** Bounds of `created`. */
  earliest: number
  latest: number
  kinds: Uint32Array
  texts: Uint32Array
  /** User id + 1; 0 for none. 8 bits until a user id needs more. */
  owners: Uint8Array | Uint16Array | Uint32Array
  states: Uint8Array
  /** 0 for none; null until the first e-mail about one of the events. */
  emailed: Float64Array | null
  /** 0 for none; null until the first run of one of the events. */
  runs: Uint32Array | null
  /** Last actions of open events by row. */
  lastActions: Map<number, number>
  /** The rows of open events, ascending; null until they are asked for after a change (`openRowsOf`). */
  openRows: Uint16Array | null
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

/** Above the ids of instruments, sites and so on, so that two of them fit into one number. */
const IDS = 2 ** 26

function numberIn(numbers: Map<number, number>, first: number, second: number): number {
  const key = first * IDS + second
  const number = numbers.get(key) ?? numbers.size
  numbers.set(key, number)
  return number
}

/** The values of events that never change. Thousands of events share them, so each combination has a number. */
export class EventKinds {
  readonly columns = {
    instrument: [] as number[],
    component: [] as number[],
    site: [] as number[],
    customer: [] as number[],
    gateway: [] as number[],
    severity: [] as number[],
    alertType: [] as number[],
  }
  /** Numbers of the instrument or gateway with the component, and of the customer with the site. */
  readonly subjects: number[] = []
  readonly places: number[] = []
  highestInstrument = 0
  readonly numbers = {
    subjects: new Map<number, number>(),
    places: new Map<number, number>(),
    kinds: new Map<number, number>(),
  }

  get size(): number {
    return this.places.length
  }

  /** Returns the number of a kind; a new one is added. 0 means a missing value; only edge issues have a gateway. */
  numberOf(kind: Record<Dimension, number>): number {
    const subject = numberIn(this.numbers.subjects, kind.instrument || -kind.gateway, kind.component)
    const place = numberIn(this.numbers.places, kind.customer, kind.site)
    const number = numberIn(this.numbers.kinds, subject * 16 + kind.severity * 4 + kind.alertType, place)
    if (number === this.size) {
      for (const [name, values] of Object.entries(this.columns)) values.push(kind[name as Dimension])
      this.highestInstrument = Math.max(this.highestInstrument, kind.instrument)
      this.subjects.push(subject)
      this.places.push(place)
    }
    return number
  }
}

export type Dimension = keyof EventKinds['columns']

/** All events in memory: 14 bytes each, 8 more where e-mails were sent, 4 where runs were on, and their distinct texts. */
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
  constructor(size = 65_536) {
    this.rows = new Uint16Array(size).map((_, row) => row)
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
    if (emailedAt !== 0) chunk.emailed ??= new Float64Array(this.rows.length)
    if (run !== 0) chunk.runs ??= new Uint32Array(this.rows.length)
    chunk.states[row] = state
    chunk.owners[row] = owner
    if (chunk.emailed) chunk.emailed[row] = emailedAt
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
      emailedAt: chunk.emailed?.[row] ?? 0,
      run: chunk.runs?.[row] ?? 0,
    }
  }

  #add(event: IndexedEvent): void {
    const at = event.created_at.getTime()
    const chunk = this.#chunkOf(event.id) ?? this.#newChunk(event.id, at)
    if (chunk.created instanceof Uint32Array && (at < chunk.epoch || at >= chunk.epoch + 2 ** 32)) {
      chunk.created = Float64Array.from(chunk.created, (after) => chunk.epoch + after)
      chunk.epoch = 0
    }
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
    chunk.texts[row] = this.texts.numberOf(event.text_folded, event.description_bytes)
  }

  #newChunk(id: number, at: number): Chunk {
    const { length } = this.rows
    const chunk: Chunk = {
      firstId: id - (id % length),
      created: new Uint32Array(length),
      epoch: at - 2 ** 31,
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
