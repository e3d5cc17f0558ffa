import { type Fixture, measureTimes } from '../fixture.ts'
import { goals } from '../goals.ts'
import { askCounts, askList, rangeOf } from '../searches.ts'

/** A run of an instrument that has events, from its beginning to its end. */
interface Subject {
  run: string
  installedProductId: string
  start: Date
  stop: Date
  /** Visible to the viewer with sixty customers. */
  ofSixty: boolean
}

const SUBJECTS = 300
const DAY_MS = 86_400_000

/**
 * Measures what people ask about a run: its events, its lines, its instrument meanwhile, and the counts that filters show
 * beside millions of runs. It needs data of `generate --running`.
 */
export async function measureRuns(fixture: Fixture): Promise<void> {
  const { sql, clients, data } = fixture
  const { rows: subjects } = await sql.query<Subject>(
    `SELECT r.name AS run, i.installed_product_id AS "installedProductId", h.at AS start,
       h.at + interval '8 h' AS stop, i.customer_id IN (SELECT customer_id FROM user_customer u
         JOIN app_user a ON a.id = u.user_id WHERE a.login = $1) AS "ofSixty"
     FROM (SELECT DISTINCT run_id FROM service_event WHERE run_id IS NOT NULL ORDER BY run_id LIMIT 100000) AS e
     JOIN run r ON r.id = e.run_id JOIN instrument_status_history h ON h.run_id = r.id AND h.epoch = 0
     JOIN instrument i ON i.id = h.instrument_id ORDER BY r.id % 1009, r.id LIMIT ${SUBJECTS}`,
    [data.logins.sixty],
  )
  if (subjects.length === 0) {
    console.log('These data have no runs: make them with npm run lab -- generate --running 1000.')
    return
  }
  const ofSixty = subjects.filter((subject) => subject.ofSixty)
  const at = (list: readonly Subject[], index: number) => list[index % list.length] as Subject
  const range = rangeOf('unbounded')
  const questions: { name: string; goal?: { atMost: number }; ask(subject: Subject): Promise<unknown> }[] = [
    {
      name: 'all events of a run',
      goal: goals.run,
      ask: ({ run }) => askList(clients.all, { range, filter: { run: [run] } }),
    },
    {
      name: 'events of 7 days without those of a run',
      ask: ({ run }) => askList(clients.all, { range: rangeOf('7 days'), filter: { 'run!': [run] } }),
    },
    {
      name: 'counts of filter values beside a run',
      ask: ({ run }) => askCounts(clients.all, { range, filter: { run: [run] } }),
    },
    {
      name: 'time line of a week around a run',
      goal: goals.run,
      ask: ({ installedProductId, stop }) => {
        const query = new URLSearchParams({
          start: new Date(stop.getTime() - 7 * DAY_MS).toISOString(),
          stop: stop.toISOString(),
        })
        return clients.all.call('GET', `/api/instruments/${installedProductId}/timeline?${query.toString()}`)
      },
    },
    {
      name: 'lines of a run',
      goal: goals.run,
      ask: ({ installedProductId, start, stop }) => {
        const query = new URLSearchParams({
          ...{ logType: 'VID', instrumentInstalledProductId: installedProductId },
          ...{ timeGreaterThan: start.toISOString(), timeLessThan: stop.toISOString() },
        })
        return clients.all.call('GET', `/api/instrument-logs?${query.toString()}`)
      },
    },
    {
      name: 'logs and runs of an instrument',
      goal: goals.run,
      ask: ({ installedProductId }) =>
        clients.all.call('GET', `/api/instrument-logs/available?instrumentInstalledProductId=${installedProductId}`),
    },
    { name: 'values of filters', goal: goals.run, ask: () => clients.all.call('GET', '/api/users/me/filters') },
    {
      name: 'values of filters, one customer',
      goal: goals.run,
      ask: () => clients.one.call('GET', '/api/users/me/filters'),
    },
  ]
  for (const { name, goal, ask } of questions)
    await measureTimes(fixture, { group: 'runs', name, goal, ask: (index) => ask(at(subjects, index)) })
  if (ofSixty.length === 0) return
  await measureTimes(fixture, {
    ...{ group: 'runs', name: 'all events of a run, 60 customers', goal: goals.run },
    ask: (index) => askList(clients.sixty, { range, filter: { run: [at(ofSixty, index).run] } }),
  })
}
