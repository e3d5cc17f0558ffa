import * as contract from '@benchwatch/contract/bulk-changes'
import type { FastifyInstance } from 'fastify'
import { problem } from '../../platform/http/problem.ts'
import { Turns } from '../../platform/turns.ts'
import type { FeatureContext } from '../context.ts'
import type { ColumnStore } from '../service-events/column-store.ts'
import { changeSelectedEvents, getBulkProgress } from './bulk-changes.service.ts'

/** Bulk changes that this process works on at a time within their requests, so that other changes find a connection. */
const AT_ONCE = 3
/** At two seconds each they are answered before their time is over. */
const MAX_WAITING = 30

export function registerBulkChangeRoutes(
  app: FastifyInstance,
  context: FeatureContext & { columns: ColumnStore },
): void {
  const { bind, db } = context
  const turns = new Turns({ atOnce: AT_ONCE, maxWaiting: MAX_WAITING })

  bind(app, contract.changeServiceEvents, async ({ caller, body: { change, ...selection }, reply }) => {
    const answer = await turns.take('everybody', () => changeSelectedEvents(context, { caller, selection, change }))
    if (!answer) {
      throw problem(
        'overloaded',
        'Many events are being changed at the moment. Nothing was changed; try again shortly.',
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
