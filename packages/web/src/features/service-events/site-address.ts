import type { ServiceEvent } from '@benchwatch/contract/service-events'

type Site = Pick<ServiceEvent, 'siteStreet' | 'siteZip' | 'siteCity' | 'siteCountry'>

/** The site in one or two lines: street, then zip, city and country; a dash when nothing is known. */
export function siteAddress(site: Site): string[] {
  const town = [site.siteZip, site.siteCity].filter(Boolean).join(' ')
  const place = [town, site.siteCountry].filter(Boolean).join(', ')
  const lines = [site.siteStreet, place].filter((line): line is string => line !== null && line !== '')
  return lines.length > 0 ? lines : ['–']
}
