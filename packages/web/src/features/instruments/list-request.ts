import type { SelectionMode } from '@benchwatch/contract/vocabulary'
import type { ExportRequest } from '../exports/exports.api.ts'
import type { InstrumentListRequest } from './instruments.api.ts'
import { ALL_FAMILIES, type InstrumentSearch } from './instruments.search.ts'

/** From what a person set up to what is asked of the server: POST /instruments, wire 3. */

/** What narrows the list, without paging and sorting: what is selected belongs to it. */
export function narrowing(search: InstrumentSearch) {
  const keyword = search.keyword.trim()
  return {
    query: {
      ...(keyword !== '' && { keyword }),
      ...(search.instrumentFamily !== ALL_FAMILIES && { instrumentFamily: search.instrumentFamily }),
      ...(search.start !== null && { start: search.start }),
      ...(search.stop !== null && { stop: search.stop }),
    },
    body: {
      filter: { ...search.filter, ...(search.instruments.length > 0 && { instruments: [...search.instruments] }) },
    },
  }
}

/** Page n starts at (n - 1) × page size. */
export function listRequest(search: InstrumentSearch): InstrumentListRequest {
  const { query, body } = narrowing(search)
  const paging = { limit: String(search.pageSize), offset: String((search.page - 1) * search.pageSize) }
  return { query: { ...query, ...paging, order: search.order, orderBy: search.orderBy }, body }
}

/** The list, or what is selected in it, as a file, in the order of the list. */
export function exportOf(
  search: InstrumentSearch,
  selected: { ids: readonly string[]; mode: SelectionMode },
): ExportRequest {
  const { query, body } = narrowing(search)
  return {
    query: { ...query, order: search.order, orderBy: search.orderBy },
    body: { type: 'instrument', ids: [...selected.ids], mode: selected.mode, filter: body.filter },
  }
}
