import { routes } from '@benchwatch/contract/routes'
import { createBind } from '../../platform/http/bind.ts'
import { createHttpServer } from '../../platform/http/server.ts'
import { createLog } from '../../platform/log.ts'
import { completeApiDescription } from './api-description.ts'

/**
 * The description that `GET /api/openapi.json` answers, from the route table alone: for commands and tests that have no
 * database. No handler is ever called.
 */
export async function describeContract({ product, version }: { product: string; version: string }): Promise<object> {
  const log = createLog('silent')
  const http = await createHttpServer({ log, trustProxy: false, product, version, checkAnswers: false })
  const bind = createBind<Record<string, never>>(async () => undefined as never)
  for (const route of Object.values(routes)) bind(http, route as never, async () => undefined as never)
  await http.ready()
  const description = completeApiDescription(http.swagger(), {
    routes,
    contact: { email: 'support@benchwatch.example' },
  })
  await http.close()
  return description
}
