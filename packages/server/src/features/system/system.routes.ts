import { routes } from '@benchwatch/contract/routes'
import { getHealth, getReady } from '@benchwatch/contract/system'
import type { FastifyInstance } from 'fastify'
import type { DatabaseHandle } from '../../db/connect.ts'
import { noFields } from '../../platform/http/bind.ts'
import { problem } from '../../platform/http/problem.ts'
import type { FeatureContext } from '../context.ts'
import { completeApiDescription } from './api-description.ts'
import { createReadiness } from './readiness.ts'

interface System extends FeatureContext {
  version: string
  database: Pick<DatabaseHandle, 'pool' | 'diskFullAt'>
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
