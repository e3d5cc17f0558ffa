import type { InstrumentFilter, InstrumentRun, LinkedClients } from '@benchwatch/contract/instruments/instruments'
import { usageFlags } from '@benchwatch/contract/instruments/usage'
import { sql } from 'kysely'
import type { DataScope } from '../../db/actor.ts'
import type { Db } from '../../db/connect.ts'
import { reportsRun } from '../../db/runs.ts'
import { inScope, instruments, reportedSince } from '../../db/scoped.ts'
import { problem } from '../../platform/http/problem.ts'
import { featureIsOn } from '../users/users.lookup.ts'

/**
 * Throws feature-off for a filter by usage limit if the user must not see component usage: its matches would reveal it.
 */
export async function checkInstrumentFilter(
  db: Db,
  { userId, filter }: { userId: number; filter: InstrumentFilter },
): Promise<void> {
  if (!filter.usageLimit?.length) return
  for (const key of usageFlags.flags) {
    if (!(await featureIsOn(db, { userId, key })))
      throw problem(
        'feature-off',
        `The filter Usage limit needs the feature ${key}. Remove it, or ask an administrator.`,
      )
  }
}

/** Returns the instrument with this installed product ID, if it is in scope. */
export async function findInstrument(
  db: Db,
  { installedProductId, scope }: { installedProductId: string; scope: DataScope },
): Promise<{ id: number } | undefined> {
  return instruments(db, scope)
    .where('i.installed_product_id', '=', installedProductId)
    .select('i.id')
    .executeTakeFirst()
}

/**
 * Returns the computers that an instrument in scope last reported; undefined if it is outside the scope. Reports from
 * before it came to its customer name another customer's computers, so they are left out.
 */
export async function findLinkedClients(
  db: Db,
  { installedProductId, scope }: { installedProductId: string; scope: DataScope },
): Promise<LinkedClients | undefined> {
  const row = await instruments(db, scope)
    .leftJoin('instrument_software as s', (join) =>
      join.onRef('s.instrument_id', '=', 'i.id').on(reportedSince(scope, sql.ref('s.reported_at'))),
    )
    .where('i.installed_product_id', '=', installedProductId)
    .select(['s.client_pc_names', 's.instrument_server_pc_name'])
    .executeTakeFirst()
  if (!row) return undefined
  return {
    clientPcNames: row.client_pc_names?.toSorted((one, other) => one.localeCompare(other)) ?? [],
    instrumentServerPcName: row.instrument_server_pc_name,
  }
}

/** Statuses of the span that name a run other than the one before; each begins a run, or ends one. */
interface ReportedRun {
  at: Date
  run: string | null
}

/**
 * Returns the runs that were on within start ≤ t < stop, oldest first, the newest of them, with their whole length, which
 * may reach beyond the span. Callers who do not see all customers get nothing from before the instrument came to theirs.
 */
export async function readRuns(
  db: Db,
  {
    instrumentId,
    scope,
    start,
    stop,
    limit,
  }: { instrumentId: number; scope: DataScope; start: Date; stop: Date; limit: number },
): Promise<InstrumentRun[]> {
  const reported = instruments(db, scope)
    .innerJoin('instrument_status_history as h', 'h.instrument_id', 'i.id')
    .leftJoin('run as r', (join) => join.onRef('r.id', '=', 'h.run_id').on(inScope(scope, sql.ref('r.customer_id'))))
    .where('i.id', '=', instrumentId)
    .where('i.run_since', 'is not', null)
    .where(reportsRun)
    .where(reportedSince(scope, sql.ref('h.at')))
    .where(reportedSince(scope, sql.ref('h.received_at')))
    .select(['h.at', 'r.name as run'])
  const last = reported.orderBy('h.at', 'desc').orderBy('h.epoch', 'desc').orderBy('h.sequence', 'desc').limit(1)
  const first = reported.orderBy('h.at').orderBy('h.epoch').orderBy('h.sequence').limit(1)
  const isOther = (run: string | null) => sql<boolean>`r.name IS DISTINCT FROM ${run}`
  // A run has a beginning and an end at most.
  const most = 2 * limit
  const { rows } = await sql<ReportedRun>`
    SELECT at, run FROM (
      SELECT at, run, lag(run) OVER in_time AS before, row_number() OVER in_time AS place
      FROM (${reported.where('h.at', '>', start).where('h.at', '<', stop).select(['h.epoch', 'h.sequence'])}) AS reported
      WINDOW in_time AS (ORDER BY at, epoch, sequence)) AS reported
    WHERE place = 1 OR run IS DISTINCT FROM before ORDER BY place DESC LIMIT ${most}`.execute(db)
  const held = rows.length < most ? await last.where('h.at', '<=', start).executeTakeFirst() : undefined
  const changes = [...(held ? [held] : []), ...rows.toReversed()].filter(
    ({ run }, index, all) => index === 0 || run !== all[index - 1]?.run,
  )
  if (held?.run) {
    const before = await last.where('h.at', '<=', start).where(isOther(held.run)).executeTakeFirst()
    const since = before ? first.where('h.at', '>=', before.at) : first
    held.at = (await since.where('r.name', '=', held.run).executeTakeFirst())?.at ?? held.at
  }
  const newest = changes.at(-1)
  const ended = newest?.run
    ? await first.where('h.at', '>=', stop).where(isOther(newest.run)).executeTakeFirst()
    : undefined
  return changes
    .flatMap(({ at, run }, index) => {
      const to = (changes[index + 1] ?? ended)?.at ?? null
      return run === null ? [] : [{ run, from: at.toISOString(), to: to?.toISOString() ?? null }]
    })
    .slice(-limit)
}
