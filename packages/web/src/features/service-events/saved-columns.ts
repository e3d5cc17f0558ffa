import { deviceStore } from '../../lib/storage.ts'
import { type EventColumnKey, readColumnKeys } from './event-list.columns.ts'
import { type AddressParameters, readEventSearch } from './service-events.search.ts'

/**
 * The columns a person chose last, kept in this browser as the filters are: they apply where the address names none, and
 * `temporaryFilters=true` neither reads nor writes them.
 */

const KEY = 'events.columns'

export function saveColumns(columns: readonly EventColumnKey[] | null): void {
  if (columns === null) deviceStore.remove(KEY)
  else deviceStore.write(KEY, columns)
}

/** The columns with which a list opens, or null where the address decides or the usual ones are meant. */
export function columnsToOpenWith(address: AddressParameters): EventColumnKey[] | null {
  if (address.columns !== undefined || readEventSearch(address).temporaryFilters) return null
  const saved = deviceStore.read(KEY)
  if (!Array.isArray(saved)) return null
  return readColumnKeys(saved.filter((name) => typeof name === 'string'))
}
