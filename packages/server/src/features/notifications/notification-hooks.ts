import { holds } from '../../db/actor.ts'
import type { Db } from '../../db/connect.ts'
import { type DeliveryHooks, IS_DISABLED, MAY_NOT_SEE } from '../outgoing-messages.ts'
import { findPerson } from '../users/users.lookup.ts'
import { templates } from './notification-texts.ts'
import { collectAgain, readCarried, withdraw } from './waiting.store.ts'

/**
 * Checks right before sending that the recipient may still see the events, because a message may have waited for
 * hours.
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
  const person = await findPerson(db, first.userId)
  const isVisible = (one: (typeof carried)[number]) =>
    !one.isWithdrawn && person !== undefined && holds(person.scope, one.customerId)
  const hidden = carried.filter((one) => !isVisible(one))
  if (hidden.length === 0) return null
  await collectAgain(
    db,
    carried.filter(isVisible).map(({ id }) => id),
  )
  const reason = person ? MAY_NOT_SEE : IS_DISABLED
  await withdraw(db, { ids: hidden.map(({ id }) => id), reason })
  return reason
}
