/**
 * The state of a row in one byte: the status in the two lowest bits (1 new, 2 in progress, 3 closed), above them the reason
 * it was closed for, then whether an e-mail was sent, and in the highest bit full support, of open events alone. 0 is no event.
 */
export const STATUS_MASK = 0b11
const REASON_MASK = 0b0011_1100
const REASON_SHIFT = 2
export const EMAILED = 0b0100_0000
export const FULL_SUPPORT = 0b1000_0000
export const CLOSED = 3

/** Of what an event is in the columns. */
export function stateOf({
  alertStatus,
  reasonClosed,
  fullSupport,
  emailedAt,
}: {
  alertStatus: number
  reasonClosed: number
  fullSupport: boolean
  emailedAt: number
}): number {
  const support = fullSupport && alertStatus !== CLOSED ? FULL_SUPPORT : 0
  return alertStatus | (reasonClosed << REASON_SHIFT) | (emailedAt === 0 ? 0 : EMAILED) | support
}

export function reasonOf(state: number): number {
  return (state & REASON_MASK) >> REASON_SHIFT
}

/** For each state 1 where it has something, else 0. */
export function statesWhere(has: (state: number) => boolean): Uint8Array {
  return Uint8Array.from({ length: 256 }, (_, state) => (has(state) ? 1 : 0))
}
