import type { Client } from 'pg'
import type { BenchData } from '../generate/bench-data.ts'
import { FREQUENT_WORD } from '../generate/event-texts.ts'
import { claimFor, type Fixture, openFixture, takeNewEvents } from './fixture.ts'
import { GatewaySender } from './gateway-sender.ts'
import { askInstruments } from './groups/instruments.ts'
import { askCounts, askList, rangeOf } from './searches.ts'
import { tidy } from './tidy.ts'

/** The most frequent and the most expensive requests; each is sent three times and the last plans are printed. */
const questions: readonly { name: string; ask(fixture: Fixture, turn: number): Promise<unknown> }[] = [
  { name: 'list, 7 days', ask: ({ clients }) => askList(clients.all, { range: rangeOf('7 days') }) },
  { name: 'list, unbounded', ask: ({ clients }) => askList(clients.all, { range: rangeOf('unbounded') }) },
  { name: 'list, 1 year, 60 customers', ask: ({ clients }) => askList(clients.sixty, { range: rangeOf('1 year') }) },
  {
    name: 'list, 1 year, by severity and type',
    ask: ({ clients }) =>
      askList(clients.all, { range: rangeOf('1 year'), filter: { severity: ['high'], instrumentType: ['AKTAPure'] } }),
  },
  {
    name: 'list, 1 year, without a severity and a type',
    ask: ({ clients }) =>
      askList(clients.all, {
        range: rangeOf('1 year'),
        filter: { 'severity!': ['low'], 'instrumentType!': ['AKTAPure'] },
      }),
  },
  {
    name: 'keyword, 7 days',
    ask: ({ clients }) => askList(clients.all, { range: rangeOf('7 days'), query: { keyword: FREQUENT_WORD } }),
  },
  {
    name: 'offset 50,000, unbounded',
    ask: ({ clients }) => askList(clients.all, { range: rangeOf('unbounded'), query: { offset: '50000' } }),
  },
  {
    name: 'by customer, unbounded',
    ask: ({ clients }) => askList(clients.all, { range: rangeOf('unbounded'), query: { orderBy: 'enterpriseName' } }),
  },
  {
    name: 'events of a run, 60 customers',
    ask: async ({ clients, sql }) =>
      askList(clients.sixty, { range: rangeOf('unbounded'), filter: { run: [(await newestRun(sql)).run] } }),
  },
  {
    name: 'time line of an instrument with runs, 7 days',
    ask: async ({ clients, sql }) =>
      clients.all.call('GET', `/api/instruments/${(await newestRun(sql)).installedProductId}/timeline`),
  },
  {
    name: 'logs and runs of an instrument',
    ask: async ({ clients, sql }) =>
      clients.all.call(
        'GET',
        `/api/instrument-logs/available?instrumentInstalledProductId=${(await newestRun(sql)).installedProductId}`,
      ),
  },
  { name: 'values of filters, one customer', ask: ({ clients }) => clients.one.call('GET', '/api/users/me/filters') },
  {
    name: 'counts of filter values, 30 days, 60 customers',
    ask: ({ clients }) => askCounts(clients.sixty, { range: rangeOf('30 days') }),
  },
  {
    name: 'outcomes of an error, 60 customers',
    async ask({ clients }) {
      const { values } = await askList(clients.sixty, { range: rangeOf('7 days') })
      return clients.sixty.call('GET', `/api/alarms/${values[0]?.alarm.id}/outcomes`)
    },
  },
  {
    name: 'list, unbounded, by time left',
    ask: ({ clients }) => askList(clients.all, { range: rangeOf('unbounded'), query: { orderBy: 'contractClock' } }),
  },
  {
    name: 'instruments by trouble',
    ask: ({ clients }) => askInstruments(clients.all, { query: { orderBy: 'trouble' } }),
  },
  { name: 'instruments', ask: ({ clients }) => askInstruments(clients.all, {}) },
  {
    name: 'instruments by open events',
    ask: ({ clients }) => askInstruments(clients.all, { query: { orderBy: 'eventCount', order: 'DESC' } }),
  },
  {
    name: 'instruments by customer, last page',
    ask: ({ clients }) =>
      askInstruments(clients.all, {
        query: { orderBy: 'instrumentCustomer', offset: '40000' },
      }),
  },
  {
    name: 'instruments by keyword',
    ask: ({ clients }) => askInstruments(clients.all, { query: { keyword: 'akta sweden' } }),
  },
  {
    name: 'claim',
    async ask({ clients, sql, data }, turn) {
      const event = (await takeNewEvents(sql, 40))[turn]
      return clients.all.call('PUT', `/api/alarms/${event}`, await claimFor(sql, data.logins.all))
    },
  },
  {
    name: 'ingest, a batch of 100',
    async ask({ product, data }) {
      const [gateway] = data.gateways
      if (!gateway) throw new Error('There is no gateway.')
      const sender = new GatewaySender(product.baseUrl, gateway)
      await sender.send(sender.alarms(100))
      sender.close()
    },
  },
]

/** Returns the newest run with its instrument; without runs, a name that none has and any instrument. */
async function newestRun(sql: Client): Promise<{ run: string; installedProductId: string }> {
  const { rows } = await sql.query<{ run: string; installedProductId: string }>(
    `SELECT coalesce(r.name, 'none') AS run, i.installed_product_id AS "installedProductId"
     FROM instrument i LEFT JOIN run r ON r.id = i.run_id ORDER BY i.run_id DESC NULLS LAST, i.id LIMIT 1`,
  )
  return rows[0] ?? { run: 'none', installedProductId: '' }
}

/** One statement as the database executed it. */
interface ExecutedStatement {
  ms: number
  text: string
  plan: string
}

/** Plans show how PostgreSQL searches, so no other engine may answer. */
const inPostgres = {
  engine: 'postgres',
  clickhouse: null,
  sampling: { samples: 10, seconds: 1 },
  report: () => undefined,
} as const

/** The number of statements printed for each request, the slowest first. */
const PRINTED = 2
/** The longest printed text of a statement; its plan says the rest. */
const LONGEST_TEXT = 900

/**
 * Prints how PostgreSQL executes the product's own statements with real values: auto_explain logs every statement while
 * the product answers, so no copy of the code can become outdated.
 */
export async function printPlans(data: BenchData, dataDir: string): Promise<void> {
  const lines: string[] = []
  await explainAll(dataDir, data, true)
  const fixture = await openFixture(data, {
    dataDir,
    ...inPostgres,
    environment: { LOG_LEVEL: 'debug' },
    onLog: (line) => lines.push(line),
  })
  try {
    await fixture.sql.query('SET auto_explain.log_min_duration = -1')
    for (const { name, ask } of questions) {
      for (let turn = 0; turn < 3; turn++) {
        lines.length = 0
        await ask(fixture, turn)
      }
      await fixture.sql.query('SELECT 1')
      print(name, readPlans(lines))
    }
  } finally {
    await fixture.close()
    await explainAll(dataDir, data, false)
    await tidy(dataDir, data)
  }
}

function print(name: string, statements: readonly ExecutedStatement[]): void {
  const longest = [...statements].sort((a, b) => b.ms - a.ms)
  const total = statements.reduce((sum, { ms }) => sum + ms, 0)
  console.log(`\n## ${name}: ${statements.length} statements, ${total.toFixed(1)} ms in the database\n`)
  for (const { ms, text, plan } of longest.slice(0, PRINTED)) {
    const short = text.replace(/\s+/g, ' ')
    console.log(
      `${ms.toFixed(2)} ms: ${short.length > LONGEST_TEXT ? `${short.slice(0, LONGEST_TEXT)} …` : short}\n${plan}\n`,
    )
  }
}

/** Reads statements and plans from lines of the server's log, as auto_explain writes them. */
function readPlans(lines: readonly string[]): ExecutedStatement[] {
  const text = lines.map(postgresLine).join('\n')
  return text.split(/^(?=LOG: {2}duration: )/m).flatMap((part) => {
    const found =
      /^LOG: {2}duration: ([\d.]+) ms {2}plan:\n\s*Query Text: ([\s\S]*?)\n((?:Query Parameters:.*\n)?\t?[^\n]*\(cost=[\s\S]*)/.exec(
        part,
      )
    if (!found) return []
    const [, ms = '', statement = '', plan = ''] = found
    return [{ ms: Number(ms), text: statement, plan: plan.replace(/^\t/gm, '').trimEnd() }]
  })
}

/** Returns the line of PostgreSQL in a record of the server's log, or '' for any other record. */
function postgresLine(line: string): string {
  if (!line.startsWith('{')) return ''
  const { line: said } = JSON.parse(line) as { line?: string }
  return said ?? ''
}

async function explainAll(dataDir: string, data: BenchData, on: boolean): Promise<void> {
  const settings = {
    session_preload_libraries: 'auto_explain',
    'auto_explain.log_min_duration': '0',
    'auto_explain.log_analyze': 'on',
    'auto_explain.log_buffers': 'on',
    'auto_explain.log_timing': 'on',
    'auto_explain.log_parameter_max_length': '0',
    'auto_explain.log_level': 'log',
  }
  const fixture = await openFixture(data, { dataDir, ...inPostgres })
  try {
    if (on) await setAll(fixture.sql, settings)
    else await fixture.sql.query('ALTER SYSTEM RESET ALL')
  } finally {
    await fixture.close()
  }
}

async function setAll(sql: Client, settings: Record<string, string>): Promise<void> {
  await sql.query("LOAD 'auto_explain'")
  for (const [name, value] of Object.entries(settings)) await sql.query(`ALTER SYSTEM SET ${name} = '${value}'`)
}
