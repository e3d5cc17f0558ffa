import { z } from 'zod'
import { paths } from './paths.ts'
import { calendarDate, instant, line, text } from './primitives.ts'
import { route } from './route.ts'
import { kpiMeasures } from './vocabulary.ts'

/** Dashboards of key figures: document 2 section 2, wire 9, 3-decisions 3. The built-in one lies behind the same door as others. */

export const listKpiDashboards = route({
  ...paths.listKpiDashboards,
  summary: 'The dashboards that the caller may see; none for customers, whose /kpi is forbidden',
  answer: z.array(z.object({ id: z.string(), name: z.string() })),
  errors: ['session-expired'],
  access: { kind: 'signed-in' },
})

export const getKpiDashboard = route({
  ...paths.getKpiDashboard,
  summary: 'The address of a dashboard for a frame: good for 5 minutes, for this dashboard and the caller’s scope',
  params: z.object({ id: line(60) }),
  answer: z.object({
    /** Absolute or beginning with `/`. Of the built-in one, the token stands in the fragment, which no log holds. */
    dashboardEmbedUrl: z.string(),
    expiresAt: instant,
  }),
  errors: ['session-expired', 'not-found'],
  access: { kind: 'signed-in' },
})

/** What a column holds: how it is aligned, formatted and written to a file. Times in seconds, shares from 0 to 1. */
const column = z.object({
  key: z.string(),
  label: z.string(),
  kind: z.enum(['text', 'number', 'seconds', 'share', 'day', 'instant']),
})

/** One measure as a table: what its chart draws, its export writes and its print shows. */
export const kpiTable = z.object({
  measure: z.enum(kpiMeasures),
  columns: z.array(column),
  rows: z.array(z.array(z.union([z.string(), z.number(), z.null()]))),
  /** What must be known to read it, such as since when something is measured; null where nothing. */
  note: z.string().nullable(),
})
export type KpiTable = z.output<typeof kpiTable>

export const getKpiTable = route({
  ...paths.getKpiTable,
  summary:
    'One measure of the built-in dashboard over the days from–to (inclusive, UTC), of these customers of the scope or of all',
  params: z.object({ measure: z.enum(kpiMeasures) }),
  query: z.strictObject({
    from: calendarDate,
    to: calendarDate,
    /** Names of customers, as a JSON list; others than those of the scope find nothing. */
    customers: text(20_000).optional(),
  }),
  answer: kpiTable,
  // Tables of one dashboard are read a few at a time: each may count a year of events.
  answerSeconds: 60,
  errors: ['session-expired', 'invalid-parameter'],
  access: { kind: 'kpi-embed' },
})

export const listKpiCustomers = route({
  ...paths.listKpiCustomers,
  summary: 'Customers of the scope to choose from, by name',
  answer: z.array(z.string()),
  errors: ['session-expired'],
  access: { kind: 'kpi-embed' },
})
