import { routes } from '@benchwatch/contract/routes'
import { getHealth, getReady } from '@benchwatch/contract/system'
import type { FastifyInstance } from 'fastify'
import { type DatabaseHandle, OperatorError } from '../../db/connect.ts'
import { listPendingMigrations } from '../../db/migrate/migrate.ts'
import { noFields } from '../../platform/http/bind.ts'
import { problem } from '../../platform/http/problem.ts'
import type { Log } from '../../platform/log.ts'
import type { FeatureContext } from '../context.ts'
import { completeApiDescription } from './api-description.ts'

interface System extends FeatureContext {
  version: string
  database: Pick<DatabaseHandle, 'pool' | 'intakePool' | 'diskFullAt'>
  /** Returns the parts that are away and replaced by slower ones. */
  degraded(): readonly 'nats'[]
}

export function registerSystemRoutes(
  app: FastifyInstance,
  { bind, config, log, version, database, degraded }: System,
): void {
  bind(app, getHealth, async () => ({ status: 'ok' as const, version, environment: config.environment }))

  const findReason = createReadiness({ database, log })
  bind(app, getReady, async () => {
    const reason = await findReason()
    if (reason !== null) throw problem('unavailable', `${reason} Try again in a moment.`, { retryAfter: 2 })
    return { status: 'ready' as const, degraded: [...degraded()] }
  })

  // Building the description takes about ten milliseconds and never changes after startup. Kept as bytes, shared by
  // all answers.
  let description: Buffer | undefined
  app.get('/api/openapi.json', { schema: { hide: true, querystring: noFields } }, async (_request, reply) => {
    description ??= Buffer.from(
      JSON.stringify(completeApiDescription(app.swagger(), { routes, contact: { email: config.supportEmail } })),
    )
    return reply.type('application/json; charset=utf-8').send(description)
  })
}

/** A load balancer asks often, and each of its answers may be this old. */
const KEPT_MS = 1000
/** Only a write shows that there is space again, so callers are let in to try after this time. */
const DISK_FULL_FOR_MS = 5000

interface ReadinessInput {
  database: Pick<DatabaseHandle, 'pool' | 'intakePool' | 'diskFullAt'>
  log: Log
  /** Returns milliseconds since the same moment as `diskFullAt`. */
  now?: () => number
}

/**
 * Returns a function that says in one sentence why the server can't serve callers, or null if it can. It only reads,
 * so it never waits for a lock, but it may wait for a connection of the ingest pool.
 */
export function createReadiness({
  database,
  log,
  now = () => performance.now(),
}: ReadinessInput): () => Promise<string | null> {
  let kept: { from: number; isDone: boolean; reason: Promise<string | null> } | undefined
  return () => {
    if (kept && (!kept.isDone || now() - kept.from < KEPT_MS)) return kept.reason
    const current = { from: now(), isDone: false, reason: findReason() }
    void current.reason.finally(() => {
      current.isDone = true
    })
    kept = current
    return current.reason
  }

  async function findReason(): Promise<string | null> {
    try {
      // Ingest bypasses the pooler, and may wait for a new primary when callers no longer do.
      const asked = await Promise.all(
        [database.pool, database.intakePool].map((pool) =>
          pool.query<{ isStandby: boolean; isReadOnly: boolean }>(
            `SELECT pg_is_in_recovery() AS "isStandby", current_setting('transaction_read_only')::boolean AS "isReadOnly"`,
          ),
        ),
      )
      const answers = asked.flatMap(({ rows }) => rows)
      if (answers.some(({ isStandby }) => isStandby)) return 'The database is a standby, which accepts no writes.'
      if (answers.some(({ isReadOnly }) => isReadOnly)) return 'The database is read-only.'
      const pending = await listPendingMigrations(database.pool)
      if (pending.length > 0) return 'The database is being upgraded.'
    } catch (error) {
      // A newer release has migrated the database. This server keeps running until traffic moves to the new one.
      if (!(error instanceof OperatorError)) {
        log.warn({ err: error }, 'not ready')
        return 'The database is not responding.'
      }
    }
    return now() - database.diskFullAt() < DISK_FULL_FOR_MS ? 'The disk of the database is full.' : null
  }
}
