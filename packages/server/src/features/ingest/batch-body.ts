import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'
import { ingestLimits } from '@benchwatch/contract/ingest'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { problem } from '../../platform/http/problem.ts'

const unzip = promisify(gunzip)
const megabytes = (bytes: number) => `${bytes / 1_000_000} MB`

/**
 * Lets the routes of this scope take a batch, plain or with gzip, within the limits of the contract. `onArrival` hears of
 * its bytes before they are parsed, which takes many times as much memory, and may throw. The text is parsed here and not by
 * Fastify, whose guard against `__proto__` would refuse a whole batch for one odd item: nothing is ever
 * merged from an item, and its schema refuses unknown names.
 */
export function acceptBatchBodies(
  scope: FastifyInstance,
  onArrival: (request: FastifyRequest, bytes: number) => void,
): void {
  scope.removeAllContentTypeParsers()
  for (const type of ['application/cloudevents-batch+json', 'application/json']) {
    scope.addContentTypeParser(type, async (request: FastifyRequest, payload: AsyncIterable<Buffer>) => {
      const unpacked = await unpack(await receive(payload), request)
      onArrival(request, unpacked.length)
      return parseBatch(unpacked)
    })
  }
}

/** Refuses a body that says beforehand that it is too large, before it takes any room. */
export function refuseTooLarge(announced: string | undefined): void {
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
      `Content-Encoding ${encoding} is not taken. Send the batch plain or with gzip.`,
    )
  }
  try {
    return await unzip(sent, { maxOutputLength: ingestLimits.unpackedBytes })
  } catch (error) {
    if ((error as { code?: string }).code === 'ERR_BUFFER_TOO_LARGE') {
      throw problem(
        'payload-too-large',
        `The batch unpacks to more than ${megabytes(ingestLimits.unpackedBytes)}. Send fewer items at a time.`,
      )
    }
    throw problem('malformed-json', 'The body says gzip but is not valid gzip. Pack it again and send it whole.')
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
      `The batch holds ${batch.length} items, more than ${ingestLimits.items}. Send them in several batches.`,
    )
  }
  return batch
}

function tooMuchSent() {
  return problem(
    'payload-too-large',
    `The body is larger than ${megabytes(ingestLimits.sentBytes)}. Send fewer items at a time, or pack them with gzip.`,
  )
}
