import {
  createLiveToken as createLiveTokenRoute,
  getAuthConfig,
  refresh,
  signIn,
  signOut,
} from '@benchwatch/contract/auth'
import { passwordRules } from '@benchwatch/contract/password-policy'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { isFromElsewhere } from '../../platform/http/own-origin.ts'
import { problem } from '../../platform/http/problem.ts'
import type { LiveHub } from '../../platform/live/hub.ts'
import type { FeatureContext } from '../context.ts'
import { verifyAccessToken } from './access-token.ts'
import { bearerOf } from './bearer.ts'
import { findAccount } from './credential.store.ts'
import { createLiveToken, LIVE_TOKEN_SECONDS } from './live-token.store.ts'
import { localProvider } from './local-provider.ts'
import { clearRefreshCookie, readRefreshCookie, setRefreshCookie } from './refresh-cookie.ts'
import { refreshSession, signOutByAccess, signOutByToken } from './session.service.ts'
import { createSession, type IssuedTokens } from './session.store.ts'

interface Auth extends FeatureContext {
  hub: Pick<LiveHub, 'end'>
}

export function registerAuthRoutes(app: FastifyInstance, auth: Auth): void {
  const { bind, db, clock, config, log, hub } = auth
  const provider = localProvider(db)

  bind(app, getAuthConfig, async () => ({
    provider: provider.kind,
    product: config.product,
    deployment: config.deployment,
    passwordRules: passwordRules.map(({ id, text }) => ({ id, text })),
  }))

  bind(app, createLiveTokenRoute, async ({ caller }) => ({
    token: await createLiveToken(db, caller.sessionId),
    expiresIn: LIVE_TOKEN_SECONDS,
  }))

  // The routes that a cookie opens stand apart, so that another site is refused before anything is parsed.
  app.register(async (cookieRoutes) => {
    cookieRoutes.addHook('onRequest', async (request) => refuseOtherSites(request, config.publicUrl))
    takeEmptyBodies(cookieRoutes)

    bind(cookieRoutes, signIn, async ({ body, request, reply }) => {
      const answer = await provider.signIn(body).catch((error: unknown) => {
        log.warn({ from: request.ip, requestId: request.id }, 'sign-in refused')
        throw error
      })
      if (answer.kind !== 'identity') throw problem('unavailable', 'Further steps of signing in are being built.')
      const account = await findAccount(db, answer.identity.login)
      if (!account) throw problem('bad-credentials', 'Incorrect username or password.')
      const tokens = await createSession({ db, clock, config }, account.id)
      log.info({ user: account.id, session: tokens.sessionId, requestId: request.id }, 'signed in')
      return hand(reply, tokens)
    })

    bind(cookieRoutes, refresh, async ({ body, request, reply }) => {
      const token = readRefreshCookie(request)
      const outcome =
        token === undefined
          ? { kind: 'none' as const }
          : await refreshSession({ db, clock, config }, { token, idleSeconds: body.idleSeconds })
      if (outcome.kind === 'refreshed') return hand(reply, outcome.tokens)
      if (outcome.kind === 'ended') {
        hub.end({ sessionId: outcome.sessionId })
        log.warn({ user: outcome.userId, session: outcome.sessionId, reason: outcome.reason }, 'session ended')
      }
      if (outcome.kind !== 'none') clearRefreshCookie(reply, config)
      throw problem('session-expired', 'Session expired')
    })

    bind(cookieRoutes, signOut, async ({ body: { everywhere }, request, reply }) => {
      const ended = await endOf(request, everywhere)
      for (const { id, userId } of ended) {
        hub.end({ sessionId: id })
        log.info({ user: userId, session: id }, 'signed out')
      }
      clearRefreshCookie(reply, config)
      return undefined
    })
  })

  /** The session is that of the cookie; a program without cookies ends the one of its access token. */
  async function endOf(request: FastifyRequest, everywhere: boolean): Promise<{ id: string; userId: number }[]> {
    const token = readRefreshCookie(request)
    if (token !== undefined) return signOutByToken({ db, clock }, { token, everywhere })
    const bearer = bearerOf(request)
    const subject = bearer === undefined ? undefined : await verifyAccessToken({ db, clock }, bearer)
    return subject ? signOutByAccess({ db, clock }, { ...subject, everywhere }) : []
  }

  function hand(reply: FastifyReply, { accessToken, refreshToken, expiresIn, user }: IssuedTokens) {
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

/** Refresh and sign-out need no body: a missing or empty one, whatever type it claims, counts as an empty object. */
function takeEmptyBodies(app: FastifyInstance): void {
  const parse = app.getDefaultJsonParser('error', 'error')
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (request, body, done) => {
    if (body === '') done(null, {})
    else void parse(request, body as string, done)
  })
  app.addHook('preValidation', async (request) => {
    if (request.body === undefined || request.body === null) request.body = {}
  })
}
