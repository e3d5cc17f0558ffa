import { holds } from '../../db/actor.ts'
import type { Db } from '../../db/connect.ts'
import { type DeliveryHooks, IS_DISABLED, MAY_NOT_SEE } from '../outgoing-messages.ts'
import type { Recipient } from '../profiles/decision.ts'
import { readRecipients } from '../profiles/profiles.queries.ts'
import { templates } from './notification-texts.ts'
import { ADDRESS_IS_GONE, collectAgain, readCarried, withdraw } from './waiting.store.ts'

/**
 * Checks right before sending that the recipient may still see the events and still has the address, because a message
 * may have waited for hours.
 */
export const notificationHooks: readonly DeliveryHooks[] = Object.values(templates).map((template) => ({
  template,
  refusal: refusalOf,
  sent: async () => {},
}))

/** Refuses a list with events that the recipient may no longer see; the others go into the next digest. */
async function refusalOf(db: Db, messageId: number): Promise<string | null> {
  const carried = await readCarried(db, messageId)
  const [first] = carried
  if (!first) return 'All of its events have been deleted.'
  const [recipient] = await readRecipients(db, [first.userId])
  const reason = reasonAgainst(recipient, first.recipient)
  const isVisible = (one: (typeof carried)[number]) =>
    reason === null && !one.isWithdrawn && recipient !== undefined && holds(recipient.scope, one.customerId)
  const hidden = carried.filter((one) => !isVisible(one))
  if (hidden.length === 0) return null
  await collectAgain(
    db,
    carried.filter(isVisible).map(({ id }) => id),
  )
  await withdraw(db, { ids: hidden.map(({ id }) => id), reason: reason ?? MAY_NOT_SEE })
  return reason ?? MAY_NOT_SEE
}

/** Returns why nothing may be sent to this address: its number, for example, may belong to somebody else by now. */
function reasonAgainst(recipient: Recipient | undefined, address: string): string | null {
  if (!recipient || recipient.isDisabled) return IS_DISABLED
  const { loginEmail, email, msisdn } = recipient
  const own = [loginEmail, email.notificationEmail, msisdn]
  return own.some((one) => one?.toLowerCase() === address.toLowerCase()) ? null : ADDRESS_IS_GONE
}
