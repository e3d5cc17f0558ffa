import { deviceStore } from '../../lib/storage.ts'
import { type EventFilterChoice, readFilters, writeFilters } from './service-events.search.ts'

/**
 * The filters a person used last, kept in this browser (document 1 section 9). They apply only where the address names
 * none; unknown values are dropped on reading. `temporaryFilters=true` in an address neither reads nor writes them.
 */

const KEY = 'events.filters'

export function readSavedFilters(): EventFilterChoice {
  const saved = deviceStore.read(KEY)
  return typeof saved === 'string' ? readFilters(saved) : {}
}

export function saveFilters(filter: EventFilterChoice): void {
  deviceStore.write(KEY, writeFilters(filter))
}
