import type { AlarmTestResult } from '@benchwatch/contract/vocabulary'
import { sql } from 'kysely'
import type { Db } from '../../db/connect.ts'

/** Health of the product according to the database: counts, and ages in seconds. The same on every node. */
export interface ProductState {
  liveWaiting: number
  messagesWaiting: { email: number; sms: number }
  /** Age of the oldest waiting message; 0 if there is none. */
  messagesOldestAge: number
  /** Messages given up within a day. */
  messagesFailed: { email: number; sms: number }
  notifications: { undecided: number; 'set-aside': number; maintenance: number; digest: number }
  jobs: { waiting: number; failed: number }
  /** Deliveries of webhooks that wait, and those parked within a day. */
  webhookDeliveries: { waiting: number; parked: number }
  /** Webhooks whose receivers fail. */
  webhooksPaused: number
  /** Service cases that do not exist yet; `failing` after a failed attempt. */
  serviceCases: { waiting: number; failing: number }
  /** Age of the oldest of them; 0 if there is none. */
  serviceCasesOldestAge: number
  /** Age of the oldest audit log row without a seal; 0 if all are sealed. */
  sealLag: number
  gateways: { heard: number; silent: number; never: number }
  /** Links of gateways that are heard, by state. */
  gatewayLinks: { up: number; down: number }
  parkedItems: number
  /** Number of gateways by the result of their last test. */
  alarmTests: Record<AlarmTestResult, number>
  /** Seconds since the last test that arrived in time; null before the first. */
  lastArrivedAge: number | null
}

/** Uses only indexes of waiting rows and small tables. `now` is the server's clock. */
export async function readProductState(db: Db, now: Date): Promise<ProductState> {
  const dayAgo = new Date(now.getTime() - 86_400_000)
  const age = (at: ReturnType<typeof sql>) => sql`(
    SELECT greatest(extract(epoch FROM ${now}::timestamptz - at), 0)::float8 FROM ${at} AS s (at) WHERE at IS NOT NULL)`
  const { rows } = await sql<{ state: ProductState }>`
    WITH waiting AS MATERIALIZED (
      SELECT channel, created_at FROM outbound_message WHERE sent_at IS NULL AND failed_at IS NULL
    ), failed AS MATERIALIZED (
      SELECT channel FROM outbound_message WHERE failed_at IS NOT NULL AND failed_at > ${dayAgo}
    ), pending AS MATERIALIZED (
      SELECT count(*) FILTER (WHERE retry_at IS NULL) AS undecided, count(*) FILTER (WHERE retry_at IS NOT NULL) AS aside
      FROM pending_notification
    ), held AS MATERIALIZED (SELECT waits_for FROM notification WHERE waits_for IS NOT NULL
    ), jobs AS MATERIALIZED (
      SELECT count(*) FILTER (WHERE attempts < max_attempts) + (SELECT count(*) FROM job_outbox) AS waiting,
        count(*) FILTER (WHERE attempts >= max_attempts) AS failed
      FROM graphile_worker._private_jobs
    ), cases AS MATERIALIZED (SELECT requested_at, last_error FROM service_case WHERE number IS NULL
    ), tests AS MATERIALIZED (
      SELECT t.result FROM gateway g CROSS JOIN LATERAL (
        SELECT result FROM alarm_test a WHERE a.gateway_id = g.id ORDER BY a.id DESC LIMIT 1) t
    )
    SELECT json_build_object(
      'liveWaiting', (SELECT count(*) FROM live_outbox),
      'messagesWaiting', json_build_object('email', (SELECT count(*) FROM waiting WHERE channel = 'email'),
        'sms', (SELECT count(*) FROM waiting WHERE channel = 'sms')),
      'messagesOldestAge', coalesce(${age(sql`(SELECT min(created_at) FROM waiting)`)}, 0),
      'messagesFailed', json_build_object('email', (SELECT count(*) FROM failed WHERE channel = 'email'),
        'sms', (SELECT count(*) FROM failed WHERE channel = 'sms')),
      'notifications', json_build_object('undecided', (SELECT undecided FROM pending),
        'set-aside', (SELECT aside FROM pending),
        'maintenance', (SELECT count(*) FROM held WHERE waits_for = 'maintenance'),
        'digest', (SELECT count(*) FROM held WHERE waits_for = 'digest')),
      'jobs', (SELECT json_build_object('waiting', waiting, 'failed', failed) FROM jobs),
      'webhookDeliveries', json_build_object(
        'waiting', (SELECT count(*) FROM webhook_delivery WHERE state = 'waiting'),
        'parked', (SELECT count(*) FROM webhook_delivery WHERE state = 'parked' AND finished_at > ${dayAgo})),
      'webhooksPaused', (SELECT count(*) FROM webhook WHERE is_on AND gone_at IS NULL AND open_until > ${now}),
      'serviceCases', (SELECT json_build_object('waiting', count(*) FILTER (WHERE last_error IS NULL),
        'failing', count(*) FILTER (WHERE last_error IS NOT NULL)) FROM cases),
      'serviceCasesOldestAge', coalesce(${age(sql`(SELECT min(requested_at) FROM cases)`)}, 0),
      'sealLag', coalesce(${age(sql`(SELECT a.at FROM audit_unsealed u JOIN audit a ON a.id = u.audit_id
        ORDER BY u.audit_id LIMIT 1)`)}, 0),
      'gateways', (SELECT json_build_object(
        'heard', count(*) FILTER (WHERE last_seen_at IS NOT NULL AND silent_since IS NULL),
        'silent', count(*) FILTER (WHERE silent_since IS NOT NULL),
        'never', count(*) FILTER (WHERE last_seen_at IS NULL)) FROM gateway),
      'gatewayLinks', (SELECT json_build_object(
        'up', count(*) FILTER (WHERE l.state = 'up'), 'down', count(*) FILTER (WHERE l.state = 'down'))
        FROM gateway g, jsonb_to_recordset(g.links) AS l (state text) WHERE g.silent_since IS NULL),
      'parkedItems', (SELECT count(*) FROM parked_item WHERE resolved_at IS NULL),
      'alarmTests', (SELECT json_build_object(
        'arrived', count(*) FILTER (WHERE result = 'arrived'), 'late', count(*) FILTER (WHERE result = 'late'),
        'missing', count(*) FILTER (WHERE result = 'missing'), 'waiting', count(*) FILTER (WHERE result = 'waiting'))
        FROM tests),
      'lastArrivedAge', ${age(sql`(SELECT max(ended_at) FROM alarm_test WHERE result = 'arrived')`)}
    ) AS state`.execute(db)
  const [row] = rows
  if (!row) throw new Error('The state of the product could not be read.')
  return row.state
}
