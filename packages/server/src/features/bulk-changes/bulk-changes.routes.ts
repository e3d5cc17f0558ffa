import * as contract from '@benchwatch/contract/events/bulk-changes'
import type { FastifyInstance } from 'fastify'
import { Queue } from '../../platform/concurrency.ts'
import { problem } from '../../platform/http/problem.ts'
import type { FeatureContext } from '../context.ts'
import type { EventSearch } from '../events/search/event-search.ts'
import { changeSelectedEvents, getBulkProgress } from './bulk-changes.service.ts'

/** Limit per user, so that no user holds all connections. At two seconds each, all of them finish in time. */
const WAITING_OF_ONE = 10

export function registerBulkChangeRoutes(
  app: FastifyInstance,
  context: FeatureContext & { eventSearch: EventSearch },
): void {
  const { bind, db } = context
  const turns = new Queue({ atOnce: 1, maxWaiting: WAITING_OF_ONE })

  bind(app, contract.changeServiceEvents, async ({ caller, body: { change, ...selection }, reply }) => {
    const answer = await turns.take(String(caller.id), () =>
      changeSelectedEvents(context, { caller, selection, change }),
    )
    if (!answer) {
      throw problem(
        'overloaded',
        'Your earlier bulk changes are still running. Nothing was changed. Try again in a moment.',
        {
          retryAfter: 5,
        },
      )
    }
    if ('jobId' in answer) reply.code(202)
    return answer
  })

  bind(app, contract.getBulkChange, ({ caller, params }) => getBulkProgress(db, { id: params.jobId, caller }))
}
