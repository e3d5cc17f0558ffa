import { z } from 'zod'
import { paths } from './paths.ts'
import { calendarDate, instant, line, text } from './primitives.ts'
import { route } from './route.ts'
import { kpiMeasures } from './vocabulary.ts'

/**
 * KPI dashboards: document 2 section 2, wire 9, 3-decisions 3. The built-in dashboard uses the same routes as external
 * ones.
 */

export const listKpiDashboards = route({
  ...paths.listKpiDashboards,
  summary: 'Dashboards that the caller may see; none for customers, who have no access to /kpi',
  answer: z.array(z.object({ id: z.string(), name: z.string() })),
  errors: ['session-expired'],
  access: { kind: 'signed-in' },
})

export const getKpiDashboard = route({
  ...paths.getKpiDashboard,
  summary: 'Address for embedding a dashboard: valid for 5 minutes, only for this dashboard and the caller’s scope',
  params: z.object({ id: line(60) }),
  answer: z.object({
    /** Absolute, or starting with `/`. The built-in dashboard's token is in the fragment, which servers never log. */
    dashboardEmbedUrl: z.string(),
    expiresAt: instant,
  }),
  errors: ['session-expired', 'not-found'],
  access: { kind: 'signed-in' },
})

/** Type of a column: decides alignment, format and file output. Times are in seconds, shares from 0 to 1. */
const column = z.object({
  key: z.string(),
  label: z.string(),
  kind: z.enum(['text', 'number', 'seconds', 'share', 'day', 'instant']),
})

/** One KPI as a table; chart, export and print all use it. */
export const kpiTable = z.object({
  measure: z.enum(kpiMeasures),
  columns: z.array(column),
  rows: z.array(z.array(z.union([z.string(), z.number(), z.null()]))),
  /** A note for readers, such as the date when measuring began; null if there is none. */
  note: z.string().nullable(),
})
export type KpiTable = z.output<typeof kpiTable>

export const getKpiTable = route({
  ...paths.getKpiTable,
  summary:
    'One measure of the built-in dashboard for the days from–to (inclusive, UTC), for all or some customers in scope',
  params: z.object({ measure: z.enum(kpiMeasures) }),
  query: z.strictObject({
    from: calendarDate,
    to: calendarDate,
    /** Customer names as a JSON list. Names outside the scope match nothing. */
    customers: text(20_000).optional(),
  }),
  answer: kpiTable,
  // The tables of a dashboard are computed a few at a time, and each may count a year of events.
  answerSeconds: 60,
  errors: ['session-expired', 'invalid-parameter'],
  access: { kind: 'kpi-embed' },
})

export const listKpiCustomers = route({
  ...paths.listKpiCustomers,
  summary: 'Customers in scope for the filter, by name',
  answer: z.array(z.string()),
  errors: ['session-expired'],
  access: { kind: 'kpi-embed' },
})
