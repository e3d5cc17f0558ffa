import { tabStore } from '../../lib/storage.ts'
import { readSavedFilters } from './saved-filters.ts'
import {
  type AddressParameters,
  type EventFilterChoice,
  namesFilters,
  readEventSearch,
  writeEventSearch,
} from './service-events.search.ts'

/** Where the list stood last in this tab, so that closing an event leads back to it. */

const KEY = 'events.address'

export function rememberListAddress(address: Record<string, string>): void {
  tabStore.write(KEY, address)
}

/** Parameters of the list as it was left; none when an event was opened by its own link. */
export function lastListAddress(): Record<string, string> {
  const known = tabStore.read(KEY)
  const isRecord = typeof known === 'object' && known !== null && !Array.isArray(known)
  // Read and written again, so that whatever the storage held becomes a valid address.
  return isRecord ? writeEventSearch(readEventSearch(known as AddressParameters)) : {}
}

/** Whether this tab showed the usual list last: somebody who left it so wants it so, whatever a list opens with elsewhere. */
export function wasListLeftAsUsual(): boolean {
  return tabStore.read(KEY) !== null && Object.keys(lastListAddress()).length === 0
}

/**
 * The saved filters with which a list opens, or null where the address decides: it names filters itself, or says
 * temporaryFilters=true. Asked once as the screen opens; afterwards the address alone counts, so that the back button
 * leads to where the person was.
 */
export function filtersToOpenWith(address: AddressParameters): EventFilterChoice | null {
  if (namesFilters(address) || readEventSearch(address).temporaryFilters) return null
  const saved = readSavedFilters()
  return Object.keys(saved).length > 0 ? saved : null
}
