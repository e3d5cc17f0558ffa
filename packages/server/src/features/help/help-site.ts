import fastifyStatic from '@fastify/static'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { pathOf } from '../../platform/http/error-handler.ts'
import { escapeHtml } from '../../platform/message-text.ts'
import { findCaller } from '../auth/session/session.store.ts'
import {
  signSessionToken,
  type TokenPurpose,
  type TokenSubject,
  verifySessionToken,
} from '../auth/session/session-token.ts'
import type { FeatureContext } from '../context.ts'

type Issuing = Pick<FeatureContext, 'db' | 'clock' | 'config'>

/** Path of the help site; the cookie is limited to it. */
export const HELP_SITE = '/help-site/'

const NAME = 'benchwatch_help'

/**
 * A token that opens only the help site: the API refuses it as an access token, and the help site refuses access
 * tokens.
 */
const HELP: TokenPurpose = { audience: 'urn:benchwatch:help', type: 'help+jwt' }

/** The cookie outlives its token by this, and the console renews it then (document 2 section 9). */
const COOKIE_OUTLIVES_SECONDS = 1

interface Notice {
  product: string
  title: string
  text: string
  link?: { address: string; label: string }
  /**
   * True if the notice is a page of the site itself: the console then shows it like any page, and does not treat it as
   * a failure.
   */
  isPage?: boolean
}

const FOLDER = HELP_SITE.slice(0, -1)

interface HelpSite extends Pick<FeatureContext, 'db' | 'clock' | 'config'> {
  /** Folder of the built site. */
  root: string
}

/**
 * Serves the built help site to users who hold its cookie and are still signed in. Without it, every address below,
 * even one that does not exist, answers 401 with a page that says what to do.
 */
export async function serveHelpSite(app: FastifyInstance, { root, db, clock, config }: HelpSite): Promise<void> {
  const { product } = config
  await app.register(
    async (site) => {
      site.addHook('onRequest', async (request, reply) => {
        // The cookie applies below the slash, and pages link to each other relative to it.
        if (pathOf(request.url) === FOLDER) return reply.redirect(HELP_SITE, 308)
        const subject = await readHelpCookie({ db, clock }, request)
        if (subject && (await findCaller(db, subject))) return undefined
        const notice = helpNotice({
          product,
          title: 'Sign in to read the help',
          text: `The help is available only while you are signed in. Open ${product}, sign in and choose Help.`,
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
              title: 'This help page does not exist',
              text: 'It may have been renamed. Go to the start page of the help, or search there.',
              link: { address: HELP_SITE, label: 'Go to the start page' },
              isPage: true,
            }),
          ),
      )
    },
    { prefix: FOLDER },
  )
}

/**
 * Returns a page that replaces one of the help site. It contains its few styles, in the colours of the console,
 * because the site's own style sheets need the cookie as well. Its colour scheme follows the system, or the console
 * around its frame.
 */
function helpNotice({ product, title, text, link, isPage = false }: Notice): string {
  return `<!doctype html>
<html lang="en"${isPage ? ' data-help-page=""' : ''}>
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)} · ${escapeHtml(product)}</title>
<style>
:root { color-scheme: light dark; }
body {
  display: grid;
  place-content: center;
  min-height: 90dvh;
  margin: 0 24px;
  background: light-dark(#ffffff, #151c23);
  color: light-dark(#16202c, #e8edf2);
  font: 14px/1.55 system-ui, -apple-system, "Segoe UI", sans-serif;
  text-align: center;
}
main { max-width: 46ch; }
h1 { margin: 0 0 6px; font-weight: 620; font-size: 17px; }
p { margin: 0 0 8px; text-wrap: balance; }
a { color: light-dark(#0f6e84, #4fc0d8); }
</style>
</head>
<body>
<main>
<h1>${escapeHtml(title)}</h1>
<p>${escapeHtml(text)}</p>
${link ? `<p><a href="${escapeHtml(link.address)}">${escapeHtml(link.label)}</a></p>` : ''}
</main>
</body>
</html>
`
}

/** Sets the cookie for the session of this subject, and returns the seconds until its token expires. */
export async function setHelpCookie(
  { db, clock, config }: Issuing,
  subject: TokenSubject,
  reply: FastifyReply,
): Promise<number> {
  const seconds = config.accessTokenSeconds
  reply.setCookie(NAME, await signSessionToken({ db, clock }, subject, { ...HELP, seconds }), {
    path: HELP_SITE,
    httpOnly: true,
    sameSite: 'strict',
    secure: config.publicUrl.startsWith('https:') || reply.request.protocol === 'https',
    maxAge: seconds + COOKIE_OUTLIVES_SECONDS,
  })
  return seconds
}

/** Returns the subject of the help cookie; undefined without a cookie, and for one that is forged or has expired. */
export async function readHelpCookie(
  { db, clock }: Pick<Issuing, 'db' | 'clock'>,
  request: FastifyRequest,
): Promise<TokenSubject | undefined> {
  const token = request.cookies[NAME]
  return token === undefined ? undefined : verifySessionToken({ db, clock }, token, HELP)
}
