import { type DataScope, holds } from '../../db/actor.ts'
import type { Trx } from '../../db/connect.ts'
import { type LockedInstrument, lockInstruments } from '../ingest/inbox.store.ts'
import { noSuchInstrument } from '../no-such-instrument.ts'

/**
 * The instrument that a form names, locked for the transaction as ingest locks it; undefined where it names none. Throws
 * not-found where the scope does not hold it.
 */
export async function lockNamedInstrument(
  trx: Trx,
  { installedProductId, scope }: { installedProductId: string; scope: DataScope },
): Promise<LockedInstrument | undefined> {
  if (installedProductId === '') return undefined
  const instrument = (await lockInstruments(trx, [installedProductId])).get(installedProductId)
  if (!instrument || !holds(scope, instrument.customerId)) throw noSuchInstrument()
  return instrument
}
