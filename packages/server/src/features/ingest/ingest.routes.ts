import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'
import { type IngestAnswer, ingestBatch, ingestLimits } from '@benchwatch/contract/ingest'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { Counter, Histogram, type Registry } from 'prom-client'
import { InFlight } from '../../platform/concurrency.ts'
import { problem } from '../../platform/http/problem.ts'
import { isPassingDatabaseError } from '../../platform/passing-database-error.ts'
import type { FeatureContext } from '../context.ts'
import type { Batch } from './batches.ts'
import { createGroupCommit } from './group-commit.ts'
import { noneKnown, storeBatches, storeWhatFits } from './ingest.service.ts'
import { readItems } from './read-items.ts'

const unzip = promisify(gunzip)

const megabytes = (bytes: number) => `${bytes / 1_000_000} MB`

/** Limits for in-flight batches, so that memory stays bounded whatever arrives. */
interface AdmissionLimits {
  /** Batches of one gateway: only a loop sends many more than it has lanes (alarms, status, logs). */
  perGateway: number
  batches: number
  /** Sum of their bytes: as announced, then as unpacked, because a compressed batch of 8 kB may contain 8 MB. */
  bytes: number
  /**
   * While the oldest batch has waited longer than `slowMs`, no more than this many batches are admitted, so that each
   * is answered in time.
   */
  batchesWhenSlow: number
  slowMs: number
}

const admissionLimits: AdmissionLimits = {
  perGateway: 32,
  batches: 256,
  bytes: 32_000_000,
  batchesWhenSlow: 32,
  slowMs: 2000,
}

/** An admitted batch. */
export interface Admitted {
  /**
   * The batch has arrived completely and has this many bytes unpacked; false if they exceed the limit. From now on it
   * counts as waiting: a slow upload says nothing about the speed of storing.
   */
  arrived(bytes: number): boolean
  /** The batch is done; may be called more than once. */
  leave(): void
}

/** Counts in-flight batches and refuses those above the limits. */
export class BatchAdmission {
  readonly #waiting: InFlight
  #batches = 0
  #bytes = 0
  readonly #perGateway = new Map<string, number>()
  readonly #limits: AdmissionLimits

  constructor(limits: AdmissionLimits = admissionLimits, waiting = new InFlight()) {
    this.#limits = limits
    this.#waiting = waiting
  }

  /** Admits a batch, or returns whose limit is reached. */
  enter(gateway: string, announced: number): Admitted | 'gateway' | 'server' {
    const ofGateway = this.#perGateway.get(gateway) ?? 0
    if (ofGateway >= this.#limits.perGateway) return 'gateway'
    const isSlow = this.#waiting.longestWait > this.#limits.slowMs
    const room = isSlow ? this.#limits.batchesWhenSlow : this.#limits.batches
    if (this.#batches >= room || this.#bytes + announced > this.#limits.bytes) return 'server'
    this.#batches += 1
    this.#bytes += announced
    this.#perGateway.set(gateway, ofGateway + 1)
    let bytes = announced
    let endWaiting: (() => void) | null = null
    let isInFlight = true
    return {
      arrived: (unpacked) => {
        if (this.#bytes - bytes + unpacked > this.#limits.bytes) return false
        this.#bytes += unpacked - bytes
        bytes = unpacked
        endWaiting ??= this.#waiting.begin()
        return true
      },
      leave: () => {
        if (!isInFlight) return
        isInFlight = false
        endWaiting?.()
        this.#batches -= 1
        this.#bytes -= bytes
        const left = (this.#perGateway.get(gateway) ?? 1) - 1
        if (left > 0) this.#perGateway.set(gateway, left)
        else this.#perGateway.delete(gateway)
      },
    }
  }
}

/** How long the first batch waits for others to share its transaction: a commit costs about as much. */
const GATHER_MS = 2
/** One computes while the other waits for the disk; a third would only make the groups smaller. */
const PARALLEL_GROUPS = 2
/** Items in one transaction: tens of milliseconds of locks. */
const LARGEST_GROUP = 2000

/** Registers ingest (wire 12): batches of gateways, answered after they are committed. */
export function registerIngestRoutes(
  app: FastifyInstance,
  { bind, intake, clock, log, registry }: FeatureContext & { registry: Registry },
): void {
  const countAnswer = createIngestMetrics(registry)
  const known = noneKnown()
  const commit = createGroupCommit<Batch, IngestAnswer>({
    store: async (batches) => {
      const [batch, ...others] = batches
      if (!batch || others.length > 0) return storeBatches(intake, { batches, now: clock.now(), known })
      return [await storeWhatFits(intake, { batch, now: clock.now(), known, log })]
    },
    sizeOf: (batch) => batch.items.length,
    senderOf: (batch) => batch.gateway.id,
    largestGroup: LARGEST_GROUP,
    parallel: PARALLEL_GROUPS,
    waitMs: GATHER_MS,
    concernsAll: isPassingDatabaseError,
  })
  const admission = new BatchAdmission()
  const inFlight = new WeakMap<FastifyRequest, Admitted>()

  // A scope of its own: other routes keep their parsers and their smaller limit.
  app.register(async (scope) => {
    acceptBatchBodies(scope, (request, bytes) => {
      if (inFlight.get(request)?.arrived(bytes) === false) throw noRoom()
    })
    scope.addHook('preParsing', async (request, reply) => {
      const { gateway } = request.params as { gateway: string }
      refuseTooLarge(request.headers['content-length'])
      const announced = Number(request.headers['content-length'] ?? ingestLimits.sentBytes)
      const admitted = admission.enter(gateway, announced)
      if (admitted === 'gateway') {
        throw problem('too-many-requests', 'This gateway has too many batches in flight. Wait for their responses.', {
          retryAfter: 1,
        })
      }
      if (admitted === 'server') throw noRoom()
      inFlight.set(request, admitted)
      // A batch that never reaches its handler, such as a malformed or an aborted one, leaves with its connection.
      for (const end of ['finish', 'close']) reply.raw.once(end, () => inFlight.get(request)?.leave())
    })
    bind(scope, ingestBatch, async ({ caller, body, request }) => {
      const admitted = inFlight.get(request)
      // From here on the batch is stored whether or not the gateway is still connected.
      inFlight.delete(request)
      const started = performance.now()
      try {
        const answer = await commit.submit({ gateway: caller, items: readItems(body) })
        if (answer.rejected.length > 0) {
          const codes = [...new Set(answer.rejected.map(({ code }) => code))]
          log.warn({ gateway: caller.name, items: answer.rejected.length, codes }, 'items were parked')
        }
        countAnswer(answer, (performance.now() - started) / 1000)
        return answer
      } finally {
        admitted?.leave()
      }
    })
  })
}

function noRoom() {
  return problem('overloaded', 'The server is busy. Keep this batch and send it again in a moment.', {
    retryAfter: 2,
  })
}

/** Registers the metrics of batches; returns the function that counts one, answered after this many seconds. */
function createIngestMetrics(registry: Registry): (answer: IngestAnswer, seconds: number) => void {
  const items = new Counter({
    name: 'benchwatch_ingest_items_total',
    help: 'Items of gateways by what became of them',
    labelNames: ['result'],
    registers: [registry],
  })
  const batches = new Histogram({
    name: 'benchwatch_ingest_batch_duration_seconds',
    help: 'Time from the arrival of a whole batch to its commit',
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5],
    registers: [registry],
  })
  for (const result of ['accepted', 'duplicate', 'rejected']) items.inc({ result }, 0)
  return ({ accepted, duplicates, rejected }, seconds) => {
    items.inc({ result: 'accepted' }, accepted)
    items.inc({ result: 'duplicate' }, duplicates)
    items.inc({ result: 'rejected' }, rejected.length)
    batches.observe(seconds)
  }
}

/**
 * Lets the routes of this scope accept a batch, plain or with gzip, within the limits of the contract. `onArrival`
 * gets its bytes before they are parsed, which takes many times as much memory, and may throw. The text is parsed here
 * and not by Fastify, whose guard against `__proto__` would refuse a whole batch for one bad item: items are never
 * merged into objects, and their schema refuses unknown names.
 */
function acceptBatchBodies(scope: FastifyInstance, onArrival: (request: FastifyRequest, bytes: number) => void): void {
  scope.removeAllContentTypeParsers()
  for (const type of ['application/cloudevents-batch+json', 'application/json']) {
    scope.addContentTypeParser(type, async (request: FastifyRequest, payload: AsyncIterable<Buffer>) => {
      const unpacked = await unpack(await receive(payload), request)
      onArrival(request, unpacked.length)
      return parseBatch(unpacked)
    })
  }
}

/** Refuses a body that announces too large a size, before it takes up memory. */
function refuseTooLarge(announced: string | undefined): void {
  if (Number(announced) > ingestLimits.sentBytes) throw tooMuchSent()
}

async function receive(payload: AsyncIterable<Buffer>): Promise<Buffer> {
  const chunks: Buffer[] = []
  let received = 0
  for await (const chunk of payload) {
    received += chunk.length
    if (received > ingestLimits.sentBytes) throw tooMuchSent()
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

async function unpack(sent: Buffer, request: FastifyRequest): Promise<Buffer> {
  const encoding = request.headers['content-encoding']?.trim().toLowerCase() ?? 'identity'
  if (encoding === 'identity') return sent
  if (encoding !== 'gzip') {
    throw problem(
      'unsupported-media-type',
      `Content-Encoding ${encoding} is not supported. Send the batch uncompressed or with gzip.`,
    )
  }
  try {
    return await unzip(sent, { maxOutputLength: ingestLimits.unpackedBytes })
  } catch (error) {
    if ((error as { code?: string }).code === 'ERR_BUFFER_TOO_LARGE') {
      throw problem(
        'payload-too-large',
        `The unpacked batch is larger than ${megabytes(ingestLimits.unpackedBytes)}. Send fewer items at a time.`,
      )
    }
    throw problem('malformed-json', 'The body is not valid gzip. Compress it again and send it completely.')
  }
}

function parseBatch(bytes: Buffer): unknown {
  let batch: unknown
  try {
    batch = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
  } catch {
    throw problem('malformed-json', 'The body is not valid JSON. Send a JSON array of CloudEvents as UTF-8.')
  }
  if (Array.isArray(batch) && batch.length > ingestLimits.items) {
    throw problem(
      'payload-too-large',
      `The batch contains ${batch.length} items; the limit is ${ingestLimits.items}. Split it into several batches.`,
    )
  }
  return batch
}

function tooMuchSent() {
  return problem(
    'payload-too-large',
    `The body is larger than ${megabytes(ingestLimits.sentBytes)}. Send fewer items at a time, or compress them with gzip.`,
  )
}
