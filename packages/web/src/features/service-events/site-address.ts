import type { ServiceEvent } from '@benchwatch/contract/service-events'
import { addressLines } from '../../lib/address.ts'

type Site = Pick<ServiceEvent, 'siteStreet' | 'siteZip' | 'siteCity' | 'siteCountry'>

/** The site of an event in one or two lines; a dash when nothing is known. */
export function siteAddress({ siteStreet, siteZip, siteCity, siteCountry }: Site): string[] {
  return addressLines({ street: siteStreet, zip: siteZip, city: siteCity, country: siteCountry })
}
