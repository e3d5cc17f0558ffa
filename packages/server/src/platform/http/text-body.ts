import type { FastifyInstance } from 'fastify'
import { problem } from './problem.ts'

/**
 * Lets the routes of a context take bodies of these types as text, and nothing else. A byte order mark is left out. What
 * is not UTF-8 is refused: read as if it were, every letter with a mark would be stored broken.
 */
export function takeTexts(app: FastifyInstance, types: readonly string[]): void {
  const utf8 = new TextDecoder('utf-8', { fatal: true })
  app.removeAllContentTypeParsers()
  app.addContentTypeParser([...types], { parseAs: 'buffer' }, async (_request: unknown, body: Buffer) => {
    try {
      return utf8.decode(body)
    } catch {
      throw problem('validation-failed', 'The body is not UTF-8. Save the file as UTF-8 (in Excel: "CSV UTF-8").')
    }
  })
}
