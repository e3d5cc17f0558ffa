import type { KpiMeasure } from '@benchwatch/contract/kpi-vocabulary'
import type { DataScope } from '../../db/actor.ts'
import { type DatabaseHandle, REPORTING_POOL_SIZE } from '../../db/connect.ts'
import { inTransaction } from '../../db/transaction.ts'
import type { Clock } from '../../platform/clock.ts'
import { problem } from '../../platform/http/problem.ts'
import { Turns } from '../../platform/turns.ts'
import { narrowScope } from './kpi-customers.queries.ts'
import type { KpiReading } from './kpi-measure.ts'
import { measures } from './kpi-measures.ts'

/** Beyond it, nobody would be answered within the time that the route has. */
const MOST_WAITING = 200
const STATEMENT_TIMED_OUT = '57014'

/** A table as somebody asks for it. */
export interface AskedTable {
  measure: KpiMeasure
  from: Date
  until: Date
  scope: DataScope
  /** The customers that are chosen of the scope; undefined for all. */
  names: string[] | undefined
}

interface Begun {
  reading: Promise<KpiReading>
  /** How many still wait for it. */
  waiting: number
}

/**
 * Reads tables, as many at once as there are connections for them and the others in turn. Whoever asks what is being
 * answered to another one of the same scope is answered with it, and what nobody waits for any more is not begun: so
 * opening a dashboard ten times is as much work as opening it once. Rejects with `overloaded`.
 */
export function createKpiTables({ reporting, clock }: Pick<DatabaseHandle, 'reporting'> & { clock: Clock }) {
  const turns = new Turns({ atOnce: REPORTING_POOL_SIZE, maxWaiting: MOST_WAITING })
  const underWay = new Map<string, Begun>()

  function begin(key: string, asked: AskedTable): Begun {
    const reading = turns.take('tables', async () => {
      try {
        return underWay.get(key)?.waiting === 0 ? { rows: [], more: 0 } : await read(asked)
      } finally {
        underWay.delete(key)
      }
    })
    if (!reading) throw problem('overloaded', 'Many dashboards are being opened. Try again shortly.', { retryAfter: 5 })
    const begun = { reading, waiting: 0 }
    underWay.set(key, begun)
    return begun
  }

  function read({ measure, names, from, until, scope: whole }: AskedTable): Promise<KpiReading> {
    return inTransaction(
      reporting,
      async (trx) => {
        const scope = names === undefined ? whole : await narrowScope(trx, { scope: whole, names })
        return measures[measure].read(trx, { from, until, scope, now: clock.now() })
      },
      { isSnapshot: true },
    ).catch((error: Error & { code?: string }) => {
      if (error.code !== STATEMENT_TIMED_OUT) throw error
      throw problem('overloaded', 'This table takes too long. Choose fewer days or customers, or try again later.', {
        retryAfter: 30,
        cause: error,
      })
    })
  }

  /** The table, for as long as whoever asks for it is there. */
  return async (asked: AskedTable, gone: AbortSignal): Promise<KpiReading> => {
    const key = JSON.stringify([asked.measure, asked.from, asked.until, asked.scope, asked.names])
    const joined = underWay.get(key) ?? begin(key, asked)
    joined.waiting += 1
    gone.addEventListener('abort', () => (joined.waiting -= 1), { once: true })
    return joined.reading
  }
}

export type KpiTables = ReturnType<typeof createKpiTables>
