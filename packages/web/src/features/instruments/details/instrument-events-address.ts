import type { Instrument } from '@benchwatch/contract/instruments'
import { writeQueryString } from '../../../lib/list/list-address.ts'

type Named = Pick<Instrument, 'instrumentInstalledProductId' | 'createdAt'>

/** Parameters of the list of events with those of an instrument that are not closed: 3-decisions 9. */
export function instrumentEventsSearch({ instrumentInstalledProductId, createdAt }: Named): Record<string, string> {
  return {
    keyword: instrumentInstalledProductId,
    alertStatus: '1_NEW,2_IN_PROGRESS',
    start: createdAt,
    temporaryFilters: 'true',
    page: '1',
    pageSize: '12',
  }
}

/** The same as a link, character by character. */
export function instrumentEventsAddress(instrument: Named): string {
  return `/events${writeQueryString(instrumentEventsSearch(instrument))}`
}
