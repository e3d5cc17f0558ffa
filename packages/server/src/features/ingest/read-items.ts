import { type IngestItem, ingestItem, ingestItemTypes, type RejectionCode } from '@benchwatch/contract/ingest'

/** An item that may be taken, with the parts of its id. */
export interface GoodItem {
  good: true
  item: IngestItem
  /** The life of the gateway's outbox in which it was written. */
  epoch: string
  raw: unknown
}

/** An item that can't be taken, with what could be read of it. */
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

/** Reads each item of a batch by itself, so that a bad one never blocks the rest. */
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
  const told = { good: false, id: asId(given.id), sequence: asSequence(given.sequence), raw } as const
  if (typeof given.type === 'string' && !knownTypes.has(given.type)) {
    const reason = `The type "${given.type.slice(0, 100).replaceAll('\0', '')}" is not known here. Known are ${ingestItemTypes.join(', ')}.`
    return { ...told, code: 'unknown-type', reason }
  }
  const [issue] = parsed.error.issues
  const where = issue?.path.join('.') || 'the item'
  return { ...told, code: 'bad-item', reason: `${where}: ${issue?.message ?? 'is not valid'}`.slice(0, 500) }
}

/** The id as it is answered and kept: what is no text, longer than any id of ours or not storable is none. */
function asId(id: unknown): string | null {
  return typeof id === 'string' && id.length > 0 && id.length <= LONGEST_ID && !id.includes('\0')
    ? id.toWellFormed()
    : null
}

function asSequence(sequence: unknown): number | null {
  const number = typeof sequence === 'string' && /^\d{1,16}$/.test(sequence) ? Number(sequence) : sequence
  return typeof number === 'number' && Number.isSafeInteger(number) && number >= 0 ? number : null
}
