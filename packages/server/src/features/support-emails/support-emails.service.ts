import type { Db } from '../../db/connect.ts'
import type { FeatureContext } from '../context.ts'

interface NewEvents {
  eventIds: readonly number[]
  now: Date
}

/**
 * Has the contacts of new events mailed, in the transaction that takes note of the events: once for each event, whatever
 * restarts in between.
 */
export async function mailContacts(
  _trx: Db,
  _wanted: NewEvents,
  _needs: Pick<FeatureContext, 'messages' | 'config'>,
): Promise<void> {
  // Filled in by the next change.
}
