import { mkdtemp, readFile, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { aFleet, demoSeed } from '@benchwatch/samples/fleet'
import { lastingSilences } from '@benchwatch/samples/simulator/outages'
import { sql } from 'kysely'
import { pino } from 'pino'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sealAudit } from '../db/audit.ts'
import { verifyAuditLog } from '../features/audit/audit.queries.ts'
import { passwordFits } from '../features/auth/credentials/password-hash.ts'
import { authenticateGateway } from '../features/ingest/gateway-keys.ts'
import { type TestDatabase, testDatabase } from '../testing/test-database.ts'
import { DEMO_PASSWORD } from './demo-people.ts'
import { seedDemo } from './seed-demo.ts'

const now = new Date('2026-11-20T14:00:00.000Z')
const log = pino({ level: 'silent' })
const brand = { product: 'Benchwatch', publicUrl: 'http://localhost:8080', supportEmail: 'support@benchwatch.example' }
/** A month of five customers: about 2,000 events. */
const small = { fleet: { customers: 5, instruments: 60 }, days: 30 }
let database: TestDatabase
let dataDir: string

beforeAll(async () => {
  database = await testDatabase()
  dataDir = await mkdtemp(join(tmpdir(), 'benchwatch-demo-'))
})
afterAll(() => rm(dataDir, { recursive: true, force: true }))

const count = async (from: string, where = 'true') => {
  const { rows } = await sql<{ n: number }>`SELECT count(*) AS n FROM ${sql.raw(from)} WHERE ${sql.raw(where)}`.execute(
    database.db,
  )
  return rows[0]?.n
}

// The first two tests create demo data, which takes seconds.
describe('demo data', () => {
  it('leave nothing behind when they fail halfway', async () => {
    const missing = join(dataDir, 'missing')
    await expect(
      seedDemo({ database, now, dataDir: missing, log, brand, fleet: { customers: 5, instruments: 20 }, days: 5 }),
    ).rejects.toThrow('ENOENT')
    for (const table of ['customer', 'instrument', 'service_event', 'log_entry', 'runtime_day', 'audit']) {
      expect([table, await count(table)]).toEqual([table, 0])
    }
    expect(await count('app_user')).toBe(1)
  })

  it('are made once, and the operator is told so only then', async () => {
    const notices: string[] = []
    const write = (line: string) => void (line.includes('"notice":true') && notices.push(line))
    const demo = { database, now, dataDir, log: pino({}, { write }), brand, ...small }
    expect(await seedDemo(demo)).toBe(true)
    const events = await count('service_event')
    expect(await seedDemo(demo)).toBe(false)
    expect(await count('service_event')).toBe(events)
    expect(notices).toEqual([expect.stringContaining('First start: creating the demo data')])
  })

  it('hold the customers, instruments and the history of the fleet', async () => {
    expect(await count('customer')).toBe(5)
    expect(await count('instrument')).toBe(60)
    const events = (await count('service_event')) ?? 0
    expect(events).toBeGreaterThan(600)
    // Nearly all events older than a week are closed; many of the last day are open.
    const weekAgo = "created_at < '2026-11-13'"
    expect(await count('service_event', `alert_status <> 3 AND ${weekAgo}`)).toBeLessThan(events / 20)
    expect(await count('service_event', 'alert_status = 3 AND reason_closed IS NOT NULL')).toBeGreaterThan(events / 2)
    expect(await count('service_event', 'alert_status = 2')).toBeGreaterThan(3)
    expect(await count('service_event', "alert_status = 1 AND created_at > '2026-11-19T14:00:00Z'")).toBeGreaterThan(3)
    expect(await count('service_event', 'latched_count > 0')).toBeGreaterThan(0)
    expect(await count('service_event', 'cleared_at IS NOT NULL')).toBeGreaterThan(100)
    expect(await count('log_entry')).toBeGreaterThan(2000)
    expect(
      await count('instrument', "status <> 'Unknown' AND connected_at IS NOT NULL AND orc_status = 'Connected'"),
    ).toBeGreaterThan(40)
    expect(
      await count('service_event', `created_at > '${now.toISOString()}' OR last_action_at > '${now.toISOString()}'`),
    ).toBe(0)
  })

  it('have events that came late, numbered in the order in which they came', async () => {
    expect(await count('service_event', "created_at - log_generated_at >= interval '1 hour'")).toBeGreaterThan(0)
    expect(
      await count('(SELECT created_at < lag(created_at) OVER (ORDER BY id) AS falls FROM service_event) e', 'falls'),
    ).toBe(0)
    // Except for clients whose clock is ahead.
    expect(await count('log_entry', "received_at < ts AND log_type <> 'UNICORNCLIENT'")).toBe(0)
  })

  it('hold run time, component usage, and computers of every instrument behind a gateway', async () => {
    const behind = await count('instrument', 'gateway_id IS NOT NULL')
    for (const table of ['runtime_day', 'component_usage', 'component_usage_day', 'instrument_software']) {
      expect([table, await count(`(SELECT DISTINCT instrument_id FROM ${table}) t`)]).toEqual([table, behind])
    }
    expect(await count('runtime_day')).toBeGreaterThan(29 * (behind ?? 0))
    // The current value is that of the last day.
    expect(
      await count(
        `component_usage u CROSS JOIN jsonb_to_recordset(u.usage) AS m (metric text, value float8)
          JOIN component_usage_day d USING (instrument_id, component_name, metric, sequence)`,
        'm.value <> d.value OR d.day <> u.sampled_at::date',
      ),
    ).toBe(0)
    expect(await count('component_usage_day')).toBeGreaterThan(10 * (behind ?? 0))
    expect(
      await count('instrument', 'status_at IS NOT NULL AND (created_at > status_at OR connected_at < created_at)'),
    ).toBe(0)
  })

  it('report each lost connection since it was lost, as the product would, and nothing after it', async () => {
    const { gateways, instruments } = lastingSilences(aFleet({ seed: demoSeed, now, ...small.fleet }), now)
    expect([gateways.size, instruments.size]).toEqual([1, 1])
    const among = (keys: Iterable<string>) => [...keys].map((key) => `'${key}'`).join()
    const lost = `(g.name IN (${among(gateways.keys())}) OR i.installed_product_id IN (${among(instruments.keys())}))`
    const fleet = 'instrument i JOIN gateway g ON g.id = i.gateway_id'
    expect(await count(fleet, lost)).toBeGreaterThan(2)
    expect(await count(fleet, `${lost} AND i.orc_status NOT IN ('Edge Issue', 'Disconnected')`)).toBe(0)
    const untold = `NOT EXISTS (SELECT 1 FROM service_event e WHERE e.alert_status = 1 AND e.cleared_at IS NULL
      AND e.created_at = coalesce(g.silent_since, i.unknown_at) + interval '10 minutes'
      AND (e.instrument_id = i.id AND e.alert_source = 'OFFLINE'
        AND e.alert_id = i.installed_product_id || '-OFFLINE-' || floor(extract(epoch FROM i.unknown_at) * 1000)
      OR e.gateway_id = g.id AND e.alert_source = 'EDGE_ISSUE'
        AND e.alert_id = g.installed_product_id || '-EDGE-' || floor(extract(epoch FROM g.silent_since) * 1000)))`
    expect(await count(fleet, `${lost} AND ${untold}`)).toBe(0)
    for (const [table, at] of [
      ['instrument_status_history', 'at'],
      ['log_entry', 'received_at'],
      ['component_usage', 'sampled_at'],
    ] as const) {
      const after = `t.${at} > coalesce(g.silent_since, i.unknown_at) + interval '2 seconds'`
      expect([
        table,
        await count(`${fleet} JOIN ${table} t ON t.instrument_id = i.id`, `${lost} AND ${after}`),
      ]).toEqual([table, 0])
    }
    expect(await count('gateway', 'silent_since IS NOT NULL AND last_seen_at = silent_since')).toBe(1)
  })

  it('have no event, connection or contact before the instrument was installed', async () => {
    for (const [what, from, where] of [
      ['connected', 'instrument i', 'i.connected_at::date < i.installation_date'],
      ['registered', 'instrument i', 'i.status_at IS NOT NULL AND i.created_at::date < i.installation_date'],
      ['events', 'service_event e JOIN instrument i ON i.id = e.instrument_id', 'e.log_generated_at < i.connected_at'],
      ['statuses', 'instrument_status_history h JOIN instrument i ON i.id = h.instrument_id', 'h.at < i.connected_at'],
    ] as const)
      expect([what, await count(from, where)]).toEqual([what, 0])
  })

  it('have a run time of today that agrees with the statuses of today', async () => {
    const { rows } = await sql<{ id: string; told: number | null; worked: number }>`
      SELECT i.installed_product_id AS id, r.seconds AS told, coalesce(w.worked, 0)::int AS worked
      FROM instrument i JOIN site s ON s.id = i.site_id
      CROSS JOIN LATERAL (SELECT date_trunc('day', ${now}::timestamptz AT TIME ZONE s.time_zone) AS day) d
      LEFT JOIN runtime_day r ON r.instrument_id = i.id AND r.day = d.day::date
      LEFT JOIN LATERAL (
        SELECT sum(extract(epoch FROM h.ended - greatest(h.at, d.day AT TIME ZONE s.time_zone))) AS worked
        FROM (SELECT at, status, lead(at, 1, ${now}::timestamptz) OVER (ORDER BY at, sequence) AS ended
          FROM instrument_status_history WHERE instrument_id = i.id) h
        WHERE h.status IN ('running', 'method run', 'manual run', 'wash') AND h.ended > d.day AT TIME ZONE s.time_zone) w ON true
      WHERE i.orc_status = 'Connected'`.execute(database.db)
    expect(rows.length).toBeGreaterThan(40)
    expect(rows.filter(({ told, worked }) => told === null || Math.abs(told - worked) > 5)).toEqual([])
    expect(rows.some(({ told }) => (told ?? 0) > 3600)).toBe(true)
  })

  it('leave each instrument in the last status of its history', async () => {
    expect(
      await count(`instrument i JOIN LATERAL (
        SELECT h.status, h.at, h.sequence FROM instrument_status_history h WHERE h.instrument_id = i.id
        ORDER BY h.sequence DESC LIMIT 1) h ON (h.status, h.at, h.sequence) IS DISTINCT FROM (i.status, i.status_at, i.status_sequence)`),
    ).toBe(0)
  })

  it('keep the rules that hold for changes of events', async () => {
    expect(
      await count('service_event', 'alert_status <> 3 AND (reason_closed IS NOT NULL OR closed_at IS NOT NULL)'),
    ).toBe(0)
    expect(await count('service_event', '(alert_status = 1) <> (claimed_by IS NULL)')).toBe(0)
    expect(await count('service_event', '(reason_closed = 1) <> (service_max_case_number IS NOT NULL)')).toBe(0)
    expect(await count('service_event', 'reason_closed = 1 AND reason_closed_comment IS NOT NULL')).toBe(0)
    // No user owns an event outside their scope.
    expect(
      await count(
        'service_event e JOIN app_user u ON u.id = e.claimed_by',
        'u.id <> 0 AND NOT u.all_customers AND NOT EXISTS (SELECT 1 FROM user_customer c WHERE c.user_id = u.id AND c.customer_id = e.customer_id)',
      ),
    ).toBe(0)
    expect(
      await count(
        'service_event e JOIN instrument i ON i.id = e.instrument_id',
        'i.customer_id <> e.customer_id OR i.site_id <> e.site_id',
      ),
    ).toBe(0)
  })

  it('show all that a list of events can show', async () => {
    const open = "alert_status <> 3 AND created_at > '2026-11-13T14:00:00Z'"
    for (const [what, where] of [
      ['nobody’s under a 24-hour contract', `full_support AND alert_status = 1 AND ${open}`],
      ['edge issues', 'is_edge_issue AND instrument_id IS NULL AND cleared_at IS NOT NULL'],
      ['a very long text', 'length(description) > 1500'],
      ['a text that runs from right to left', "user_message ~ '[\u0600-\u06ff]'"],
      ['mails', 'automatic_email IS NOT NULL AND alert_status <> 3'],
      ['closed by a mail', 'reason_closed = 5 AND claimed_by = 0 AND automatic_email_sent_at = closed_at'],
      ['closed for who wants no mail', 'reason_closed = 6 AND claimed_by = 0 AND automatic_email IS NULL'],
    ] as const)
      expect([what, (await count('service_event', where)) ?? 0]).toEqual([what, expect.toSatisfy((n: number) => n > 0)])
    expect(await count('customer', "name ~ '[\u0600-\u06ff]'")).toBe(1)
    expect(await count('app_user', 'name IS NULL AND id <> 0')).toBe(1)
  })

  it('show all that an instrument can be in', async () => {
    const at = `'${now.toISOString()}'`
    const ends = `(end_at IS NULL OR end_at > ${at})`
    for (const [what, from, where] of [
      ['in maintenance until somebody ends it', 'maintenance_window', `start_at <= ${at} AND end_at IS NULL`],
      ['in maintenance until tonight', 'maintenance_window', `start_at <= ${at} AND end_at > ${at}`],
      ['in maintenance once', 'maintenance_window', `end_at < ${at}`],
      [
        'in maintenance later',
        'maintenance m JOIN maintenance_window w ON w.maintenance_id = m.id',
        `rrule IS NULL AND w.start_at > ${at}`,
      ],
      ['in maintenance each week', 'maintenance', `rrule IS NOT NULL AND shown_until > ${at}`],
      ['in maintenance by a named user', 'audit', "property = 'maintenances' AND actor_type = 'user'"],
      ['marked events', 'service_event', 'during_maintenance'],
      ['behind a silent gateway', 'instrument', "orc_status = 'Edge Issue' AND unknown_at IS NOT NULL"],
      ['not reached by its gateway', 'instrument', "orc_status = 'Disconnected' AND status = 'disconnected'"],
      ['not connected yet', 'instrument', "orc_status = 'Onboarding'"],
      ['once behind a silent gateway', 'orc_status_history', "orc_status = 'Edge Issue'"],
      ['with a mail that closes', 'support_email_template', 'closes_event'],
      ['without mails for ever', 'support_email_unsubscription', 'until IS NULL'],
      ['without mails for 30 days', 'support_email_unsubscription', `until > ${at}`],
    ] as const)
      expect([what, (await count(from, where)) ?? 0]).toEqual([what, expect.toSatisfy((n: number) => n > 0)])
    expect(await count('maintenance_window', ends)).toBeGreaterThan(3)
    // Contacts without mails in the history are unsubscribed.
    expect(
      await count(
        'service_event e JOIN instrument i ON i.id = e.instrument_id',
        `e.reason_closed = 6 AND NOT EXISTS (SELECT 1 FROM support_email_unsubscription u
          WHERE u.instrument_id = e.instrument_id AND u.template_id = e.template_id)`,
      ),
    ).toBe(0)
  })

  it('mail only to addresses that are some, and never before the event', async () => {
    expect(await count('service_event', "automatic_email->>'email' !~ '^[^@ ]+@[^@ ]+[.][a-z]+$'")).toBe(0)
    expect(
      await count('service_event', 'automatic_email_sent_at <= created_at OR automatic_email_sent_at > last_action_at'),
    ).toBe(0)
    expect(await count('service_event', '(automatic_email IS NULL) <> (automatic_email_sent_at IS NULL)')).toBe(0)
  })

  it('have notified users according to their profiles', async () => {
    const told = 'notification n JOIN app_user u ON u.id = n.user_id JOIN service_event e ON e.id = n.event_id'
    const mails = `${told} LEFT JOIN outbound_message m ON m.id = n.message_id`
    for (const [what, from, where] of [
      ['support', told, "u.login LIKE 'support@%' AND n.kind = 'new_event_notification' AND e.severity = 3"],
      ['a customer', told, "u.login LIKE 'customer@%' AND e.severity >= 2"],
      ['sent', mails, "m.sent_at > n.decided_at AND m.html LIKE '%/events/' || n.event_id || '\"%'"],
      ['refused', mails, "m.failed_at IS NOT NULL AND m.last_failure = 'refused'"],
      [
        'held',
        `${told} JOIN maintenance_window w ON w.instrument_id = e.instrument_id`,
        `n.waits_for = 'maintenance' AND e.during_maintenance AND w.end_at > '${now.toISOString()}'`,
      ],
    ] as const)
      expect([what, (await count(from, where)) ?? 0]).toEqual([what, expect.toSatisfy((n: number) => n > 0)])
    for (const wrong of [
      "u.login LIKE 'support@%' AND e.severity <> 3",
      "u.login LIKE 'customer@%' AND (e.severity = 1 OR e.customer_id <> (SELECT id FROM customer WHERE key = 'helix-biologics'))",
      "u.login LIKE 'service@%' AND n.kind <> 'assign_me_notification'",
      'n.waits_for IS NULL AND n.message_id IS NULL',
    ])
      expect([wrong, await count(told, wrong)]).toEqual([wrong, 0])
    expect(await count('outbound_message', 'sent_at IS NULL AND failed_at IS NULL')).toBe(0)
  })

  it('have the origins of their events', async () => {
    const { rows } = await sql<{ origins: number }>`
      SELECT count(*)::int AS origins
      FROM (SELECT DISTINCT customer_id, site_id, component_id FROM service_event) AS d`.execute(database.db)
    expect(rows[0]?.origins).toBe(await count('event_origin'))
  })

  it('come with people who can sign in, one by a code, one after a new password, one who sees one customer', async () => {
    const users = await database.db.selectFrom('app_user').selectAll().where('password_hash', 'is not', null).execute()
    expect(users.map(({ login, role }) => `${login} ${role}`).sort()).toEqual([
      'admin@benchwatch.example admin',
      'customer@helixbio.example customer',
      'mfa@benchwatch.example service',
      'new@benchwatch.example service',
      'service@benchwatch.example service',
      'support@benchwatch.example support',
    ])
    for (const { password_hash } of users) expect(await passwordFits(password_hash, DEMO_PASSWORD)).toBe(true)
    const steps = users.filter((user) => user.sms_mfa || user.must_change_password)
    expect(steps.map(({ login, sms_mfa, must_change_password }) => [login, sms_mfa, must_change_password])).toEqual(
      expect.arrayContaining([
        ['mfa@benchwatch.example', true, false],
        ['new@benchwatch.example', false, true],
      ]),
    )
    expect(steps).toHaveLength(2)
    const limited = await database.db
      .selectFrom('user_customer as m')
      .innerJoin('app_user as u', 'u.id', 'm.user_id')
      .innerJoin('customer as c', 'c.id', 'm.customer_id')
      .where('u.password_hash', 'is not', null)
      .select(['u.login', 'c.name'])
      .execute()
    expect(limited).toEqual([{ login: 'customer@helixbio.example', name: 'Helix Biologics' }])
    expect(users.filter(({ all_customers }) => !all_customers)).toHaveLength(1)
  })

  it('come with the flags of each user and of the deployment', async () => {
    const flags = await database.db
      .selectFrom('feature_flag as f')
      .leftJoin('app_user as u', 'u.id', 'f.user_id')
      .where('f.value', '=', true)
      .select(['f.key', 'u.login'])
      .orderBy('f.key')
      .execute()
    const of = (login: string | null) => flags.filter((flag) => flag.login === login).map(({ key }) => key)
    const everyday = ['ASSET_USAGE', 'AUTO_EMAIL', 'FETCH_INSTRUMENT_COMPONENTS', 'FETCH_INSTRUMENT_DAILY_RUNTIMES']
    expect(of('support@benchwatch.example')).toEqual(['ASSET_USAGE', 'AUTO_EMAIL', 'BACKOFFICE', ...everyday.slice(2)])
    expect(of('service@benchwatch.example')).toEqual(everyday)
    expect(of('customer@helixbio.example')).toEqual(everyday)
    expect(of(null)).toEqual([
      ...['AUTO_EMAIL', 'EDGE_ISSUE_EVENT_CREATION', 'INSTRUMENT_OFFLINE_EVENT_CREATION', 'INSTRUMENT_STATUS_TEMPLATE'],
    ])
    expect(flags.filter(({ key }) => key === 'BACKOFFICE')).toHaveLength(1)
  })

  it('come with gateway keys that only this user can read', async () => {
    const file = join(dataDir, 'demo-gateways.json')
    expect((await stat(file)).mode & 0o777).toBe(0o600)
    const keys = JSON.parse(await readFile(file, 'utf8')) as { gateway: string; key: string }[]
    expect(keys).toHaveLength((await count('gateway')) ?? -1)
    for (const { gateway, key } of keys) {
      expect(await authenticateGateway(database.db, { gateway, key })).toMatchObject({ name: gateway })
    }
  })

  it('come with an intact record of what people did', async () => {
    while ((await sealAudit(database.db)) > 0);
    const { rows, findings } = await verifyAuditLog(database.db)
    expect(findings).toEqual([])
    expect(rows).toBe(await count('audit'))
    const closings = await count('audit', "entity_type = 'service_event' AND new_value = '3_CLOSED'")
    expect(closings).toBe(await count('service_event', 'alert_status = 3'))
  })
})
