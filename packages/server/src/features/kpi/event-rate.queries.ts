import { sql } from 'kysely'
import type { Db } from '../../db/connect.ts'
import { askedEvents, severityCounts } from './asked-events.queries.ts'
import type { KpiQuestion } from './kpi-question.ts'

const DAY_MS = 86_400_000

/** How many events of each severity were created on each UTC day up to today; a day without any is 0. */
export async function readEventRate(db: Db, question: KpiQuestion) {
  const day = sql<string>`(e.created_at AT TIME ZONE 'UTC')::date`
  const rows = await askedEvents(db, question)
    .select([day.as('day'), ...severityCounts])
    .groupBy(day)
    .execute()
  const counted = new Map(rows.map((row) => [row.day, row]))
  return daysOf(question).map((one) => counted.get(one) ?? { day: one, high: 0, medium: 0, low: 0, total: 0 })
}

function daysOf({ from, until, now }: KpiQuestion): string[] {
  const days: string[] = []
  const end = Math.min(until.getTime(), now.getTime() + 1)
  for (let at = from.getTime(); at < end; at += DAY_MS) days.push(new Date(at).toISOString().slice(0, 10))
  return days
}
