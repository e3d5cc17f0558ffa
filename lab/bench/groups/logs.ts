import type { LogHit } from '@benchwatch/contract/instruments/logs'
import type { LogType } from '@benchwatch/contract/vocabulary'
import {
  busiestOf,
  computersOf,
  FREQUENT_LOG_WORD,
  loadClickhouseLines,
  loadLogLines,
  RARE_LOG_WORD,
} from '../../generate/log-lines.ts'
import { type Fixture, measureTimes } from '../fixture.ts'
import { goals } from '../goals.ts'

const LINES = 5_000_000
/** With ClickHouse, there are ten lines for each event. */
const CLICKHOUSE_LINES_PER_EVENT = 10
const DAY_MS = 86_400_000

interface Subject {
  id: number
  installedProductId: string
  customer: string
  /** Visible to the viewer with sixty customers. */
  ofSixty: boolean
}

/** A page of lines as hand-written SQL asks for it. */
interface Lines {
  size: number
  conditions: string[]
}

/** One kind of request: the work of a sample, and the page alone in hand-written SQL. */
interface Question {
  name: string
  /** Restricts the subjects; all are used by default. */
  only?: (subject: Subject) => boolean
  ask(subject: Subject, at: Date): Promise<unknown>
  floor?: (subject: Subject, at: Date) => Lines
}

/**
 * Measures reading logs among five million lines, or among ten for each event with ClickHouse, for the ten instruments
 * with the most lines (each has a fiftieth), at different times of the last 90 days. The lines are generated if they are
 * missing, which takes two minutes.
 */
export async function measureLogs(fixture: Fixture): Promise<void> {
  const subjects = await prepareLines(fixture)
  const moment = (index: number) =>
    new Date(Date.parse(fixture.data.now) - 91 * DAY_MS + ((index * 7919) % 90) * DAY_MS)
  for (const { name, only = () => true, ask, floor } of questionsFor(fixture)) {
    const asked = subjects.filter(only)
    if (asked.length === 0) continue
    const subject = (index: number) => asked[index % asked.length] as Subject
    await measureTimes(fixture, {
      ...{ group: 'logs', name, goal: fixture.clickhouse ? goals.clickhouseLogs : goals.logs },
      ask: (index) => ask(subject(index), moment(index)),
      floor: floor && {
        how: 'the lines alone',
        ask: (index) => floorOf(fixture, floor(subject(index), moment(index))),
      },
    })
  }
}

/** The lines by hand: the same statement in the database that holds them. */
function floorOf({ sql, clickhouse }: Fixture, { size, conditions }: Lines): Promise<unknown> {
  const where = conditions.join(' AND ')
  return clickhouse
    ? clickhouse.ask(
        `SELECT * FROM log_line_v1 WHERE ${where} ORDER BY ts DESC, id DESC LIMIT ${size} FORMAT JSONCompact`,
      )
    : sql.query(`SELECT * FROM log_entry WHERE ${where} ORDER BY ts DESC, id DESC LIMIT ${size}`)
}

async function prepareLines({ sql, data, clickhouse }: Fixture): Promise<Subject[]> {
  const { rows } = await sql.query<Subject>(
    `
    SELECT i.id, i.installed_product_id AS "installedProductId", c.name AS customer,
      EXISTS (SELECT FROM user_customer u JOIN app_user a ON a.id = u.user_id
        WHERE u.customer_id = c.id AND a.login = $1) AS "ofSixty"
    FROM instrument i JOIN customer c ON c.id = i.customer_id ORDER BY i.id`,
    [data.logins.sixty],
  )
  const instruments = rows.map(({ id }) => id)
  const busiest = new Set(busiestOf(instruments))
  const subjects = rows.filter(({ id }) => busiest.has(id))
  const input = { now: Date.parse(data.now), seed: data.seed, instruments }
  if (clickhouse) {
    const count = data.events * CLICKHOUSE_LINES_PER_EVENT
    await loadLogLines(sql, { ...input, count: 0 })
    await loadClickhouseLines(clickhouse, { ...input, count })
    return subjects
  }
  const present = await sql.query<{ lines: number }>('SELECT count(*) AS lines FROM log_entry')
  if ((present.rows[0]?.lines ?? 0) < LINES) {
    console.log(`making ${LINES} log lines …`)
    await loadLogLines(sql, { ...input, count: LINES })
  }
  return subjects
}

function questionsFor({ clients, clickhouse }: Fixture): Question[] {
  const read = async (query: Record<string, string>, client = clients.all): Promise<LogHit[]> => {
    const path = query['searchString'] === undefined ? '/api/instrument-logs' : '/api/instrument-logs/highlight'
    const answer = await client.call<{ body: { hits: { hits: LogHit[] } } }>(
      'GET',
      `${path}?${new URLSearchParams(query).toString()}`,
    )
    return answer.body.hits.hits
  }
  const ofLog = ({ installedProductId }: Subject, logType: LogType = 'VID') => ({
    logType,
    instrumentInstalledProductId: installedProductId,
  })
  /** The range around an event of 3-decisions 4: from days before it to two seconds after it. */
  const around = (at: Date, days: number) => ({
    timeGreaterThan: new Date(at.getTime() - days * DAY_MS).toISOString(),
    timeLessThan: new Date(at.getTime() + 2000).toISOString(),
  })
  const after = (line: LogHit | undefined): Record<string, string> =>
    line ? { openSearchTimeStamp: String(line.sort[0]), openSearchLogId: line.sort[1] } : {}
  // A time is a timestamp in PostgreSQL and a number of milliseconds in ClickHouse.
  const instant = (milliseconds: number) =>
    clickhouse ? String(milliseconds) : `'${new Date(milliseconds).toISOString()}'`
  const byHand = ({ id }: Subject, size: number, conditions: string[] = []): Lines => ({
    size,
    conditions: [`instrument_id = ${id}`, "log_type = 'VID'", ...conditions],
  })
  const until = (at: Date) => [`ts < ${instant(at.getTime())}`]
  const within = (at: Date, days: number) => [...until(at), `ts >= ${instant(at.getTime() - days * DAY_MS)}`]
  const search = (word: string, days: number): Question => ({
    name: `search of a ${word === RARE_LOG_WORD ? 'rare' : 'frequent'} word, ${days} days`,
    ask: (subject, at) => read({ ...ofLog(subject), ...around(at, days), searchString: word }),
    floor: (subject, at) => byHand(subject, 6, [...within(at, days), `message ILIKE '%${word}%'`]),
  })
  return [
    {
      name: 'newest 6 lines',
      ask: (subject) => read(ofLog(subject)),
      floor: (subject) => byHand(subject, 6),
    },
    {
      name: 'newest 6 lines, 60 customers',
      only: ({ ofSixty }) => ofSixty,
      ask: (subject) => read(ofLog(subject), clients.sixty),
      floor: (subject) => byHand(subject, 6),
    },
    {
      name: '6 lines up to an event',
      ask: (subject, at) => read({ ...ofLog(subject), ...around(at, 1) }),
      floor: (subject, at) => byHand(subject, 6, within(at, 1)),
    },
    {
      name: '6 lines up to an event and 5 older ones',
      async ask(subject, at) {
        const [line] = (await read({ ...ofLog(subject), ...around(at, 90) })).slice(-1)
        return read({ ...ofLog(subject), ...after(line), size: '5' })
      },
      floor: (subject, at) => byHand(subject, 11, until(at)),
    },
    {
      name: '10 lines of a week',
      ask: (subject, at) => read({ ...ofLog(subject), ...around(at, 7), size: '10' }),
      floor: (subject, at) => byHand(subject, 10, within(at, 7)),
    },
    {
      name: '3 lines either side of a line',
      async ask(subject, at) {
        const cursor = { ...ofLog(subject), openSearchTimeStamp: String(at.getTime()), openSearchLogId: '0', size: '3' }
        return Promise.all([read({ ...cursor, order: 'DESC' }), read({ ...cursor, order: 'ASC' })])
      },
      floor: (subject, at) => byHand(subject, 6, until(at)),
    },
    search(RARE_LOG_WORD, 7),
    search(FREQUENT_LOG_WORD, 7),
    search(RARE_LOG_WORD, 90),
    search(FREQUENT_LOG_WORD, 90),
    {
      name: 'log of a client at an instrument',
      ask: (subject) =>
        read({ ...ofLog(subject, 'UNICORNCLIENT'), computerName: computersOf(subject.id).clients[0] as string }),
    },
    {
      name: 'log of a client at all instruments of a customer',
      ask: ({ id, customer }) =>
        read({
          ...{ logType: 'UNICORNCLIENT', enterprise: customer },
          computerName: computersOf(id).clients[0] as string,
        }),
    },
    ...[1, 90].map((days) => ({
      name: `lines over time, ${days === 1 ? 'a day' : `${days} days`}`,
      ask: (subject: Subject, at: Date) => {
        const query = new URLSearchParams({ ...ofLog(subject), ...around(at, days), parts: '48' })
        return clients.all.call('GET', `/api/instrument-logs/counts?${query.toString()}`)
      },
    })),
    {
      name: 'which logs there are',
      ask: ({ installedProductId }) =>
        clients.all.call('GET', `/api/instrument-logs/available?instrumentInstalledProductId=${installedProductId}`),
    },
  ]
}
