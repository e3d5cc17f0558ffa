import type { FastifyReply, FastifyRequest } from 'fastify'
import { signSessionToken, type TokenPurpose, type TokenSubject, verifySessionToken } from '../auth/session-token.ts'
import type { FeatureContext } from '../context.ts'

type Issuing = Pick<FeatureContext, 'db' | 'clock' | 'config'>

/** Where the help site lies; the cookie goes there and nowhere else. */
export const HELP_SITE = '/help-site/'

const NAME = 'benchwatch_help'
/** Opens the help site and nothing else: as an access token it is refused, and an access token is refused here. */
const HELP: TokenPurpose = { audience: 'urn:benchwatch:help', type: 'help+jwt' }
/** The cookie outlives its token by this, and the console renews it then (document 2 section 9). */
const COOKIE_OUTLIVES_SECONDS = 1

/** Sets the cookie for the session of this subject; seconds until its token expires. */
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

/** Whose help this is; undefined without the cookie, and for one that is forged or has expired. */
export async function readHelpCookie(
  { db, clock }: Pick<Issuing, 'db' | 'clock'>,
  request: FastifyRequest,
): Promise<TokenSubject | undefined> {
  const token = request.cookies[NAME]
  return token === undefined ? undefined : verifySessionToken({ db, clock }, token, HELP)
}
