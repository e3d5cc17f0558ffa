import { instrumentTypeLabels } from '@benchwatch/contract/vocabulary'
import { sql } from 'kysely'
import type { Db } from '../../db/connect.ts'
import { askedEvents, eventCount, secondsFromCreation, shareOf, wholeSeconds } from './asked-events.queries.ts'
import type { KpiQuestion } from './kpi-question.ts'

const MOST = 20

/**
 * The most frequent errors, each of one instrument type, with what their template says; where none is registered, with the
 * first of the descriptions that came in.
 */
export async function readTopErrors(db: Db, question: KpiQuestion) {
  const rows = await db
    .with('counted', () =>
      askedEvents(db, question)
        .leftJoin('instrument as i', 'i.id', 'e.instrument_id')
        .select([
          'i.type',
          'e.template_id',
          eventCount.as('events'),
          sql<string>`min(e.description COLLATE "C")`.as('told'),
          sql<number | null>`percentile_cont(0.5) WITHIN GROUP (ORDER BY ${secondsFromCreation('e.closed_at')})
            FILTER (WHERE e.closed_at IS NOT NULL)`.as('close'),
        ])
        .groupBy(['i.type', 'e.template_id']),
    )
    .selectFrom('counted as n')
    .leftJoin('event_template as t', (join) =>
      join.onRef('t.instrument_type', '=', 'n.type').onRef('t.template_id', '=', 'n.template_id'),
    )
    .select([
      'n.template_id as error',
      'n.type',
      sql<string>`coalesce(t.description, n.told)`.as('description'),
      'n.events',
      'n.close',
      sql<number>`(SELECT sum(events)::int4 FROM counted)`.as('all'),
    ])
    .orderBy('n.events', 'desc')
    .orderBy('n.template_id')
    .orderBy('n.type')
    .limit(MOST)
    .execute()
  return rows.map(({ error, type, description, events, close, all }) => ({
    ...{ error, description, events },
    type: type === null ? 'Gateway' : instrumentTypeLabels[type],
    share: shareOf(events, all),
    closeMedian: wholeSeconds(close),
  }))
}
