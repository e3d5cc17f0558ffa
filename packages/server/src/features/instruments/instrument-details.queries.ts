import type { Instrument } from '@benchwatch/contract/instruments'
import type { ServiceEvent } from '@benchwatch/contract/service-events'
import type { DataScope } from '../../db/actor.ts'
import type { Db } from '../../db/connect.ts'
import { instrumentNamed } from '../../db/scoped.ts'
import { inTransaction } from '../../db/transaction.ts'
import { readOpenEvents } from '../service-events/service-events.lookup.ts'
import { readInstruments } from './instrument-rows.queries.ts'

/** Open events that are shown beside an instrument; its eventCount tells whether there are more. */
const SHOWN_EVENTS = 100

/** One instrument by id or installed product id, with its open events; undefined where the scope holds none. */
export async function readInstrument(
  db: Db,
  { id, scope, viewerId, now }: { id: string; scope: DataScope; viewerId: number; now: Date },
): Promise<(Instrument & { events: { alarm: ServiceEvent }[] }) | undefined> {
  return inTransaction(
    db,
    async (trx) => {
      const found = await instrumentNamed(trx, { id, scope }).select('i.id').executeTakeFirst()
      if (!found) return undefined
      const [instrument] = await readInstruments(trx, { ids: [found.id], scope, now })
      if (!instrument) return undefined
      const events = await readOpenEvents(trx, { instrumentId: found.id, scope, viewerId, limit: SHOWN_EVENTS })
      return { ...instrument, events: events.map((alarm) => ({ alarm })) }
    },
    { isSnapshot: true },
  )
}
