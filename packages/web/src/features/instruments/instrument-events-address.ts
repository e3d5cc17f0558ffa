import type { Instrument } from '@benchwatch/contract/instruments'
import { writeQueryString } from '../../lib/query-string.ts'

/** The list of events with those of an instrument that are not closed: 3-decisions 9, character by character. */
export function instrumentEventsAddress(
  instrument: Pick<Instrument, 'instrumentInstalledProductId' | 'createdAt'>,
): string {
  const query = writeQueryString({
    keyword: instrument.instrumentInstalledProductId,
    alertStatus: '1_NEW,2_IN_PROGRESS',
    start: instrument.createdAt,
    temporaryFilters: true,
    page: 1,
    pageSize: 12,
  })
  return `/events${query}`
}
