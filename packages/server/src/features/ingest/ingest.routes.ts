import { type IngestAnswer, ingestBatch, ingestLimits } from '@benchwatch/contract/ingest'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Registry } from 'prom-client'
import { isPassingDatabaseError } from '../../platform/http/error-handler.ts'
import { problem } from '../../platform/http/problem.ts'
import type { FeatureContext } from '../context.ts'
import { type Admitted, BatchAdmission } from './batch-admission.ts'
import { acceptBatchBodies, refuseTooLarge } from './batch-body.ts'
import type { Batch } from './batches.ts'
import { createGroupCommit } from './group-commit.ts'
import { noneKnown, storeBatches } from './ingest.service.ts'
import { createIngestMetrics } from './ingest-metrics.ts'
import { readItems } from './read-items.ts'

/** How long the first batch waits for others to share its transaction: a commit costs about as much. */
const GATHER_MS = 2
/** One computes while the other waits for the disk; a third would only make the groups smaller. */
const PARALLEL_GROUPS = 2
/** Items in one transaction: some tens of milliseconds of locks. */
const LARGEST_GROUP = 2000

/** Ingest (wire 12): batches of gateways, answered after they are committed. */
export function registerIngestRoutes(
  app: FastifyInstance,
  { bind, intake, clock, log, registry }: FeatureContext & { registry: Registry },
): void {
  const metrics = createIngestMetrics(registry)
  const known = noneKnown()
  const commit = createGroupCommit<Batch, IngestAnswer>({
    store: (batches) => storeBatches(intake, { batches, now: clock.now(), known }),
    sizeOf: (batch) => batch.items.length,
    senderOf: (batch) => batch.gateway.id,
    largestGroup: LARGEST_GROUP,
    parallel: PARALLEL_GROUPS,
    waitMs: GATHER_MS,
    concernsAll: isPassingDatabaseError,
  })
  const admission = new BatchAdmission()
  const underWay = new WeakMap<FastifyRequest, Admitted>()

  // A scope of its own: other routes keep their parsers and their smaller limit.
  app.register(async (scope) => {
    acceptBatchBodies(scope, (request, bytes) => {
      if (underWay.get(request)?.arrived(bytes) === false) throw noRoom()
    })
    scope.addHook('preParsing', async (request, reply) => {
      const { gateway } = request.params as { gateway: string }
      refuseTooLarge(request.headers['content-length'])
      const announced = Number(request.headers['content-length'] ?? ingestLimits.sentBytes)
      const admitted = admission.enter(gateway, announced)
      if (admitted === 'gateway') {
        throw problem('too-many-requests', 'Too many batches of this gateway are under way. Wait for their answers.', {
          retryAfter: 1,
        })
      }
      if (admitted === 'server') throw noRoom()
      underWay.set(request, admitted)
      // A batch that never reaches its handler, such as a malformed or an aborted one, leaves with its connection.
      for (const end of ['finish', 'close']) reply.raw.once(end, () => underWay.get(request)?.leave())
    })
    bind(scope, ingestBatch, async ({ caller, body, request }) => {
      const admitted = underWay.get(request)
      // From here on the batch is stored whether or not the gateway still listens.
      underWay.delete(request)
      const started = performance.now()
      try {
        const answer = await commit.submit({ gateway: caller, items: readItems(body) })
        if (answer.rejected.length > 0) {
          const codes = [...new Set(answer.rejected.map(({ code }) => code))]
          log.warn({ gateway: caller.name, items: answer.rejected.length, codes }, 'items were parked')
        }
        metrics.answered(answer, (performance.now() - started) / 1000)
        return answer
      } finally {
        admitted?.leave()
      }
    })
  })
}

function noRoom() {
  return problem('overloaded', 'Too many batches are waiting. Keep this one and send it again shortly.', {
    retryAfter: 2,
  })
}
