import type { Order } from '@benchwatch/contract/primitives'
import type { EventOrderBy } from '@benchwatch/contract/vocabulary'
import { type RawBuilder, sql } from 'kysely'
import { asPeopleRead } from '../../../db/sql/text-order.ts'
import { NO_NAME } from '../../users/users.lookup.ts'

/**
 * Order of events (wire: orderBy). Equal values are ordered by id in the same direction, so the other direction is
 * exactly the reverse; missing values come last ascending and first descending.
 */
export interface Page {
  orderBy: EventOrderBy
  order: Order
  limit: number
  offset: number
}

/**
 * The folded description of an event `e` (db/fold.ts): as many lines of `text_folded` as the description has itself,
 * because the user message follows after a line break, and folding neither adds nor removes line breaks.
 */
export const foldedDescription = sql<string>`CASE WHEN strpos(e.description, E'\\n') = 0 THEN split_part(e.text_folded, E'\\n', 1)
  ELSE array_to_string((string_to_array(e.text_folded, E'\\n'))[:array_length(string_to_array(e.description, E'\\n'), 1)], E'\\n') END`

interface SortKey {
  /** Columns of the event that the key is computed from. */
  of: readonly (
    | 'created_at'
    | 'severity'
    | 'alert_status'
    | 'automatic_email_sent_at'
    | 'instrument_id'
    | 'gateway_id'
    | 'customer_id'
    | 'site_id'
    | 'claimed_by'
  )[]
  /** A text computed from the event `e`, which the key reads as `r.made`. */
  made?: RawBuilder<string>
  key: RawBuilder<unknown>
}

/** The sort key of each column, from a row of events `r` and the joined small tables i, g, s, c, u. */
export const sortKeys: Record<EventOrderBy, SortKey> = {
  createdAt: { of: ['created_at'], key: sql`r.created_at` },
  eventId: { of: [], key: sql`r.id` },
  severity: { of: ['severity'], key: sql`r.severity` },
  alertStatus: { of: ['alert_status'], key: sql`r.alert_status` },
  // Compared by bytes: independent of the ICU version, and the columns in memory do the same without ICU.
  description: { of: [], made: foldedDescription, key: sql`r.made COLLATE "C"` },
  automaticEmailSentAt: { of: ['automatic_email_sent_at'], key: sql`r.automatic_email_sent_at` },
  instrumentStatus: {
    of: ['instrument_id', 'customer_id'],
    key: sql`(CASE WHEN i.customer_id = r.customer_id THEN i.status END) ${asPeopleRead}`,
  },
  instrumentProductDescription: { of: ['instrument_id'], key: sql`i.product_description ${asPeopleRead}` },
  instrumentInstalledProductId: {
    of: ['instrument_id', 'gateway_id'],
    key: sql`coalesce(i.installed_product_id, g.installed_product_id) ${asPeopleRead}`,
  },
  siteCity: { of: ['site_id'], key: sql`s.city ${asPeopleRead}` },
  enterpriseName: { of: ['customer_id'], key: sql`c.name ${asPeopleRead}` },
  claimedBy: {
    of: ['claimed_by'],
    key: sql`(CASE WHEN u.id IS NOT NULL THEN coalesce(u.name, ${NO_NAME}) END) ${asPeopleRead}`,
  },
}
