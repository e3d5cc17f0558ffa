import { instrumentFamilies } from '@benchwatch/contract/vocabulary'
import { sql } from 'kysely'
import type { Db } from '../../db/connect.ts'
import { isOpen } from '../../db/scoped.ts'
import { severityCodes } from '../../db/severity.ts'
import { byCodePoints } from '../../db/text-order.ts'
import { askedEvents, eventCount, severityCounts, shareOf } from './asked-events.queries.ts'
import type { KpiQuestion } from './kpi-question.ts'

const MOST = 20
/** Edge issues are about a gateway and so about no family. */
export const NO_FAMILY = 'Gateways'

/** Events by the family of their instrument; most events first. */
export async function readFamilies(db: Db, question: KpiQuestion) {
  const rows = await db
    .with('counted', () =>
      askedEvents(db, question)
        .select(['e.instrument_id', ...severityCounts])
        .groupBy('e.instrument_id'),
    )
    .selectFrom('counted as n')
    .leftJoin('instrument as i', 'i.id', 'n.instrument_id')
    .select([
      'i.type',
      sql<number>`sum(n.high)::int4`.as('high'),
      sql<number>`sum(n.medium)::int4`.as('medium'),
      sql<number>`sum(n.low)::int4`.as('low'),
      sql<number>`sum(n.total)::int4`.as('total'),
    ])
    .groupBy('i.type')
    .execute()
  const families = [
    { family: NO_FAMILY, types: [null] },
    ...instrumentFamilies.map(({ family, types }) => ({ family, types: [...types] })),
  ]
  const all = rows.reduce((sum, { total }) => sum + total, 0)
  return families
    .map(({ family, types }) => {
      const own = rows.filter(({ type }) => (types as (string | null)[]).includes(type))
      const sumOf = (key: 'high' | 'medium' | 'low' | 'total') => own.reduce((sum, row) => sum + row[key], 0)
      const total = sumOf('total')
      return {
        family,
        high: sumOf('high'),
        medium: sumOf('medium'),
        low: sumOf('low'),
        total,
        share: shareOf(total, all),
      }
    })
    .filter(({ total }) => total > 0)
    .sort((a, b) => b.total - a.total || (a.family < b.family ? -1 : 1))
}

/** The instruments with most events, each under the customer it had then. */
export async function readNoisiestInstruments(db: Db, question: KpiQuestion) {
  const rows = await db
    .with('counted', () =>
      askedEvents(db, question)
        .select([
          'e.instrument_id',
          'e.customer_id',
          eventCount.as('events'),
          sql<number>`(count(*) FILTER (WHERE e.severity = ${severityCodes.high}))::int4`.as('high'),
          sql<number>`(count(*) FILTER (WHERE ${isOpen}))::int4`.as('open'),
          sql<number>`sum(e.latched_count)::int4`.as('repeats'),
        ])
        .groupBy(['e.instrument_id', 'e.customer_id']),
    )
    .selectFrom('counted as n')
    .innerJoin('instrument as i', 'i.id', 'n.instrument_id')
    .innerJoin('customer as c', 'c.id', 'n.customer_id')
    .select([
      'i.installed_product_id as instrument',
      sql<string>`coalesce(i.system_name, i.product_description)`.as('name'),
      'c.name as customer',
      'n.events',
      'n.high',
      'n.open',
      'n.repeats',
      sql<number>`(SELECT sum(events)::int4 FROM counted)`.as('all'),
    ])
    .orderBy('n.events', 'desc')
    .orderBy(byCodePoints('i.installed_product_id'))
    .orderBy('c.id')
    .limit(MOST)
    .execute()
  return rows.map(({ all, ...row }) => ({ ...row, share: shareOf(row.events, all) }))
}
