/** Address of a site; unknown parts are null. */
export interface Address {
  street: string | null
  zip: string | null
  city: string | null
  country: string | null
}

/** Returns e.g. 'Uppsala, Sweden', or the part that is known, or ''. */
export function cityAndCountry(city: string | null, country: string | null): string {
  return inOrder([city, country].filter(Boolean).join(', '))
}

/** Returns an address in one or two lines: street, then zip, city and country. A dash if nothing is known. */
export function addressLines({ street, zip, city, country }: Address): string[] {
  const town = [zip, city].filter(Boolean).join(' ')
  const place = [town, country].filter(Boolean).join(', ')
  const lines = [street, inOrder(place)].filter((line): line is string => line !== null && line !== '')
  return lines.length > 0 ? lines : ['–']
}

/**
 * Keeps the city before the country where the city is written from right to left and the country is not. The first
 * letter decides the direction of a whole text, and the mark in front counts as a letter from left to right.
 */
function inOrder(place: string): string {
  return /^\P{L}*[\p{sc=Arab}\p{sc=Hebr}].*\p{sc=Latn}/u.test(place) ? `\u200e${place}` : place
}
