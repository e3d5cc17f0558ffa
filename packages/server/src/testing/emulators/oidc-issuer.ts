import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { exportJWK, generateKeyPair } from 'jose'
import { type AdapterFactory, Provider } from 'oidc-provider'

/** An account of the issuer; its name is the address for signing in. */
interface IssuerAccount {
  email?: string
  /** Omitted: the issuer does not send the claim. */
  emailVerified?: boolean
  /** Called whenever the issuer looks the account up; may fail, or never end. */
  lookUp?: () => Promise<void>
}

export interface OidcIssuer {
  issuer: string
  /** Accounts that may sign in; removing one invalidates its tokens. */
  accounts: Map<string, IssuerAccount>
  /** Goes through the issuer's screens as this account; returns the final URL of the browser. */
  visit(url: string, account: string): Promise<URL>
  /** Cancels at the first screen. */
  cancel(url: string): Promise<URL>
  changeKeys(): Promise<void>
  /** Stops listening; a restart uses the same port. */
  stop(): Promise<void>
  start(): Promise<void>
}

/** The library's own adapter, which its types lack. */
const MEMORY_ADAPTER: string = 'oidc-provider/lib/adapters/memory_adapter.js'

export const OIDC_CLIENT = { id: 'benchwatch', secret: 'a-secret-of-the-client' }

/**
 * Starts an OpenID provider on a port of this machine, with screens that a test goes through by HTTP. Refresh tokens
 * are rotated; reusing one revokes its whole family.
 */
export async function startOidcIssuer({
  redirectUri,
  emailInIdToken = false,
}: {
  redirectUri: string
  emailInIdToken?: boolean
}): Promise<OidcIssuer> {
  const server = createServer()
  const listen = async (port: number) => {
    server.listen(port, '127.0.0.1')
    await once(server, 'listening')
    return (server.address() as AddressInfo).port
  }
  const port = await listen(0)
  const issuer = `http://127.0.0.1:${port}`
  const accounts = new Map<string, IssuerAccount>()
  /** Keeps sessions and tokens when the keys change. */
  const { createMemoryAdapter } = (await import(MEMORY_ADAPTER)) as { createMemoryAdapter: () => AdapterFactory }
  const adapter = createMemoryAdapter()
  const answering = async () => {
    const { privateKey } = await generateKeyPair('RS256', { extractable: true })
    return new Provider(issuer, {
      adapter,
      clients: [
        {
          client_id: OIDC_CLIENT.id,
          client_secret: OIDC_CLIENT.secret,
          redirect_uris: [redirectUri],
          grant_types: ['authorization_code', 'refresh_token'],
        },
      ],
      claims: { email: ['email', 'email_verified'] },
      conformIdTokenClaims: !emailInIdToken,
      features: {
        revocation: { enabled: true, allowedPolicy: (_context, client, token) => token.clientId === client.clientId },
        devInteractions: { enabled: true },
      },
      // Seconds; the library warns in the test output about values that are not set.
      ttl: {
        AccessToken: 600,
        AuthorizationCode: 60,
        Grant: 600,
        IdToken: 600,
        Interaction: 600,
        RefreshToken: 600,
        Session: 600,
      },
      findAccount: async (_context, id) => {
        const account = accounts.get(id)
        if (!account) return undefined
        await account.lookUp?.()
        return {
          accountId: id,
          claims: () => ({ sub: id, email: account.email ?? id, email_verified: account.emailVerified }),
        }
      },
      issueRefreshToken: () => true,
      rotateRefreshToken: true,
      cookies: { keys: ['a key for cookies of tests'] },
      jwks: { keys: [{ ...(await exportJWK(privateKey)), use: 'sig', alg: 'RS256' }] },
    }).callback()
  }
  let answer = await answering()
  server.on('request', (request, response) => void answer(request, response))

  const stop = async () => {
    const closed = once(server, 'close')
    server.close()
    server.closeAllConnections()
    await closed
  }

  return {
    issuer,
    accounts,
    visit: (url, account) => walk(url, (screen) => screen.sign(account)),
    cancel: (url) => walk(url, (screen) => screen.cancel()),
    changeKeys: async () => {
      answer = await answering()
    },
    stop,
    start: async () => {
      await listen(port)
    },
  }

  /** Acts as a browser without a screen: keeps cookies, follows the issuer's redirects and stops when they leave it. */
  async function walk(url: string, act: (screen: Screen) => Promise<string>): Promise<URL> {
    const cookies = new Map<string, string>()
    const open = async (address: string, form?: URLSearchParams): Promise<Response> => {
      const response = await fetch(address, {
        redirect: 'manual',
        headers: { cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; ') },
        ...(form && { method: 'POST', body: form }),
      })
      for (const cookie of response.headers.getSetCookie()) {
        const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(cookie) ?? []
        cookies.set(name, value)
      }
      return response
    }
    let at = new URL(url)
    for (let steps = 0; at.origin === issuer; steps++) {
      if (steps > 12) throw new Error(`The issuer leads in a circle, last to ${at.pathname}.`)
      const response = await open(at.href)
      const location = response.headers.get('location')
      if (location !== null) {
        at = new URL(location, at)
        continue
      }
      const page = await response.text()
      const prompt = /name="prompt" value="(\w+)"/.exec(page)?.[1]
      if (prompt === undefined) throw new Error(`The issuer shows ${response.status}: ${page.slice(0, 2000)}`)
      const next = await act({
        sign: async (login) => {
          const form = new URLSearchParams({ prompt, ...(prompt === 'login' && { login, password: 'any' }) })
          return (await open(at.href, form)).headers.get('location') ?? ''
        },
        cancel: async () => `${at.href}/abort`,
      })
      at = new URL(next, at)
    }
    return at
  }
}

interface Screen {
  sign(login: string): Promise<string>
  cancel(): Promise<string>
}
