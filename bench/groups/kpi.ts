import { setTimeout as pause } from 'node:timers/promises'
import { kpiMeasures } from '@benchwatch/contract/vocabulary'
import type { Client } from 'pg'
import { loadUsageDays } from '../generate/usage-days.ts'
import { goals } from '../measure/goals.ts'
import type { Goal } from '../measure/measure.ts'
import { summarise } from '../measure/percentiles.ts'
import { samplePair, type Timed } from '../measure/sampling.ts'
import { type ApiClient, apiClient } from '../product/api-client.ts'
import type { Scene } from '../scene/scene.ts'
import { askList, rangeOf } from '../scene/searches.ts'

const DAY_MS = 86_400_000
const LOOK_EVERY_MS = 500
/** Beyond it the forecasts do not come. */
const FORECASTS_MS = 120_000
const SOME_CUSTOMERS = 10
const TABLES = '/api/kpi-embed/tables'

/**
 * The built-in dashboard as its page asks for it: every table, a whole dashboard at once, and a list beside it. The use of
 * parts is made first, which takes half a minute, and the forecasts of all of them.
 */
export async function measureKpi(scene: Scene): Promise<void> {
  const { clients } = scene
  await measureForecasts(scene)
  const customers = (await openDashboard(scene).then((page) => page.call<string[]>('GET', '/api/kpi-embed/customers')))
    .slice(SOME_CUSTOMERS, 2 * SOME_CUSTOMERS)
    .sort()
  await measure(scene, { name: 'which dashboards there are', ask: () => clients.all.call('GET', '/api/kpi/urls') })
  for (const table of kpiMeasures) {
    // A token of the dashboard is good for five minutes.
    const page = await openDashboard(scene)
    const ask = (days: number, of?: string[]) => () => page.call('GET', `${TABLES}/${table}?${rangeQuery(days, of)}`)
    const goal = table === 'response' ? goals.kpiSummary : goals.kpiTable
    await measure(scene, { name: `${table}, 30 days`, ask: ask(30) })
    await measure(scene, { name: `${table}, 90 days`, ask: ask(90) })
    await measure(scene, { name: `${table}, 365 days`, ask: ask(365), goal })
    await measure(scene, { name: `${table}, 365 days of ${SOME_CUSTOMERS} customers`, ask: ask(365, customers), goal })
    await measure(scene, { name: `${table}, 365 days of 1 customer`, ask: ask(365, customers.slice(0, 1)), goal })
    page.close()
  }
  await measureBeside(scene, 1)
  await measureBeside(scene, 10)
}

async function measureForecasts({ sql, report }: Scene): Promise<void> {
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
  report({ group: 'kpi', name: 'until the use of all parts is foreseen', unit: 's', value, note: `${parts} parts` })
}

async function waitingForForecasts(sql: Client): Promise<number> {
  const { rows } = await sql.query<{ parts: number }>(
    'SELECT count(*) AS parts FROM component_usage WHERE forecast_on IS NULL',
  )
  return rows[0]?.parts ?? 0
}

/** The dashboards of so many people who all open them over a year, and of a colleague's lists meanwhile. */
async function measureBeside(scene: Scene, people: number): Promise<void> {
  const { admin, report } = scene
  const page = await openDashboard(scene)
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
  report({ group: 'kpi', name: `${who} of 365 days, until the last table`, unit: 's', value: seconds })
  const summary = summarise(times)
  const name = `list, 7 days, beside ${who}`
  report({ group: 'kpi', name, unit: 'ms', value: summary.p95, summary, goal: goals.listBesideKpi })
  page.close()
}

interface Asked {
  name: string
  ask: Timed
  goal?: Goal
}

async function measure({ sampling, report }: Scene, { name, ask, goal }: Asked): Promise<void> {
  const { product: summary } = await samplePair({ product: ask }, sampling)
  report({ group: 'kpi', name, unit: 'ms', value: summary.p95, summary, ...(goal && { goal }) })
}

/** A client with the token of a dashboard's page. */
async function openDashboard({ clients, product }: Scene): Promise<ApiClient> {
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
