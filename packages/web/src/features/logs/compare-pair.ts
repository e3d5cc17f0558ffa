import type { CompareAddress, LogChoice } from './compare-address.ts'
import { correctedSide, type Side } from './compare-clock.ts'

/** What becomes of the page when its two logs are chosen anew or change places. A stated difference belongs to one clock. */

/** Another log on one side. The difference stays where it is still about the same log's clock. */
export function withLog(address: CompareAddress, side: Side, log: LogChoice | null): CompareAddress {
  const next = { ...address, [side]: log, problems: [] }
  const isSameClock = sameLog(correctedLog(address), correctedLog(next))
  return { ...next, ahead: isSameClock ? address.ahead : 0 }
}

/** Both logs change places. Where the corrected one is now the other, it is behind by what this one was ahead. */
export function swapped(address: CompareAddress): CompareAddress {
  const next = { ...address, first: address.second, second: address.first, problems: [] }
  if (sameLog(correctedLog(address), correctedLog(next))) return next
  const at = address.at === null ? null : address.at + address.ahead
  return { ...next, at, ahead: -address.ahead || 0 }
}

export function correctedLog(address: Pick<CompareAddress, Side>): LogChoice | null {
  return address[correctedSide(address.first)]
}

export function sameLog(one: LogChoice | null, other: LogChoice | null): boolean {
  return one?.logType === other?.logType && one?.computerName === other?.computerName
}
