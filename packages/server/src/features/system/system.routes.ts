import { routes } from '@benchwatch/contract/routes'
import { getHealth, getReady } from '@benchwatch/contract/system'
import type { FastifyInstance } from 'fastify'
import { type DatabaseHandle, OperatorError } from '../../db/connect.ts'
import { listPendingMigrations } from '../../db/migrate.ts'
import { noFields } from '../../platform/http/bind.ts'
import { problem } from '../../platform/http/problem.ts'
import type { FeatureContext } from '../context.ts'
import { completeApiDescription } from './api-description.ts'

interface System extends FeatureContext {
  version: string
  database: Pick<DatabaseHandle, 'pool'>
  /** Returns the parts that are away and replaced by slower ones. */
  degraded(): readonly 'nats'[]
}

export function registerSystemRoutes(
  app: FastifyInstance,
  { bind, config, log, version, database, degraded }: System,
): void {
  bind(app, getHealth, async () => ({ status: 'ok' as const, version, environment: config.environment }))

  bind(app, getReady, async () => {
    const pending = await listPendingMigrations(database.pool).catch((error: unknown) => {
      // A newer release has migrated the database. This server keeps running until traffic moves to the new one.
      if (error instanceof OperatorError) return []
      log.warn({ err: error }, 'not ready')
      throw problem('unavailable', 'The database is not responding. Try again in a moment.', { retryAfter: 2 })
    })
    if (pending.length > 0) {
      throw problem('unavailable', 'The database is being upgraded. Try again in a moment.', {
        retryAfter: 2,
      })
    }
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
