import { sql } from 'kysely'
import type { Db } from '../../db/connect.ts'
import { byCodePoints } from '../../db/sql/text-order.ts'
import { eventCount, eventsInRange, secondsFromCreation, shareOf, wholeSeconds } from './counted-events.queries.ts'
import type { KpiQuestion } from './kpi-question.ts'

const MOST = 20

/**
 * Returns the most frequent errors by instrument type, with the description of their template; if none is registered,
 * with the first description that came in.
 */
export async function readTopErrors(db: Db, question: KpiQuestion) {
  // Read separately, in order of time: the index of templates would lead to their events of all years.
  const inRange = () =>
    eventsInRange(db, question)
      .select(['e.instrument_id', 'e.template_id', 'e.description', 'e.created_at', 'e.closed_at'])
      .offset(0)
  const typed = () => db.selectFrom(inRange().as('e')).leftJoin('instrument as i', 'i.id', 'e.instrument_id')
  const rows = await db
    .with('counted', () =>
      typed()
        .select(['i.type', 'e.template_id', eventCount.as('events')])
        .groupBy(['i.type', 'e.template_id']),
    )
    .with('frequent', (from) =>
      from
        .selectFrom('counted')
        .selectAll()
        .orderBy('events', 'desc')
        .orderBy(byCodePoints('template_id'))
        .orderBy(byCodePoints('type'))
        .limit(MOST),
    )
    // Times and texts of these errors only: sorting a year of them would need the disk.
    .with('details', () =>
      typed()
        .where(
          sql<boolean>`(e.template_id, coalesce(i.type, '')) IN (SELECT f.template_id, coalesce(f.type, '') FROM frequent f)`,
        )
        .select([
          'i.type',
          'e.template_id',
          sql<string>`min(e.description COLLATE "C")`.as('description'),
          sql<number | null>`percentile_cont(0.5) WITHIN GROUP (ORDER BY ${secondsFromCreation('e.closed_at')})
            FILTER (WHERE e.closed_at IS NOT NULL)`.as('close'),
        ])
        .groupBy(['i.type', 'e.template_id']),
    )
    .selectFrom('frequent as n')
    .innerJoin('details', (join) =>
      join
        .onRef('details.template_id', '=', 'n.template_id')
        .on(sql<boolean>`details.type IS NOT DISTINCT FROM n.type`),
    )
    .leftJoin('event_template as t', (join) =>
      join.onRef('t.instrument_type', '=', 'n.type').onRef('t.template_id', '=', 'n.template_id'),
    )
    .leftJoin('instrument_type as y', 'y.key', 'n.type')
    .select([
      'n.template_id as error',
      sql<string>`coalesce(y.label, 'Gateway')`.as('type'),
      sql<string>`coalesce(t.description, details.description)`.as('description'),
      'n.events',
      'details.close',
      sql<number>`(SELECT sum(events)::int4 FROM counted)`.as('all'),
    ])
    .orderBy('n.events', 'desc')
    .orderBy(byCodePoints('n.template_id'))
    .orderBy(byCodePoints('n.type'))
    .execute()
  return rows.map(({ error, type, description, events, close, all }) => ({
    error,
    description,
    events,
    type,
    share: shareOf(events, all),
    closeMedian: wholeSeconds(close),
  }))
}
