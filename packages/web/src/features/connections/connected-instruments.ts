import { limits } from '@benchwatch/contract/vocabulary'

/**
 * The instrument list with just these instruments: document 1 section 2. An address takes so many characters of them
 * (section 5); what goes beyond is left out at a comma, because half an id would find nothing.
 */
export function connectedInstrumentsAddress(installedProductIds: readonly string[]): string {
  const list = installedProductIds.map(encodeURIComponent).join(',')
  const end = list.length <= limits.instruments ? list.length : list.lastIndexOf(',', limits.instruments)
  const instruments = list.slice(0, Math.max(end, 0))
  return `/instruments?temporaryFilters=true&instrumentFamily=All&instruments=${instruments}&keyword=&page=1&pageSize=12`
}
