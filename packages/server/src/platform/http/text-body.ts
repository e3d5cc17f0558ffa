import type { FastifyInstance, FastifyRequest } from 'fastify'
import { problem } from './problem.ts'

/**
 * Lets the routes of a context accept bodies of these types as text, and nothing else. A byte order mark is removed.
 * Other encodings than UTF-8 are refused, because accented letters would be stored incorrectly.
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
 * Accepts JSON like Fastify, but refuses bodies that are not UTF-8, which Fastify would read with replacement
 * characters. An empty body is refused or counts as an empty object.
 */
export function takeJson(app: FastifyInstance, { whenEmpty }: { whenEmpty: 'refuse' | 'empty object' }): void {
  const utf8 = new TextDecoder('utf-8', { fatal: true })
  const parse = app.getDefaultJsonParser('error', 'error')
  // A nested context inherits the parser of its parent.
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

/**
 * Refuses compressed bodies and other character sets, which would be read incorrectly or refused with a misleading
 * message.
 */
function refuseForeign({ headers }: FastifyRequest): void {
  const encoding = headers['content-encoding']
  if (encoding !== undefined && encoding !== 'identity') {
    throw problem(
      'unsupported-media-type',
      'This call does not accept compressed bodies. Send the body without Content-Encoding.',
    )
  }
  const charset = /;\s*charset="?([^";\s]+)/i.exec(headers['content-type'] ?? '')?.[1]
  if (charset !== undefined && charset.toLowerCase() !== 'utf-8') {
    throw problem(
      'unsupported-media-type',
      `The body must be UTF-8, not ${charset.slice(0, 40)}. Save the file as UTF-8.`,
    )
  }
}
