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
