import { setTimeout as pause } from 'node:timers/promises'
import { kpiMeasures } from '@benchwatch/contract/vocabulary'
import type { Client } from 'pg'
import { type ApiClient, apiClient } from '../../product/api-client.ts'
import { type Fixture, measureTimes, reportTimes } from '../fixture.ts'
import { goals } from '../goals.ts'
import { askList, rangeOf } from '../searches.ts'

const DAY_MS = 86_400_000
const LOOK_EVERY_MS = 500
/** The longest wait for the forecasts. */
const FORECASTS_MS = 120_000
const SOME_CUSTOMERS = 10
const group = 'kpi'
const TABLES = '/api/kpi-embed/tables'

/**
 * Measures the built-in dashboard as its page requests it: every table, a whole dashboard at once, and a list at the
 * same time. The use of parts is generated first, which takes half a minute, and then all forecasts.
 */
export async function measureKpi(fixture: Fixture): Promise<void> {
  const { clients } = fixture
  await measureForecasts(fixture)
  const customers = (
    await openDashboard(fixture).then((page) => page.call<string[]>('GET', '/api/kpi-embed/customers'))
  )
    .slice(SOME_CUSTOMERS, 2 * SOME_CUSTOMERS)
    .sort()
  await measureTimes(fixture, {
    group,
    name: 'which dashboards there are',
    ask: () => clients.all.call('GET', '/api/kpi/urls'),
  })
  for (const table of kpiMeasures) {
    // A token of the dashboard is valid for five minutes.
    const page = await openDashboard(fixture)
    const ask = (days: number, of?: string[]) => () => page.call('GET', `${TABLES}/${table}?${rangeQuery(days, of)}`)
    const goal = table === 'response' ? goals.kpiSummary : goals.kpiTable
    const measures = [
      { name: '30 days', ask: ask(30) },
      { name: '90 days', ask: ask(90) },
      { name: '365 days', ask: ask(365), goal },
      { name: `365 days of ${SOME_CUSTOMERS} customers`, ask: ask(365, customers), goal },
      { name: '365 days of 1 customer', ask: ask(365, customers.slice(0, 1)), goal },
    ]
    for (const one of measures) await measureTimes(fixture, { group, ...one, name: `${table}, ${one.name}` })
    page.close()
  }
  await measureBeside(fixture, 1)
  await measureBeside(fixture, 10)
}

async function measureForecasts({ sql, report }: Fixture): Promise<void> {
  await sql.query(
    "INSERT INTO feature_flag VALUES ('ASSET_USAGE', NULL, true), ('FETCH_INSTRUMENT_COMPONENTS', NULL, true) ON CONFLICT DO NOTHING",
  )
  const parts = await loadUsageDays(sql)
  const begun = performance.now()
  while ((await waitingForForecasts(sql)) > 0) {
    if (performance.now() - begun > FORECASTS_MS)
      throw new Error('The forecasts are not made: see the log of the server.')
    await pause(LOOK_EVERY_MS)
  }
  const value = (performance.now() - begun) / 1000
  report({ group, name: 'until the use of all parts is foreseen', unit: 's', value, note: `${parts} parts` })
}

async function waitingForForecasts(sql: Client): Promise<number> {
  const { rows } = await sql.query<{ parts: number }>(
    'SELECT count(*) AS parts FROM component_usage WHERE forecast_on IS NULL',
  )
  return rows[0]?.parts ?? 0
}

/** Measures the dashboards of this many users who open them at once over a year, and a colleague's lists meanwhile. */
async function measureBeside(fixture: Fixture, people: number): Promise<void> {
  const { admin, report } = fixture
  const page = await openDashboard(fixture)
  const begun = performance.now()
  let isOpen = false
  const dashboards = Promise.all(
    Array.from({ length: people }, () =>
      Promise.all(kpiMeasures.map((table) => page.call('GET', `${TABLES}/${table}?${rangeQuery(365)}`))),
    ),
  ).finally(() => {
    isOpen = true
  })
  const times: number[] = []
  while (!isOpen) {
    const asked = performance.now()
    await askList(admin, { range: rangeOf('7 days') })
    times.push(performance.now() - asked)
  }
  await dashboards
  const who = people === 1 ? 'a dashboard' : `${people} dashboards`
  const seconds = (performance.now() - begun) / 1000
  report({ group, name: `${who} of 365 days, until the last table`, unit: 's', value: seconds })
  reportTimes(fixture, { group, name: `list, 7 days, beside ${who}`, times, goal: goals.listBesideKpi })
  page.close()
}

/** Returns a client with the token of a dashboard's page. */
async function openDashboard({ clients, product }: Fixture): Promise<ApiClient> {
  const { dashboardEmbedUrl } = await clients.all.call<{ dashboardEmbedUrl: string }>('GET', '/api/kpi/overview')
  return apiClient({ baseUrl: product.baseUrl, bearer: dashboardEmbedUrl.split('#token=')[1] ?? '' })
}

function rangeQuery(days: number, customers?: readonly string[]): string {
  const day = (ago: number) => new Date(Date.now() - ago * DAY_MS).toISOString().slice(0, 10)
  return new URLSearchParams({
    ...{ from: day(days - 1), to: day(0) },
    ...(customers && { customers: JSON.stringify(customers) }),
  }).toString()
}

/** The size of the generated use of parts: parts of each instrument, each with one metric on this many days. */
const USAGE_PARTS = 4
const USAGE_DAYS = 100

/**
 * Generates the daily use of every instrument's parts up to now, at 1 to 7 a day towards a maximum of 1000, so that
 * some are due soon and others in years. Returns the number of parts.
 */
async function loadUsageDays(sql: Client): Promise<number> {
  const parts = `instrument i, generate_series(1, ${USAGE_PARTS}) AS k`
  const name = `'Pump ' || k || ' (P9-' || k || ')'`
  const today = '(i.id * 7 + k * 131) % 1000'
  await sql.query('BEGIN')
  await sql.query(`
    INSERT INTO component_usage_day (instrument_id, component_name, metric, day, epoch, sequence, value)
    SELECT i.id, ${name}, 'Volume', (now() AT TIME ZONE 'UTC')::date - ago, 1, 1, ${today} - ago * (1 + i.id % 7)
    FROM ${parts}, generate_series(0, ${USAGE_DAYS - 1}) AS ago
    ON CONFLICT (instrument_id, component_name, metric, day) DO UPDATE SET value = excluded.value`)
  const { rowCount } = await sql.query(`
    INSERT INTO component_usage (instrument_id, component_name, sampled_at, epoch, sequence, usage, info, details)
    SELECT i.id, ${name}, now(), 1, 1, jsonb_build_array(jsonb_build_object('metric', 'Volume', 'unit', 'L',
      'value', ${today}, 'thresholdRule', 'MAXIMUM_USAGE', 'thresholdValues', jsonb_build_array(1000))), '[]', '[]'
    FROM ${parts}
    ON CONFLICT (instrument_id, component_name) DO UPDATE SET forecast_on = NULL`)
  await sql.query('COMMIT')
  await sql.query('VACUUM (ANALYZE) component_usage, component_usage_day')
  return rowCount ?? 0
}
