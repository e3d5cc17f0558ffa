import { type LogType, logTypes } from '@benchwatch/contract/vocabulary'
import { type SeededRandom, seededRandom } from '@benchwatch/samples/seeded-random'
import type { Client } from 'pg'
import type { ClickhouseProcess } from '../product/clickhouse-process.ts'
import { type CopyValue, copyLines } from './copy-lines.ts'

/** The log lines to generate. */
interface LogLinesInput {
  count: number
  /** The time of the newest line, in milliseconds since 1970. */
  now: number
  seed: string
  /** Database ids. */
  instruments: readonly number[]
}

/** Less than the 400 days that the product keeps, so that it deletes none while the data are in use. */
const DAYS = 360
const DAY_MS = 86_400_000
/** This many instruments write this share of all lines: 100,000 each of five million. */
const BUSIEST = 10
const BUSIEST_SHARE = 0.2

/** The share of each log in all lines. */
const shares: readonly (readonly [LogType, number])[] = [
  ['VID', 0.36],
  ['COMM', 0.2],
  ['AUDITTRAIL', 0.12],
  ['UNICORNCLIENT', 0.12],
  ['INSTRUMENTSERVER', 0.08],
  ['WINDOWSSYSTEMEVENT', 0.05],
  ['EVENT', 0.03],
  ['CONNECTIVITY', 0.02],
  ['THRESHOLD', 0.01],
  ['SYSTEMREPORT', 0.01],
]

/** A word in one line of 2,000, and one in every fifth. */
export const RARE_LOG_WORD = 'autozero'
export const FREQUENT_LOG_WORD = 'pressure'

const texts = [
  (random: SeededRandom) =>
    `PreC pressure ${random.between(0.1, 2.6).toFixed(2)} MPa, flow ${random.integer(1, 150)} ml/min`,
  (random: SeededRandom) => `Instruction queue loaded, ${random.integer(12, 240)} instructions, 0 retries`,
  (random: SeededRandom) => `Node answered in ${random.integer(3, 19)} ms, firmware accepted`,
  (random: SeededRandom) =>
    `Method run “mAb capture ${random.integer(1, 90)}” started by operator, column volume ${random.integer(1, 400)} ml`,
  (random: SeededRandom) =>
    `Call ${random.integer(100_000, 999_999)}: Run.Start accepted in ${random.integer(8, 160)} ms`,
]

const columns = [
  ...['instrument_id', 'log_type', 'ts', 'message', 'module', 'level', 'event_code', 'user_name', 'hostname'],
  'received_at',
]
const modules = ['P9-A', 'P9-B', 'U9-M', 'C9', 'V9-Os', 'System']
const people = ['a.lindgren', 'j.okafor', 'm.rossi', 'y.tanaka']

/** Returns the computers of an instrument: two clients, whose names a laboratory shares, and its server. */
export function computersOf(instrumentId: number): { clients: string[]; server: string } {
  const laboratory = instrumentId % 500
  const client = (number: number) => `LAB${laboratory}-PC${String(number).padStart(3, '0')}`
  return { clients: [client(instrumentId % 4), client(4 + (instrumentId % 3))], server: `LAB${laboratory}-IS` }
}

/** Returns the instruments with the most lines. */
export function busiestOf(instruments: readonly number[]): readonly number[] {
  return instruments.slice(0, BUSIEST)
}

/**
 * Fills the table of log lines again, in the order in which lines would have arrived, and names each instrument's
 * computers. Its indexes are built afterwards.
 */
export async function loadLogLines(client: Client, input: LogLinesInput): Promise<void> {
  const { rows: indexes } = await client.query<{ indexname: string; indexdef: string }>(
    `SELECT indexname, replace(indexdef, ' ON ONLY ', ' ON ') AS indexdef FROM pg_indexes
     WHERE tablename = 'log_entry' AND indexname NOT IN (SELECT conname FROM pg_constraint)`,
  )
  await client.query('BEGIN')
  await client.query("SET LOCAL session_replication_role = 'replica'")
  for (const { indexname } of indexes) await client.query(`DROP INDEX ${indexname}`)
  await client.query('TRUNCATE log_entry RESTART IDENTITY')
  await copyLines(client, { table: 'log_entry_before', columns, options: 'FREEZE' }, logRows(input))
  await client.query("SET LOCAL maintenance_work_mem = '512MB'")
  for (const { indexdef } of indexes) await client.query(indexdef)
  await client.query('TRUNCATE instrument_software')
  await copyLines(
    client,
    {
      table: 'instrument_software',
      columns: ['instrument_id', 'reported_at', 'epoch', 'sequence', 'client_pc_names', 'instrument_server_pc_name'],
    },
    input.instruments.map((id) => {
      const { clients, server } = computersOf(id)
      return [id, new Date(input.now), 0, 0, `{${clients.join(',')}}`, server]
    }),
  )
  await client.query('COMMIT')
  await client.query('VACUUM (ANALYZE) log_entry')
}

/**
 * Fills the product's table of lines in ClickHouse, unless it holds as many. The engine makes them in the same shares,
 * and a minute is enough for a hundred million.
 */
export async function loadClickhouseLines(
  clickhouse: ClickhouseProcess,
  { count, now, instruments }: LogLinesInput,
): Promise<void> {
  if (Number(await clickhouse.ask('SELECT count() FROM log_line_v1')) === count) return
  console.log(`making ${count} log lines in ClickHouse …`)
  const random = (salt: number) => `cityHash64(number, ${salt}) / 18446744073709551616`
  const one = (list: string, salt: number) => `${list}[toUInt32(${random(salt)} * length(${list})) + 1]`
  const texts = (values: readonly string[]) => `[${values.map((value) => `'${value}'`).join(', ')}]`
  let sum = 0
  const types = shares.map(([type, share]) => `${random(3)} < ${(sum += share)}, '${type}'`)
  await clickhouse.ask('TRUNCATE TABLE log_line_v1')
  await clickhouse.ask(`
    INSERT INTO log_line_v1
    WITH ${numbers(busiestOf(instruments))} AS busiest, ${numbers(instruments)} AS instruments,
      if(${random(1)} < ${BUSIEST_SHARE}, ${one('busiest', 2)}, ${one('instruments', 2)}) AS instrument,
      multiIf(${types.join(', ')}, '${logTypes[0]}') AS type,
      toInt64(${now} - (${count} - number) * ${(DAYS * DAY_MS) / count}) AS at,
      concat('LAB', toString(instrument % 500)) AS laboratory,
      [concat('PreC pressure ', toString(round(${random(5)} * 2.5, 2)), ' MPa, flow ', toString(number % 150), ' ml/min'),
       concat('Instruction queue loaded, ', toString(number % 228), ' instructions, 0 retries'),
       concat('Node answered in ', toString(number % 17), ' ms, firmware accepted'),
       concat('Method run “mAb capture ', toString(number % 90), '” started by operator'),
       concat('Call ', toString(cityHash64(number, 6) % 900000 + 100000), ': Run.Start accepted in ', toString(number % 152), ' ms')] AS messages,
      concat(${one('messages', 7)}, if(${random(8)} < 0.0005, ', ${RARE_LOG_WORD}', '')) AS message
    SELECT number + 1, instrument, type, at, at + 4000, message, ${one(texts(modules), 9)},
      if(${random(10)} < 0.03, 'ERROR', 'INFO'), concat('L-', toString(number % 320 + 100)),
      if(${random(11)} < 0.3, ${one(texts(people), 12)}, NULL),
      concat(laboratory, if(type = 'UNICORNCLIENT', concat('-PC', leftPad(toString(
        if(${random(13)} < 0.5, instrument % 4, 4 + instrument % 3)), 3, '0')), '-IS')),
      lower(message)
    FROM numbers(${count})
    SETTINGS max_partitions_per_insert_block = 0, max_execution_time = 0, max_query_size = 1000000`)
  // Parts are merged later anyway; half-merged ones would make each run another.
  await clickhouse.ask('OPTIMIZE TABLE log_line_v1 FINAL')
}

function numbers(values: readonly number[]): string {
  return `[${values.join(', ')}]`
}

/** Generates the lines of the last `DAYS` days. */
function* logRows({ count, now, seed, instruments }: LogLinesInput): Generator<CopyValue[]> {
  const random = seededRandom(`${seed}/log lines`)
  const busiest = busiestOf(instruments)
  const step = (DAYS * DAY_MS) / count
  for (let index = 0; index < count; index++) {
    const at = now - Math.round((count - index) * step)
    const instrument = random.pick(random.chance(BUSIEST_SHARE) ? busiest : instruments)
    const type = typeAt(random.next())
    const { clients, server } = computersOf(instrument)
    const message = random.pick(texts)(random)
    yield [
      ...[instrument, type, new Date(at), random.chance(1 / 2000) ? `${message}, ${RARE_LOG_WORD}` : message],
      ...[random.pick(modules), random.chance(0.03) ? 'ERROR' : 'INFO', `L-${random.integer(100, 420)}`],
      random.chance(0.3) ? random.pick(people) : null,
      type === 'UNICORNCLIENT' ? random.pick(clients) : server,
      new Date(at + 4000),
    ]
  }
}

function typeAt(place: number): LogType {
  let sum = 0
  for (const [type, share] of shares) {
    sum += share
    if (place < sum) return type
  }
  return logTypes[0]
}
