import { tabStore } from '../../lib/storage.ts'

/** Where the list of instruments stood last in this tab, so that closing an instrument leads back to it. */

const KEY = 'instruments.address'

export function rememberInstrumentListAddress(address: Record<string, string>): void {
  tabStore.write(KEY, address)
}

/** Parameters of the list as it was left; none when an instrument was opened by its own link. The list reads them with care. */
export function lastInstrumentListAddress(): Record<string, string> {
  const known = tabStore.read(KEY)
  if (typeof known !== 'object' || known === null || Array.isArray(known)) return {}
  return Object.fromEntries(
    Object.entries(known).filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
  )
}
