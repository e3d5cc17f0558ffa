/** Where a site is; what nobody knows is null. */
export interface Address {
  street: string | null
  zip: string | null
  city: string | null
  country: string | null
}

/** 'Uppsala, Sweden'; of the two what is known, and nothing where neither is. */
export function cityAndCountry(city: string | null, country: string | null): string {
  return [city, country].filter(Boolean).join(', ')
}

/** An address in one or two lines: street, then zip, city and country; a dash when nothing is known. */
export function addressLines({ street, zip, city, country }: Address): string[] {
  const town = [zip, city].filter(Boolean).join(' ')
  const place = [town, country].filter(Boolean).join(', ')
  const lines = [street, place].filter((line): line is string => line !== null && line !== '')
  return lines.length > 0 ? lines : ['–']
}
