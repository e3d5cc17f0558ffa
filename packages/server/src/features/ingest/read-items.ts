import { type IngestItem, ingestItem, ingestItemTypes, type RejectionCode } from '@benchwatch/contract/ingest'

/** Position of a report in the gateway's sequence: the outbox epoch, then the number within it. */
export interface CountedReport {
  epoch: number
  sequence: number
}

/** More names than any fleet has; above this the cache is emptied. */
const LARGEST_MEMORY = 100_000

/**
 * Caches database ids that never change: components by name, outbox epochs by gateway and epoch. It keeps only ids
 * that a transaction found on its first read, never those that the transaction itself added, because it may still roll
 * back.
 */
export class KnownIds {
  readonly #ids = new Map<string, number>()
  readonly #mostNames: number

  constructor(mostNames = LARGEST_MEMORY) {
    this.#mostNames = mostNames
  }

  /** Returns the ids of these names; `read` is called for those that are not cached. */
  async find(
    names: readonly string[],
    read: (unknown: readonly string[]) => Promise<ReadonlyMap<string, number>>,
  ): Promise<Map<string, number>> {
    // Before any lookup: a name that was cached a moment ago must not be taken for new.
    if (this.#ids.size > this.#mostNames) this.#ids.clear()
    const unknown = names.filter((name) => !this.#ids.has(name))
    if (unknown.length > 0) for (const [name, id] of await read(unknown)) this.#ids.set(name, id)
    return new Map(
      names.flatMap((name) => {
        const id = this.#ids.get(name)
        return id === undefined ? [] : [[name, id]]
      }),
    )
  }
}

/** Deeper than any valid item, and far below the limit of PostgreSQL's parser. */
const DEEPEST = 200

/** A valid item, with the parts of its id. */
export interface GoodItem {
  good: true
  item: IngestItem
  /** The epoch of the gateway's outbox in which it was written. */
  epoch: string
  raw: unknown
}

/** An invalid item, with the parts that could be read. */
export interface BadItem {
  good: false
  id: string | null
  sequence: number | null
  code: RejectionCode
  reason: string
  raw: unknown
}

export type ReadItem = GoodItem | BadItem

const knownTypes = new Set<string>(ingestItemTypes)
const LONGEST_ID = 200

/** Reads each item of a batch on its own, so that a bad one never blocks the rest. */
export function readItems(batch: readonly unknown[]): ReadItem[] {
  return batch.map(readItem)
}

function readItem(raw: unknown): ReadItem {
  const parsed = ingestItem.safeParse(raw)
  if (parsed.success) {
    const { id } = parsed.data
    return { good: true, item: parsed.data, epoch: id.slice(0, id.lastIndexOf('-')), raw }
  }
  const given: { id?: unknown; type?: unknown; sequence?: unknown } =
    typeof raw === 'object' && raw !== null && !Array.isArray(raw) ? raw : {}
  const partial = { good: false, id: asId(given.id), sequence: asSequence(given.sequence), raw } as const
  if (typeof given.type === 'string' && !knownTypes.has(given.type)) {
    const reason = `Unknown type "${given.type.slice(0, 100).replaceAll('\0', '')}". Known types: ${ingestItemTypes.join(', ')}.`
    return { ...partial, code: 'unknown-type', reason }
  }
  const [issue] = parsed.error.issues
  const where = issue?.path.join('.') || 'the item'
  return { ...partial, code: 'bad-item', reason: `${where}: ${issue?.message ?? 'is not valid'}`.slice(0, 500) }
}

/**
 * Returns the id as it is answered and stored; null if it is not a text, is longer than any valid id, or cannot be
 * stored.
 */
function asId(id: unknown): string | null {
  return typeof id === 'string' && id.length > 0 && id.length <= LONGEST_ID && !id.includes('\0')
    ? id.toWellFormed()
    : null
}

function asSequence(sequence: unknown): number | null {
  const number = typeof sequence === 'string' && /^\d{1,16}$/.test(sequence) ? Number(sequence) : sequence
  return typeof number === 'number' && Number.isSafeInteger(number) && number >= 0 ? number : null
}

/**
 * Returns a parked item as JSON text that PostgreSQL's jsonb accepts: characters that it refuses (NUL, unpaired
 * surrogates) become U+FFFD, in values and in names; content that is nested too deeply is replaced by a remark.
 */
export function keptJson(item: unknown): string {
  if (depthOf(item) > DEEPEST) return JSON.stringify(`nested deeper than ${DEEPEST} levels, not kept`)
  return (JSON.stringify(item) ?? 'null').replace(/\\(?:u(?:0000|[dD][89a-fA-F][0-9a-fA-F]{2})|.)/g, (escape) =>
    escape.length > 2 ? '\\ufffd' : escape,
  )
}

/** Returns the levels of nesting; counted without recursion, which a hostile item would overflow. */
function depthOf(item: unknown): number {
  let depth = 0
  for (let level: unknown[] = [item]; level.length > 0 && depth <= DEEPEST; depth += 1) {
    level = level.flatMap((value): unknown[] =>
      typeof value === 'object' && value !== null ? Object.values(value) : [],
    )
  }
  return depth
}

/**
 * Keeps only the newest of the reports that share a key, by the gateway's sequence and never by the given order: an
 * upsert may touch each row once. Of reports with the same number (one item that names a thing twice) the last one is
 * kept.
 */
export function newestReports<Report extends CountedReport>(
  reports: Iterable<Report>,
  keyOf: (report: Report) => string,
): Report[] {
  const newest = new Map<string, Report>()
  for (const report of reports) {
    const key = keyOf(report)
    const known = newest.get(key)
    if (known === undefined || !isOlder(report, known)) newest.set(key, report)
  }
  return [...newest.values()]
}

function isOlder(one: CountedReport, other: CountedReport): boolean {
  return one.epoch < other.epoch || (one.epoch === other.epoch && one.sequence < other.sequence)
}
