import { sql } from 'kysely'
import { isAlarmTest } from '../../db/alarm-test.ts'
import type { Db } from '../../db/connect.ts'
import { serviceEvents } from '../../db/scoped.ts'
import { severityCodes } from '../../db/severity.ts'
import type { KpiQuestion } from './kpi-question.ts'

/** Events that tell of instruments and people, as `e`: a fleet's weekly tests of the alarm chain would be a tenth of all. */
export function realEvents(db: Db, { scope }: Pick<KpiQuestion, 'scope'>) {
  return serviceEvents(db, scope).where(sql<boolean>`NOT ${isAlarmTest}`)
}

/** The events of a question, as `e`. */
export function askedEvents(db: Db, { scope, from, until }: KpiQuestion) {
  return realEvents(db, { scope }).where('e.created_at', '>=', from).where('e.created_at', '<', until)
}

export const eventCount = sql<number>`count(*)::int4`

/** How many events of each severity, by the keys of the columns. */
export const severityCounts = [
  sql<number>`(count(*) FILTER (WHERE e.severity = ${severityCodes.high}))::int4`.as('high'),
  sql<number>`(count(*) FILTER (WHERE e.severity = 2))::int4`.as('medium'),
  sql<number>`(count(*) FILTER (WHERE e.severity = 1))::int4`.as('low'),
  eventCount.as('total'),
] as const

/** Never below 0: the two ends may have been written by nodes whose clocks differ a little. */
export function secondsFromCreation(end: 'e.claimed_at' | 'e.closed_at') {
  return sql<number>`greatest(0, extract(epoch FROM ${sql.ref(end)} - e.created_at)::float8)`
}

/** Whole seconds: a table that says less than it measured is easier to read. */
export function wholeSeconds(seconds: number | null | undefined): number | null {
  return seconds === null || seconds === undefined ? null : Math.round(seconds)
}

export function shareOf(part: number, whole: number): number | null {
  return whole === 0 ? null : part / whole
}
