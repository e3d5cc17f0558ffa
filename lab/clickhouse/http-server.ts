import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { createChdbConnection } from 'chdb/connection'

/**
 * `node http-server.ts <folder>`: serves the engine over the HTTP protocol of ClickHouse, as far as the official client
 * uses it, so that the product runs on it as a process of its own. Prints its port, and ends with its standard input.
 */
const [folder] = process.argv.slice(2)
if (folder === undefined) throw new Error('Usage: node lab/clickhouse/http-server.ts <folder>')
const engine = createChdbConnection({ path: folder })

/** Parameters of the protocol; every other one is a setting of the engine. */
const ofProtocol = new Set(['query', 'query_id', 'database', 'session_id', 'role'])
/** A library takes the rows of an insert as one text, so a long insert is several; a server writes in blocks, too. */
const BLOCK_BYTES = 16_000_000
const NEW_LINE = 0x0a

async function answer(request: IncomingMessage): Promise<Buffer> {
  const { pathname, searchParams } = new URL(request.url ?? '/', 'http://localhost')
  if (pathname === '/ping') return Buffer.from('Ok.\n')
  const input: { settings: Record<string, string>; parameters: Record<string, string> } = {
    settings: {},
    parameters: {},
  }
  for (const [name, value] of searchParams) {
    if (name.startsWith('param_')) input.parameters[name.slice('param_'.length)] = unescaped(value)
    else if (!ofProtocol.has(name)) input.settings[name] = value
  }
  const options = { clickhouse_settings: input.settings, query_params: input.parameters }
  const query = searchParams.get('query')
  if (query !== null) {
    for await (const values of blocks(request)) await engine.insert({ ...options, query, values })
    return Buffer.alloc(0)
  }
  const { stream } = await engine.query({ ...options, query: await text(request) })
  return Buffer.concat((await stream.toArray()) as Buffer[])
}

/** The client escapes texts as in tab-separated values; the library takes them as they are. */
function unescaped(value: string): string {
  const letters: Record<string, string> = { t: '\t', n: '\n', r: '\r', b: '\b', f: '\f', 0: '\0' }
  return value.replace(/\\(.)/gs, (_, letter: string) => letters[letter] ?? letter)
}

/** Yields whole lines, as many as fit in a block. */
async function* blocks(request: IncomingMessage): AsyncGenerator<string> {
  let waiting: Buffer[] = []
  let size = 0
  for await (const chunk of request as AsyncIterable<Buffer>) {
    waiting.push(chunk)
    size += chunk.length
    const end = chunk.lastIndexOf(NEW_LINE) + 1
    if (size < BLOCK_BYTES || end === 0) continue
    const rest = chunk.subarray(end)
    yield Buffer.concat(waiting, size - rest.length).toString()
    waiting = [rest]
    size = rest.length
  }
  if (size > 0) yield Buffer.concat(waiting).toString()
}

const server = createServer((request, response) => {
  answer(request).then(
    (body) => response.end(body),
    (error: unknown) => {
      const { message, code } = error as { message: string; code?: string }
      response.statusCode = 500
      // The client makes its error of the text that a server writes.
      response.end(`Code: ${code ?? 0}. DB::Exception: ${message} (${(error as { type?: string }).type ?? 'UNKNOWN'})`)
    },
  )
})
// Copying ten million events is one request of some minutes.
server.requestTimeout = 0
server.listen(0, '127.0.0.1')
await once(server, 'listening')
console.log((server.address() as AddressInfo).port)

process.stdin.resume()
await once(process.stdin, 'end')
server.close()
server.closeAllConnections()
await engine.close()
