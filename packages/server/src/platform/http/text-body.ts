import type { FastifyInstance, FastifyRequest } from 'fastify'
import { problem } from './problem.ts'

/**
 * Lets the routes of a context take bodies of these types as text, and nothing else. A byte order mark is left out. What
 * is not UTF-8 is refused: read as if it were, every letter with a mark would be stored broken.
 */
export function takeTexts(app: FastifyInstance, types: readonly string[]): void {
  const utf8 = new TextDecoder('utf-8', { fatal: true })
  app.removeAllContentTypeParsers()
  app.addContentTypeParser([...types], { parseAs: 'buffer' }, async (request: FastifyRequest, body: Buffer) => {
    refuseForeign(request)
    try {
      return utf8.decode(body)
    } catch {
      throw problem('validation-failed', 'The body is not UTF-8. Save the file as UTF-8 (in Excel: "CSV UTF-8").')
    }
  })
}

/**
 * JSON as Fastify takes it, but for what is not UTF-8, which Fastify would read with replaced letters and store so. An
 * empty body is refused, or counts as an empty object.
 */
export function takeJson(app: FastifyInstance, { whenEmpty }: { whenEmpty: 'refuse' | 'empty object' }): void {
  const utf8 = new TextDecoder('utf-8', { fatal: true })
  const parse = app.getDefaultJsonParser('error', 'error')
  // A context within another one finds that one's parser.
  app.removeContentTypeParser('application/json')
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (request, body, done) => {
    let json: string
    try {
      json = utf8.decode(body as Buffer)
    } catch {
      done(problem('malformed-json', 'The body is not UTF-8. Send JSON as UTF-8.'))
      return
    }
    if (json === '' && whenEmpty === 'empty object') done(null, {})
    else void parse(request, json, done)
  })
}

/** What is packed or written in another character set would be read wrongly, or be refused with a misleading sentence. */
function refuseForeign({ headers }: FastifyRequest): void {
  const encoding = headers['content-encoding']
  if (encoding !== undefined && encoding !== 'identity') {
    throw problem('unsupported-media-type', 'This body is taken only as it is. Send it without Content-Encoding.')
  }
  const charset = /;\s*charset="?([^";\s]+)/i.exec(headers['content-type'] ?? '')?.[1]
  if (charset !== undefined && charset.toLowerCase() !== 'utf-8') {
    throw problem(
      'unsupported-media-type',
      `This body is taken as UTF-8, not as ${charset.slice(0, 40)}. Save the file as UTF-8.`,
    )
  }
}
