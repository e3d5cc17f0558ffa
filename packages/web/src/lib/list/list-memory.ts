import { deviceStore, tabStore } from '../storage.ts'
import { type AddressParameters, asText } from './list-address.ts'

/**
 * Remembers the filters and columns chosen last in this browser, and the list's address in this tab. They apply only
 * if the address has none; `temporaryFilters=true` neither reads nor writes them (document 1 section 9).
 */

/** Parts of a list's search that are remembered. */
type Remembered = { temporaryFilters: boolean; columns: readonly string[] | null }

/** A list whose state is in its address. */
export interface AddressedList<Search extends Remembered> {
  /** Storage key of the list. */
  area: string
  /** Never throws, and returns something that `write` accepts. */
  read: (parameters: AddressParameters) => Search
  /** Omits defaults. */
  write: (search: Search) => Record<string, string>
  /** True if the address contains filters. */
  namesFilters: (parameters: AddressParameters) => boolean
  /** Returns the chosen filters in the compact form of the parameter `filters`. */
  filterText: (search: Search) => string
  /** Sentence that explains what is shown instead of an unusable range. */
  withoutRange: string
}

/**
 * True if an address contains an invalid or truncated value, so that it differs from what is shown. Explicit defaults
 * and other spellings of a range's dates are fine.
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

/** True if the range in an address is unusable: its end is before its start, or it cannot be read. */
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

/**
 * Returns the address with the filters and columns chosen last; null if the address has its own or nothing was chosen.
 */
export function rememberedSearch<S extends Remembered>(list: AddressedList<S>, address: AddressParameters): S | null {
  const named = list.read(address)
  if (named.temporaryFilters) return null
  const filters = list.namesFilters(address) ? null : deviceStore.read(filtersKey(list))
  const columns = address.columns !== undefined ? null : deviceStore.read(columnsKey(list))
  const next = list.read({
    ...address,
    // Parsed like an address, so that anything in the storage becomes valid.
    ...(typeof filters === 'string' && { filters }),
    ...(Array.isArray(columns) && { columns: columns.join() }),
  })
  return JSON.stringify(list.write(next)) === JSON.stringify(list.write(named)) ? null : next
}

/**
 * Remembers an explicit choice, including a view from the menu. Filters from an address or the default view are not
 * remembered: paging through a shared link must not replace the user's own.
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

/** Remembers the list's address in this tab, so that closing an opened item returns to it. */
export function rememberListAddress({ area }: { area: string }, address: Record<string, string>): void {
  tabStore.write(`${area}.address`, address)
}

/** Returns the parameters of the list as it was left; empty if this tab has not shown it. */
export function lastListAddress<S extends Remembered>(list: AddressedList<S>): Record<string, string> {
  const known = tabStore.read(`${list.area}.address`)
  const isRecord = typeof known === 'object' && known !== null && !Array.isArray(known)
  // Parsed and rewritten, so that anything in the storage becomes a valid address.
  return isRecord ? list.write(list.read(known as AddressParameters)) : {}
}

/**
 * True if this tab showed the list with its defaults last. The user then expects them again, whatever the list opens
 * with elsewhere.
 */
export function wasListLeftAsUsual<S extends Remembered>(list: AddressedList<S>): boolean {
  return tabStore.read(`${list.area}.address`) !== null && Object.keys(lastListAddress(list)).length === 0
}

function filtersKey({ area }: { area: string }): string {
  return `${area}.filters`
}

function columnsKey({ area }: { area: string }): string {
  return `${area}.columns`
}
