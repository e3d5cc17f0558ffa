import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import { ingestAnswer } from '@benchwatch/contract/ingest'
import { paths } from '@benchwatch/contract/paths'
import { z } from 'zod'

/**
 * Answer of the server, as in the contract but with any code: a newer server may send codes that this gateway does not
 * know.
 */
const anyIngestAnswer = ingestAnswer.extend({
  rejected: z.array(z.object({ id: z.string().nullable(), code: z.string(), reason: z.string() })),
})

/** Result of sending a batch. */
export type Delivery =
  /** The server has stored or parked every item, or had it already. */
  | { kind: 'stored'; answer: z.output<typeof anyIngestAnswer> }
  | { kind: 'too large' }
  /** The server could not parse the batch as a whole. */
  | { kind: 'not understood'; reason: string }
  /** The key or the address is wrong; an operator has to change it. */
  | { kind: 'refused'; reason: string }
  /** The server is overloaded; `afterMs` is null if it did not send Retry-After. */
  | { kind: 'busy'; afterMs: number | null; reason: string }
  /**
   * The batch may or may not have been stored. Sending it again is safe, because the server recognises each id. `isSlow`:
   * it took longer than `timeoutMs`, so a smaller one may pass.
   */
  | { kind: 'failed'; reason: string; isSlow?: boolean }

export interface Destination {
  serverUrl: string
  gateway: string
  key: string
  /** A request that takes longer counts as failed. */
  timeoutMs: number
}

/** Upper limit for Retry-After; a wrong clock on the server must not silence a gateway for days. */
const LONGEST_RETRY_AFTER_MS = 600_000

const zip = promisify(gzip)

/** Sends items (JSON texts) as one batch of CloudEvents. Never throws. */
export async function deliver(to: Destination, items: readonly string[], signal: AbortSignal): Promise<Delivery> {
  const path = paths.ingestBatch.path.replace(':gateway', encodeURIComponent(to.gateway))
  try {
    const response = await fetch(`${to.serverUrl}/api${path}`, {
      method: paths.ingestBatch.method,
      headers: {
        authorization: `Bearer ${to.key}`,
        'content-type': 'application/cloudevents-batch+json',
        'content-encoding': 'gzip',
      },
      body: await zip(`[${items.join(',')}]`),
      // Following a redirect would send the key to another host.
      redirect: 'manual',
      signal: AbortSignal.any([signal, AbortSignal.timeout(to.timeoutMs)]),
    })
    return await understand(response, { to, items: items.length })
  } catch (error) {
    const isSlow = error instanceof DOMException && error.name === 'TimeoutError'
    return { kind: 'failed', reason: reasonOf(error, to), ...(isSlow && { isSlow }) }
  }
}

/**
 * Only the server may say that it will never take an item: a proxy refuses what it does not know. Nor is an item to
 * blame if the server could not read the JSON, because it was whole when it left.
 */
async function understand(response: Response, { to, items }: { to: Destination; items: number }): Promise<Delivery> {
  const body = json(await response.text())
  const { type, detail = '' }: { type?: unknown; detail?: unknown } =
    typeof body === 'object' && body !== null ? body : {}
  const code = /^urn:benchwatch:error:(.+)$/.exec(String(type))?.[1]
  const isAboutWay = code === undefined || code === 'malformed-json'
  const reason = `The server answered ${response.status}. ${String(detail)}`.trim()
  const keeping: Delivery = {
    kind: 'failed',
    reason: `${reason} Check BENCHWATCH_URL and the proxies before the server; unsent items are kept.`,
  }
  switch (response.status) {
    case 200: {
      const parsed = anyIngestAnswer.safeParse(body)
      if (parsed.success) return { kind: 'stored', answer: parsed.data }
      return { kind: 'failed', reason: `${to.serverUrl} answered 200 with a body that is not an ingest answer.` }
    }
    case 400:
    case 422:
      return isAboutWay ? keeping : { kind: 'not understood', reason }
    case 401:
      return {
        kind: 'refused',
        reason: `${to.serverUrl} does not accept the key of ${to.gateway}. Print a new one with "npm run gateway:key -- ${to.gateway}" and restart the gateway with it; unsent items are kept.`,
      }
    case 403:
      return {
        kind: 'refused',
        reason: `The key that ${to.gateway} uses belongs to another gateway. Give it its own ("npm run gateway:key -- ${to.gateway}"); unsent items are kept.`,
      }
    case 404:
      return {
        kind: 'refused',
        reason: `${to.serverUrl} offers no ingest for ${to.gateway}. Check BENCHWATCH_URL and the gateway's name; unsent items are kept.`,
      }
    case 413:
      // Smaller batches may pass a proxy.
      return isAboutWay && items === 1 ? keeping : { kind: 'too large' }
    case 429:
    case 503:
      return { kind: 'busy', afterMs: retryAfter(response), reason }
    default:
      return { kind: 'failed', reason }
  }
}

/** Returns Retry-After in milliseconds. The header contains seconds or an HTTP date. */
function retryAfter(response: Response): number | null {
  const value = response.headers.get('retry-after')
  if (value === null) return null
  const wait = /^\d+$/.test(value) ? Number(value) * 1000 : Date.parse(value) - Date.now()
  return Number.isNaN(wait) ? null : Math.min(LONGEST_RETRY_AFTER_MS, Math.max(0, wait))
}

function json(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

/** Returns the cause of the error, because the message of fetch is only "fetch failed". */
function reasonOf(error: unknown, { serverUrl }: Destination): string {
  if (!(error instanceof Error)) return String(error)
  const { cause } = error
  // The word of the Fetch standard, which blocks the ports of other protocols.
  if (cause instanceof Error && cause.message === 'bad port')
    return `Port ${new URL(serverUrl).port} belongs to another protocol, so HTTP clients refuse it. Let the server listen on another port (PORT), and put that into BENCHWATCH_URL.`
  return cause instanceof Error && cause.message ? cause.message : error.message
}
