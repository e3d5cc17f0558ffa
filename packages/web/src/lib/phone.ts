import { type CountryCode, getCountries, isSupportedCountry, parsePhoneNumberFromString } from 'libphonenumber-js/min'

/** Telephone numbers as people type them, read with the plans of all countries. Loaded by the screens that show contacts. */

/** A number that can be dialled. */
export interface PhoneNumber {
  /** `+46 18 555 01 20` */
  international: string
  /** `tel:+46185550120` */
  href: string
}

/**
 * Reads one number, written internationally or as in `country` (its English name or two letters); null for anything
 * else. The whole text must be the number: of "555 01 20 / 21 (mornings)" nobody can say which one is meant.
 */
export function readPhoneNumber(text: string, country: string | null): PhoneNumber | null {
  const home = country === null ? undefined : countryCode(country)
  const number = parsePhoneNumberFromString(text.trim(), { extract: false, ...(home && { defaultCountry: home }) })
  if (!number?.isValid()) return null
  return { international: number.formatInternational(), href: number.getURI() }
}

/** A number where nothing can be dialled: in international format, or as it was written and marked; null where there is none. */
export function phoneText(number: string | null, country: string | null): string | null {
  const text = number?.trim() ?? ''
  return text === '' ? null : (readPhoneNumber(text, country)?.international ?? `${text} ${INVALID_PHONE}`)
}

/** Stands behind what is no number. */
export const INVALID_PHONE = '(invalid)'

/** What sites call their country where Unicode's English names, long and short, say it differently. */
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
