import type { Instrument } from '@benchwatch/contract/instruments/instruments'
import { writeQueryString } from '../../../lib/list/list-address.ts'

type Named = Pick<Instrument, 'instrumentInstalledProductId' | 'createdAt'>

/** Returns the parameters of the event list for an instrument's open events: 3-decisions 9. */
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

/** Returns the same parameters as a link, which must match character by character. */
export function instrumentEventsAddress(instrument: Named): string {
  return `/events${writeQueryString(instrumentEventsSearch(instrument))}`
}
