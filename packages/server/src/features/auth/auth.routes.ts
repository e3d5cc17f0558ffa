import { passwordRules } from '@benchwatch/contract/field-rules'
import {
  answerMfa,
  confirmForgotPassword,
  createLiveToken as createLiveTokenRoute,
  finishOidc,
  forgotPassword,
  getAuthConfig,
  refresh,
  resendMfa,
  type SignInStep,
  setNewPassword,
  signIn,
  signOut,
  startOidc,
  type Tokens,
} from '@benchwatch/contract/users/auth'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { ProblemError, problem } from '../../platform/http/problem.ts'
import { isFromElsewhere } from '../../platform/http/security-headers.ts'
import { takeJson } from '../../platform/http/text-body.ts'
import type { LiveHub } from '../../platform/live/hub.ts'
import { isSameSecret, newToken } from '../../platform/secret-token.ts'
import type { FeatureContext } from '../context.ts'
import { type Attempts, countRequest, originOf } from './credentials/attempts.ts'
import type { IdentityProvider } from './providers/identity-provider.ts'
import { closeEnded, recheckSession } from './providers/provider-session.ts'
import { REDIRECT_MINUTES, redeemRedirect, storeRedirect } from './providers/redirect.store.ts'
import { refreshSession, signOutByAccess, signOutByToken } from './session/session.service.ts'
import { createLiveToken, type EndedSession, type IssuedTokens, LIVE_TOKEN_SECONDS } from './session/session.store.ts'
import { clearRefreshCookie, readRefreshCookie, setRefreshCookie } from './session/session-refresh.ts'
import { bearerOf, verifyAccessToken } from './session/session-token.ts'
import { createSignIn, type Outcome, type SignIn } from './sign-in.service.ts'

interface Auth extends FeatureContext {
  hub: Pick<LiveHub, 'end'>
  provider: IdentityProvider
  attempts: Attempts
}

export function registerAuthRoutes(app: FastifyInstance, auth: Auth): void {
  const { bind, db, clock, config, log, hub, provider, attempts } = auth
  const signIns = createSignIn({ db, clock, config, log, provider, attempts })

  bind(app, getAuthConfig, async () => ({
    provider: provider.kind,
    ...(provider.redirect && { startUrl: `/api${startOidc.path}` }),
    product: config.product,
    deployment: config.deployment,
    passwordRules: passwordRules.map(({ id, text }) => ({ id, text })),
  }))

  bind(app, createLiveTokenRoute, async ({ caller }) => ({
    token: await createLiveToken(db, caller.sessionId),
    expiresIn: LIVE_TOKEN_SECONDS,
  }))

  registerRedirectRoutes(app, { bind, db, clock, config, log, provider, signIn: signIns })

  // Routes that set or read the cookie are registered apart, so that cross-site requests are refused before any
  // parsing.
  app.register(async (cookieRoutes) => {
    cookieRoutes.addHook('onRequest', async (request) => refuseOtherSites(request, config.publicUrl))
    takeEmptyBodies(cookieRoutes)

    bind(cookieRoutes, signIn, async ({ body, request, reply }) =>
      hand(reply, await signIns.signIn(body, originOf(request))),
    )

    bind(cookieRoutes, setNewPassword, async ({ body: { challengeToken, newPassword }, request, reply }) => {
      const answer = { challengeToken, answer: newPassword, kinds: ['NEW_PASSWORD_REQUIRED'] } as const
      return hand(reply, await signIns.answer(answer, originOf(request)))
    })

    bind(cookieRoutes, answerMfa, async ({ body: { challengeToken, code }, request, reply }) => {
      const answer = { challengeToken, answer: code, kinds: ['SMS_MFA', 'TOTP_MFA'] } as const
      return hand(reply, await signIns.answer(answer, originOf(request)))
    })

    bind(cookieRoutes, resendMfa, async ({ body: { challengeToken }, request }) => {
      await signIns.resend(challengeToken, originOf(request))
      return { challengeToken }
    })

    bind(cookieRoutes, forgotPassword, async ({ body, request }) => {
      await signIns.forgotPassword(body.email, originOf(request))
      return {}
    })

    bind(cookieRoutes, confirmForgotPassword, async ({ body, request }) => {
      const ended = await signIns.confirmForgotPassword(body, originOf(request))
      await closeEnded(auth, ended)
      return {}
    })

    bind(cookieRoutes, refresh, async ({ body, request, reply }) => {
      const token = readRefreshCookie(request)
      if (token !== undefined) {
        const ended = await recheckSession({ db, clock, config, log, provider }, token)
        if (ended) hub.end({ sessionId: ended.id })
      }
      const outcome =
        token === undefined
          ? { kind: 'none' as const }
          : await refreshSession({ db, clock, config }, { token, idleSeconds: body.idleSeconds })
      if (outcome.kind === 'refreshed') return handTokens(reply, outcome.tokens)
      if (outcome.kind === 'ended') {
        hub.end({ sessionId: outcome.sessionId })
        log.warn({ user: outcome.userId, session: outcome.sessionId, reason: outcome.reason }, 'session ended')
      }
      clearRefreshCookie(reply, config)
      throw problem('session-expired', 'Session expired')
    })

    bind(cookieRoutes, signOut, async ({ body: { everywhere }, request, reply }) => {
      const ended = await endOf(request, everywhere)
      for (const { id, userId } of ended) log.info({ user: userId, session: id }, 'signed out')
      await closeEnded(auth, ended)
      clearRefreshCookie(reply, config)
      return undefined
    })
  })

  /** Ends the session of the cookie. Programs without cookies end the session of their access token. */
  async function endOf(request: FastifyRequest, everywhere: boolean): Promise<EndedSession[]> {
    const token = readRefreshCookie(request)
    if (token !== undefined) return signOutByToken({ db, clock }, { token, everywhere })
    const bearer = bearerOf(request)
    const subject = bearer === undefined ? undefined : await verifyAccessToken({ db, clock }, bearer)
    return subject ? signOutByAccess({ db, clock }, { ...subject, everywhere }) : []
  }

  function hand(reply: FastifyReply, outcome: Outcome): SignInStep {
    if (outcome.kind === 'tokens') return handTokens(reply, outcome.tokens)
    const { challenge, challengeToken, delivery } = outcome
    return { challenge, challengeToken, delivery }
  }

  function handTokens(reply: FastifyReply, { accessToken, refreshToken, expiresIn, user }: IssuedTokens): Tokens {
    setRefreshCookie(reply, refreshToken, config)
    return { accessToken, expiresIn, user }
  }
}

function refuseOtherSites(request: FastifyRequest, publicUrl: string): void {
  const { origin, host, 'sec-fetch-site': fetchSite } = request.headers
  if (isFromElsewhere(publicUrl, { origin, host: host ?? '', fetchSite })) {
    throw problem('cross-site', 'This request came from another site. Open the product at its own address.')
  }
}

/** Accepts a missing or empty body of any content type as an empty object. */
function takeEmptyBodies(app: FastifyInstance): void {
  takeJson(app, { whenEmpty: 'empty object' })
  app.addHook('preValidation', async (request) => {
    if (request.body === undefined || request.body === null) request.body = {}
  })
}

const REDIRECT_PATH = '/api/auth/oidc'
const REDIRECT_COOKIE = 'benchwatch_redirect'
/** The browser's last sign-in was refused. */
const REFUSED_COOKIE = 'benchwatch_refused'

interface Redirect extends Pick<FeatureContext, 'bind' | 'db' | 'clock' | 'config' | 'log'> {
  provider: IdentityProvider
  signIn: SignIn
}

/** Registers sign-in at a provider with its own screen: the browser goes there and returns with a response. */
function registerRedirectRoutes(app: FastifyInstance, needs: Redirect): void {
  const { bind, db, clock, config, log, provider, signIn } = needs
  const redirectUri = `${config.publicUrl}${REDIRECT_PATH}/callback`

  bind(app, startOidc, async ({ query, request, reply }) => {
    const { redirect } = provider
    if (!redirect) throw noRedirect()
    return orToLogin({ request, reply }, async () => {
      // Each start stores a row, which is kept for 15 minutes. Many users may share an address.
      const limit = 10 * config.limits.signInFailuresPerAddress
      await countRequest({ db, clock }, { name: 'sign-in-starts', from: { address: request.ip }, limit })
      const selectsAccount = REFUSED_COOKIE in request.cookies
      const { url, state, secret } = await redirect.start(redirectUri, { selectsAccount })
      if (selectsAccount) reply.clearCookie(REFUSED_COOKIE, attributes(request))
      // Tabs of one browser that sign in at the same time share it.
      const known = request.cookies[REDIRECT_COOKIE] ?? ''
      const browser = /^[\w-]{43}$/.test(known) ? known : newToken()
      const returnTo = ownPath(query.returnTo, config.publicUrl)
      await storeRedirect(db, { state, way: { secret, returnTo, browser }, at: clock.now() })
      reply.setCookie(REDIRECT_COOKIE, browser, { ...attributes(request), maxAge: REDIRECT_MINUTES * 60 })
      return url
    })
  })

  bind(app, finishOidc, async ({ query, request, reply }) => {
    const { redirect } = provider
    if (!redirect) throw noRedirect()
    return orToLogin({ request, reply }, async () => {
      const way =
        query.state === undefined ? undefined : await redeemRedirect(db, { state: query.state, at: clock.now() })
      if (!way || !isSameSecret(way.browser, request.cookies[REDIRECT_COOKIE] ?? '')) {
        throw problem('session-expired', 'This sign-in was started in another browser or took too long. Start again.')
      }
      const identity = await redirect.finish(new URL(request.url, config.publicUrl), way.secret)
      const tokens = await signIn.begin(identity, originOf(request))
      setRefreshCookie(reply, tokens.refreshToken, config)
      return `${config.publicUrl}${way.returnTo}`
    })
  })

  /** Redirects to the address from `next`, or to the sign-in screen on failure, as users see the response. */
  async function orToLogin(
    { request, reply }: { request: FastifyRequest; reply: FastifyReply },
    next: () => Promise<string>,
  ): Promise<undefined> {
    try {
      return go(reply, await next())
    } catch (error) {
      if (!(error instanceof ProblemError)) throw error
      const { code, extras } = error
      if (code === 'bad-credentials')
        reply.setCookie(REFUSED_COOKIE, '1', { ...attributes(request), maxAge: REDIRECT_MINUTES * 60 })
      log.warn({ from: request.ip, requestId: request.id, code, err: extras.cause }, 'sign-in refused')
      return go(reply, `${config.publicUrl}/login?error=${code}`)
    }
  }

  /** Lax, because the browser does not send a Strict cookie when the provider's page redirects here. */
  function attributes(request: FastifyRequest) {
    const secure = config.publicUrl.startsWith('https:') || request.protocol === 'https'
    return { path: REDIRECT_PATH, httpOnly: true, sameSite: 'lax', secure } as const
  }
}

function go(reply: FastifyReply, url: string): undefined {
  void reply.header('cache-control', 'no-store').redirect(url, 302)
  return undefined
}

/** Returns a path of the console. Anything else, such as the address of another site, becomes the start page. */
function ownPath(returnTo: string | undefined, publicUrl: string): string {
  const url = URL.parse(returnTo ?? '/', publicUrl)
  return url && url.origin === new URL(publicUrl).origin ? `${url.pathname}${url.search}${url.hash}` : '/'
}

function noRedirect() {
  return problem('not-found', 'This console uses a user name and password to sign in.')
}
