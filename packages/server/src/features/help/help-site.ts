import fastifyStatic from '@fastify/static'
import type { FastifyInstance } from 'fastify'
import { pathOf } from '../../platform/http/error-handler.ts'
import { findCaller } from '../auth/session.store.ts'
import type { FeatureContext } from '../context.ts'
import { HELP_SITE, readHelpCookie } from './help-cookie.ts'
import { helpNotice } from './help-notice.ts'

const FOLDER = HELP_SITE.slice(0, -1)

interface HelpSite extends Pick<FeatureContext, 'db' | 'clock' | 'config'> {
  /** Folder of the built site. */
  root: string
}

/**
 * Serves the built help site to whoever holds its cookie and is still signed in. Without, every address below it, also one
 * that does not exist, is 401 with a page that says what to do.
 */
export async function serveHelpSite(app: FastifyInstance, { root, db, clock, config }: HelpSite): Promise<void> {
  const { product } = config
  await app.register(
    async (site) => {
      site.addHook('onRequest', async (request, reply) => {
        // The cookie goes to what lies below the slash, and the pages name each other relative to it.
        if (pathOf(request.url) === FOLDER) return reply.redirect(HELP_SITE, 308)
        const subject = await readHelpCookie({ db, clock }, request)
        if (subject && (await findCaller(db, subject))) return undefined
        const notice = helpNotice({
          product,
          title: 'Sign in to read the help',
          text: `The help is open while you are signed in. Open ${product}, sign in, and choose Help.`,
        })
        return reply.code(401).type('text/html; charset=utf-8').header('cache-control', 'no-store').send(notice)
      })
      await site.register(fastifyStatic, {
        root,
        wildcard: false,
        decorateReply: false,
        setHeaders: (reply) => void reply.header('cache-control', 'private, no-cache'),
      })
      site.setNotFoundHandler((_request, reply) =>
        reply
          .code(404)
          .type('text/html; charset=utf-8')
          .send(
            helpNotice({
              product,
              title: 'There is no such help page',
              text: 'It may have another name by now. Begin at the start page of the help, or search there.',
              link: { address: HELP_SITE, words: 'To the start page' },
              isPage: true,
            }),
          ),
      )
    },
    { prefix: FOLDER },
  )
}
