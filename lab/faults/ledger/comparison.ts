import type { Client } from 'pg'
import { type Ledger, type LedgerEntry, nameOf } from './ledger.ts'

/** The result of comparing the ledger with the database. */
export interface Comparison {
  sent: number
  acknowledged: number
  /** Items of this run whose receipt the database has stored. */
  stored: number
  /** Items that were acknowledged and are not in the database, or whose event, status or log line is missing. */
  lost: string[]
  /** Items that were stored more than once. */
  duplicate: string[]
  /** The ids of the events of this run, by alert id. */
  eventIds: Map<string, string>
}

/**
 * Compares item by item what gateways were answered with what is stored: the receipt of each item, and the event,
 * status or log line that it should have made.
 */
export async function compare(database: Client, ledger: Ledger): Promise<Comparison> {
  const entries = ledger.entries()
  const stored = await storedItems(database)
  const events = await counted(
    database,
    'SELECT alert_id AS mark, count(*)::int AS times FROM service_event GROUP BY 1',
  )
  const lines = await counted(database, 'SELECT message AS mark, count(*)::int AS times FROM log_entry GROUP BY 1')
  const statuses = await counted(
    database,
    `SELECT g.name || ' ' || e.epoch || '-' || h.sequence AS mark, count(*)::int AS times
     FROM instrument_status_history h JOIN instrument i ON i.id = h.instrument_id
     JOIN gateway g ON g.id = i.gateway_id JOIN gateway_epoch e ON e.gateway_id = g.id AND e.ordinal = h.epoch
     GROUP BY 1`,
  )
  const timesMade = (entry: LedgerEntry): number | null => {
    switch (entry.kind) {
      case 'alarm':
        return events.get(entry.mark) ?? 0
      case 'log':
        return lines.get(entry.mark) ?? 0
      case 'status':
        return statuses.get(nameOf(entry)) ?? 0
      case 'cleared':
      case 'heartbeat':
        return null
    }
  }
  const lost: string[] = []
  const duplicate: string[] = []
  for (const entry of entries) {
    const made = timesMade(entry)
    const isStored = stored.has(nameOf(entry))
    if (entry.acknowledgedAt !== null && (!isStored || made === 0)) lost.push(nameOf(entry))
    // Half a transaction: a receipt without its effect, or an effect without its receipt.
    else if (made !== null && isStored !== made > 0) lost.push(`${nameOf(entry)} (half stored)`)
    if (made !== null && made > 1) duplicate.push(nameOf(entry))
  }
  return {
    sent: ledger.sent,
    acknowledged: ledger.acknowledged,
    stored: entries.filter((entry) => stored.has(nameOf(entry))).length,
    lost,
    duplicate,
    eventIds: await eventIds(database),
  }
}

/**
 * Returns the milliseconds from the first request of each event to its creation message, and the events that were never
 * announced.
 */
export function liveDelays(
  { ledger, eventIds }: { ledger: Ledger; eventIds: ReadonlyMap<string, string> },
  created: ReadonlyMap<string, number>,
): { delays: { sentAt: number; ms: number; sends: number }[]; unannounced: string[] } {
  const delays: { sentAt: number; ms: number; sends: number }[] = []
  const unannounced: string[] = []
  for (const { kind, mark, firstSentAt, sends } of ledger.entries()) {
    const id = kind === 'alarm' ? eventIds.get(mark) : undefined
    if (id === undefined || firstSentAt === null) continue
    const at = created.get(id)
    if (at === undefined) unannounced.push(id)
    else delays.push({ sentAt: firstSentAt, ms: at - firstSentAt, sends })
  }
  return { delays, unannounced }
}

async function storedItems(database: Client): Promise<Set<string>> {
  const { rows } = await database.query<{ name: string }>(
    `SELECT g.name || ' ' || t.series || number AS name FROM taken_number t JOIN gateway g ON g.id = t.gateway_id,
       unnest(t.numbers) AS range, generate_series(lower(range), upper(range) - 1) AS number`,
  )
  return new Set(rows.map(({ name }) => name))
}

async function eventIds(database: Client): Promise<Map<string, string>> {
  const { rows } = await database.query<{ alert_id: string; id: string }>(
    'SELECT alert_id, id::text AS id FROM service_event',
  )
  return new Map(rows.map((row) => [row.alert_id, row.id]))
}

async function counted(database: Client, query: string): Promise<Map<string, number>> {
  const { rows } = await database.query<{ mark: string; times: number }>(query)
  return new Map(rows.map(({ mark, times }) => [mark, times]))
}
