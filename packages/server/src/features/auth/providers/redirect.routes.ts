import { finishOidc, startOidc } from '@benchwatch/contract/users/auth'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { ProblemError, problem } from '../../../platform/http/problem.ts'
import { isSameSecret, newToken } from '../../../platform/secret-token.ts'
import type { FeatureContext } from '../../context.ts'
import { countRequest, originOf } from '../credentials/attempts.ts'
import { setRefreshCookie } from '../session/session-refresh.ts'
import type { SignIn } from '../sign-in.service.ts'
import type { IdentityProvider } from './identity-provider.ts'
import { REDIRECT_MINUTES, redeemRedirect, storeRedirect } from './redirect.store.ts'

const PATH = '/api/auth/oidc'
const COOKIE = 'benchwatch_redirect'
/** The browser's last sign-in was refused. */
const REFUSED_COOKIE = 'benchwatch_refused'

interface Redirect extends Pick<FeatureContext, 'bind' | 'db' | 'clock' | 'config' | 'log'> {
  provider: IdentityProvider
  signIn: SignIn
}

/** Registers sign-in at a provider with its own screen: the browser goes there and returns with a response. */
export function registerRedirectRoutes(app: FastifyInstance, needs: Redirect): void {
  const { bind, db, clock, config, log, provider, signIn } = needs
  const redirectUri = `${config.publicUrl}${PATH}/callback`

  bind(app, startOidc, async ({ query, request, reply }) => {
    const { redirect } = provider
    if (!redirect) throw absent()
    return orToLogin({ request, reply }, async () => {
      // Each start stores a row, which is kept for 15 minutes. Many users may share an address.
      const limit = 10 * config.limits.signInFailuresPerAddress
      await countRequest({ db, clock }, { name: 'sign-in-starts', from: { address: request.ip }, limit })
      const selectsAccount = REFUSED_COOKIE in request.cookies
      const { url, state, secret } = await redirect.start(redirectUri, { selectsAccount })
      if (selectsAccount) reply.clearCookie(REFUSED_COOKIE, attributes(request))
      // Tabs of one browser that sign in at the same time share it.
      const known = request.cookies[COOKIE] ?? ''
      const browser = /^[\w-]{43}$/.test(known) ? known : newToken()
      const returnTo = ownPath(query.returnTo, config.publicUrl)
      await storeRedirect(db, { state, way: { secret, returnTo, browser }, at: clock.now() })
      reply.setCookie(COOKIE, browser, { ...attributes(request), maxAge: REDIRECT_MINUTES * 60 })
      return url
    })
  })

  bind(app, finishOidc, async ({ query, request, reply }) => {
    const { redirect } = provider
    if (!redirect) throw absent()
    return orToLogin({ request, reply }, async () => {
      const way =
        query.state === undefined ? undefined : await redeemRedirect(db, { state: query.state, at: clock.now() })
      if (!way || !isSameSecret(way.browser, request.cookies[COOKIE] ?? '')) {
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
    return { path: PATH, httpOnly: true, sameSite: 'lax', secure } as const
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

function absent() {
  return problem('not-found', 'This console uses a user name and password to sign in.')
}
