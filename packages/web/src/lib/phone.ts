import { type CountryCode, getCountries, isSupportedCountry, parsePhoneNumberFromString } from 'libphonenumber-js/min'

/** Parses phone numbers with the numbering plans of all countries. Loaded only by screens that show contacts. */

/** A valid phone number. */
export interface PhoneNumber {
  /** E.g. `+46 18 555 01 20`. */
  international: string
  /** E.g. `tel:+46185550120`. */
  href: string
}

/**
 * Parses a number in international format or in the format of `country` (English name or two letters). Null if the
 * whole text is not exactly one number: "555 01 20 / 21 (mornings)" is ambiguous.
 */
export function readPhoneNumber(text: string, country: string | null): PhoneNumber | null {
  const home = country === null ? undefined : countryCode(country)
  const number = parsePhoneNumberFromString(text.trim(), { extract: false, ...(home && { defaultCountry: home }) })
  if (!number?.isValid()) return null
  return { international: number.formatInternational(), href: number.getURI() }
}

/**
 * Formats a number as text, where links are not possible: in international format, or as written and marked as
 * invalid. Null if there is none.
 */
export function phoneText(number: string | null, country: string | null): string | null {
  const text = number?.trim() ?? ''
  return text === '' ? null : (readPhoneNumber(text, country)?.international ?? `${text} ${INVALID_PHONE}`)
}

/** Appended to an invalid number. */
export const INVALID_PHONE = '(invalid)'

/** Country names that sites use and that differ from Unicode's English names, long and short. */
const otherNames: Record<string, CountryCode> = {
  usa: 'US',
  'united states of america': 'US',
  'great britain': 'GB',
  england: 'GB',
  scotland: 'GB',
  wales: 'GB',
  'northern ireland': 'GB',
  'the netherlands': 'NL',
  'czech republic': 'CZ',
  korea: 'KR',
  'republic of korea': 'KR',
  'russian federation': 'RU',
  turkey: 'TR',
  'viet nam': 'VN',
}

let codes: Map<string, CountryCode> | undefined

function countryCode(name: string): CountryCode | undefined {
  const code = name.trim().toUpperCase()
  if (isSupportedCountry(code)) return code
  codes ??= countryNames()
  return codes.get(name.trim().toLowerCase())
}

function countryNames(): Map<string, CountryCode> {
  const names = new Map(Object.entries(otherNames))
  for (const style of ['long', 'short'] as const) {
    const english = new Intl.DisplayNames('en', { type: 'region', style })
    for (const code of getCountries()) names.set(english.of(code)?.toLowerCase() ?? code, code)
  }
  return names
}
