import { deviceStore, tabStore } from '../storage.ts'
import { type AddressParameters, asText } from './list-address.ts'

/**
 * What this browser remembers of a list: the filters and columns that a person chose last, and where the list stood in this
 * tab. They apply only where the address is silent; `temporaryFilters=true` neither reads nor writes them (document 1
 * section 9).
 */

/** What of a list's search its memories are about. */
type Remembered = { temporaryFilters: boolean; columns: readonly string[] | null }

/** How a list stands in its address. */
export interface AddressedList<Search extends Remembered> {
  /** What its memories are kept under. */
  area: string
  /** Never throws, and answers what `write` can write. */
  read: (parameters: AddressParameters) => Search
  /** What is usual is left out. */
  write: (search: Search) => Record<string, string>
  /** Whether the address says anything about filters. */
  namesFilters: (parameters: AddressParameters) => boolean
  /** The chosen filters in their compact form, as the parameter `filters` takes it. */
  filterText: (search: Search) => string
  /** What is shown in place of a range that cannot be used, as a sentence. */
  withoutRange: string
}

/**
 * Whether an address says something else than what it shows: a value that was not understood, or cut. The usual may be
 * spelled out, and the ends of a range be written in another way.
 */
export function isMisleading<S extends Remembered>(list: AddressedList<S>, address: AddressParameters): boolean {
  const search: Record<string, unknown> = { ...list.read(address) }
  const written = list.write(list.read(address))
  return Object.entries(address).some(([key, value]) => {
    const text = asText(value)
    if (text === '' || !(key in search || key === 'filters' || key === 'alertStatus')) return false
    if (isRangeEnd(key)) return written[key] === undefined
    return text !== (written[key] ?? asText(search[key]))
  })
}

/** Whether an address names a range of which nothing can be used: it ends before it starts, or cannot be read. */
export function hasLostRange<S extends Remembered>(list: AddressedList<S>, address: AddressParameters): boolean {
  const written = list.write(list.read(address))
  return (
    Object.keys(address).some((key) => isRangeEnd(key) && asText(address[key]) !== '') &&
    !Object.keys(written).some(isRangeEnd)
  )
}

function isRangeEnd(key: string): boolean {
  return key === 'start' || key === 'stop'
}

/** The address with the filters and columns chosen last; null where it decides itself or nothing was chosen. */
export function rememberedSearch<S extends Remembered>(list: AddressedList<S>, address: AddressParameters): S | null {
  const named = list.read(address)
  if (named.temporaryFilters) return null
  const filters = list.namesFilters(address) ? null : deviceStore.read(filtersKey(list))
  const columns = address.columns !== undefined ? null : deviceStore.read(columnsKey(list))
  const next = list.read({
    ...address,
    // Read as an address is: whatever the storage holds becomes something valid.
    ...(typeof filters === 'string' && { filters }),
    ...(Array.isArray(columns) && { columns: columns.join() }),
  })
  return JSON.stringify(list.write(next)) === JSON.stringify(list.write(named)) ? null : next
}

/**
 * What was chosen by hand, be it by a view of the menu; not what an address or the default view brought: a shared link
 * that is paged through replaces nobody's filters.
 */
export function rememberChoice<S extends Remembered>(
  list: AddressedList<S>,
  { before, next }: { before: S; next: S },
): void {
  if (next.temporaryFilters) return
  const filters = list.filterText(next)
  if (filters !== list.filterText(before)) deviceStore.write(filtersKey(list), filters)
  if (next.columns?.join() === before.columns?.join()) return
  if (next.columns === null) deviceStore.remove(columnsKey(list))
  else deviceStore.write(columnsKey(list), next.columns)
}

/** Where the list stands in this tab, so that closing what was opened from it leads back to it. */
export function rememberListAddress({ area }: { area: string }, address: Record<string, string>): void {
  tabStore.write(`${area}.address`, address)
}

/** Parameters of the list as it was left; none when this tab has not shown it. */
export function lastListAddress<S extends Remembered>(list: AddressedList<S>): Record<string, string> {
  const known = tabStore.read(`${list.area}.address`)
  const isRecord = typeof known === 'object' && known !== null && !Array.isArray(known)
  // Read and written again, so that whatever the storage held becomes a valid address.
  return isRecord ? list.write(list.read(known as AddressParameters)) : {}
}

/** Whether this tab showed the usual list last: somebody who left it so wants it so, whatever a list opens with elsewhere. */
export function wasListLeftAsUsual<S extends Remembered>(list: AddressedList<S>): boolean {
  return tabStore.read(`${list.area}.address`) !== null && Object.keys(lastListAddress(list)).length === 0
}

function filtersKey({ area }: { area: string }): string {
  return `${area}.filters`
}

function columnsKey({ area }: { area: string }): string {
  return `${area}.columns`
}
