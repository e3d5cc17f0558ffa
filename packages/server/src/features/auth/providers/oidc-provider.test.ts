import { exportJWK, generateKeyPair } from 'jose'
import { errors } from 'oidc-provider'
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { OIDC_CLIENT, type OidcIssuer, startOidcIssuer } from '../../../testing/emulators/oidc-issuer.ts'
import type { IdentityProvider } from './identity-provider.ts'
import { keysUrl, type OidcConfig, oidcProvider } from './oidc-provider.ts'

const redirectUri = 'https://bench.example/api/auth/oidc/callback'
let issuer: OidcIssuer
let inIdToken: OidcIssuer

beforeAll(async () => {
  issuer = await startOidcIssuer({ redirectUri })
  inIdToken = await startOidcIssuer({ redirectUri, emailInIdToken: true })
})
afterAll(() => Promise.all([issuer.stop(), inIdToken.stop()]))
beforeEach(() => {
  for (const { accounts } of [issuer, inIdToken]) {
    accounts.clear()
    accounts.set('Ada@Bench.Example', { emailVerified: true })
  }
})

const configOf = (at: OidcIssuer, changes: Partial<OidcConfig> = {}): OidcConfig => ({
  provider: 'oidc',
  issuer: at.issuer,
  clientId: OIDC_CLIENT.id,
  clientSecret: OIDC_CLIENT.secret,
  trustEmail: false,
  ...changes,
})

interface Ways {
  start: NonNullable<IdentityProvider['redirect']>['start']
  finish: NonNullable<IdentityProvider['redirect']>['finish']
  recheck: NonNullable<IdentityProvider['recheck']>
  signOut: NonNullable<IdentityProvider['signOut']>
}

function waysOf({ redirect, recheck, signOut }: IdentityProvider): Ways {
  if (!redirect || !recheck || !signOut) throw new Error('An OpenID provider has them all.')
  return { ...redirect, recheck, signOut }
}

async function signedIn(at = issuer, ways = waysOf(oidcProvider(configOf(at))), account = 'Ada@Bench.Example') {
  const begun = await ways.start(redirectUri)
  const back = await at.visit(begun.url, account)
  return { ...(await ways.finish(back, begun.secret)), ways, begun, back }
}

async function handleOf(at = issuer) {
  const { handle = '', ways } = await signedIn(at)
  return { handle, ...ways }
}

describe('the way to the provider and back', () => {
  test('uses the code flow with PKCE, state and nonce', async () => {
    const { url, state } = await waysOf(oidcProvider(configOf(issuer))).start(redirectUri)
    const asked = Object.fromEntries(new URL(url).searchParams)
    expect(asked).toMatchObject({
      response_type: 'code',
      client_id: 'benchwatch',
      redirect_uri: redirectUri,
      scope: 'openid email offline_access',
      code_challenge_method: 'S256',
      state,
    })
    expect(asked['nonce']?.length).toBeGreaterThan(20)
    expect(asked['code_challenge']?.length).toBe(43)
  })

  test('is another one each time', async () => {
    const { start } = waysOf(oidcProvider(configOf(issuer)))
    const [one, two] = [await start(redirectUri), await start(redirectUri)]
    expect(one.state).not.toBe(two.state)
    const nonces = [one, two].map(({ url }) => new URL(url).searchParams.get('nonce'))
    expect(new Set(nonces).size).toBe(2)
  })

  test('ends with the verified address in lower case, whether it comes from userinfo or the ID token', async () => {
    for (const at of [issuer, inIdToken]) {
      const { login, handle } = await signedIn(at)
      expect(login).toBe('ada@bench.example')
      expect(JSON.parse(handle ?? '')).toMatchObject({ subject: 'Ada@Bench.Example', login })
    }
  })

  test('comes back to the address that the provider knows, also behind a proxy', async () => {
    const ways = waysOf(oidcProvider(configOf(issuer)))
    const { url, secret } = await ways.start(redirectUri)
    const back = await issuer.visit(url, 'Ada@Bench.Example')
    const inside = new URL(`http://10.0.0.7:8080/api/auth/oidc/callback${back.search}`)
    expect(await ways.finish(inside, secret)).toMatchObject({ login: 'ada@bench.example' })
  })

  test('a code counts once', async () => {
    const { ways, back, begun } = await signedIn()
    await expect(ways.finish(back, begun.secret)).rejects.toMatchObject({ code: 'session-expired' })
  })

  test('a way that somebody else began ends nowhere', async () => {
    const ways = waysOf(oidcProvider(configOf(issuer)))
    const [mine, theirs] = [await ways.start(redirectUri), await ways.start(redirectUri)]
    const back = await issuer.visit(theirs.url, 'Ada@Bench.Example')
    await expect(ways.finish(back, mine.secret)).rejects.toMatchObject({ code: 'session-expired' })
    // Fails even with the correct state: the code is bound to the verifier of the browser that began.
    back.searchParams.set('state', mine.state)
    await expect(ways.finish(back, mine.secret)).rejects.toMatchObject({ code: 'session-expired' })
  })

  test('an ID token for another nonce is refused', async () => {
    const ways = waysOf(oidcProvider(configOf(issuer)))
    const { url, secret } = await ways.start(redirectUri)
    const back = await issuer.visit(url, 'Ada@Bench.Example')
    const other = JSON.stringify({ ...JSON.parse(secret), nonce: 'another' })
    await expect(ways.finish(back, other)).rejects.toMatchObject({ code: 'unavailable' })
  })

  test('who cancels there is not let in here', async () => {
    const ways = waysOf(oidcProvider(configOf(issuer)))
    const { url, secret } = await ways.start(redirectUri)
    const back = await issuer.cancel(url)
    expect(back.searchParams.get('error')).toBe('access_denied')
    await expect(ways.finish(back, secret)).rejects.toMatchObject({ code: 'bad-credentials' })
  })

  test('a wrong client secret is the fault of the settings and nobody is let in', async () => {
    const ways = waysOf(oidcProvider(configOf(issuer, { clientSecret: 'another' })))
    const { url, secret } = await ways.start(redirectUri)
    const back = await issuer.visit(url, 'Ada@Bench.Example')
    const refused = await failureOf(ways.finish(back, secret))
    expect(refused).toMatchObject({ code: 'unavailable' })
    expect(String(refused.cause)).toContain('invalid_client')
    expect(String(refused.cause)).not.toContain(back.searchParams.get('code'))
  })
})

describe('an address that the provider did not verify', () => {
  test.each([issuerNamed('userinfo'), issuerNamed('ID token')])(
    'lets nobody in: detected by the $name',
    async ({ at }) => {
      at().accounts.set('eve@bench.example', { email: 'ada@bench.example', emailVerified: false })
      await expect(signedIn(at(), undefined, 'eve@bench.example')).rejects.toMatchObject({ code: 'bad-credentials' })
      at().accounts.set('eve@bench.example', { email: 'ada@bench.example' })
      await expect(signedIn(at(), undefined, 'eve@bench.example')).rejects.toMatchObject({ code: 'bad-credentials' })
    },
  )

  test('counts where OIDC_TRUST_EMAIL is on and the provider says nothing of it, never where it says no', async () => {
    const ways = waysOf(oidcProvider(configOf(issuer, { trustEmail: true })))
    issuer.accounts.set('entra@bench.example', {})
    expect(await signedIn(issuer, ways, 'entra@bench.example')).toMatchObject({ login: 'entra@bench.example' })
    issuer.accounts.set('entra@bench.example', { emailVerified: false })
    await expect(signedIn(issuer, ways, 'entra@bench.example')).rejects.toMatchObject({ code: 'bad-credentials' })
  })
})

describe('asking again', () => {
  test('is good while the provider says so, with a new token each time', async () => {
    const { handle, recheck } = await handleOf()
    const again = await recheck(handle)
    if (again.kind !== 'good') throw new Error(again.kind)
    expect(again.handle).not.toBe(handle)
    expect((await recheck(again.handle)).kind).toBe('good')
  })

  test('ends when the account is closed there', async () => {
    const { handle, recheck } = await handleOf()
    issuer.accounts.clear()
    expect(await recheck(handle)).toEqual({ kind: 'ended' })
  })

  test('ends when the token was used before, with all that came from it', async () => {
    const { handle, recheck } = await handleOf()
    const again = await recheck(handle)
    if (again.kind !== 'good') throw new Error(again.kind)
    expect(await recheck(handle)).toEqual({ kind: 'ended' })
    expect(await recheck(again.handle)).toEqual({ kind: 'ended' })
  })

  test.each([issuerNamed('userinfo'), issuerNamed('ID token')])(
    'ends when the address is another one now, or no longer verified: detected by the $name',
    async ({ at }) => {
      for (const account of [{ email: 'new@bench.example', emailVerified: true }, { emailVerified: false }]) {
        at().accounts.set('Ada@Bench.Example', { emailVerified: true })
        const { handle, recheck } = await handleOf(at())
        at().accounts.set('Ada@Bench.Example', account)
        expect(await recheck(handle)).toEqual({ kind: 'ended' })
      }
    },
  )

  test('ends when the user must sign in there again', async () => {
    const { handle, recheck } = await handleOf()
    const lookUp = async () => {
      throw new errors.InteractionRequired()
    }
    issuer.accounts.set('Ada@Bench.Example', { emailVerified: true, lookUp })
    expect(await recheck(handle)).toEqual({ kind: 'ended' })
  })

  test('ends after signing out', async () => {
    const { handle, recheck, signOut } = await handleOf()
    await signOut(handle)
    expect(await recheck(handle)).toEqual({ kind: 'ended' })
  })
})

describe('a provider that is down', () => {
  test('has a limited time for all answers of a sign-in', async () => {
    const ways = waysOf(oidcProvider(configOf(issuer), { exchangeMs: 100 }))
    const { url, secret } = await ways.start(redirectUri)
    const back = await issuer.visit(url, 'Ada@Bench.Example')
    issuer.accounts.set('Ada@Bench.Example', { emailVerified: true, lookUp: () => new Promise(() => undefined) })
    const failure = await failureOf(ways.finish(back, secret))
    expect(String(failure.cause)).toContain('no answer within 100 ms')
  })

  test('is asked again by the next one, also when it was down from the start', async () => {
    const late = await startOidcIssuer({ redirectUri })
    late.accounts.set('Ada@Bench.Example', { emailVerified: true })
    await late.stop()
    const ways = waysOf(oidcProvider(configOf(late)))
    await expect(ways.start(redirectUri)).rejects.toMatchObject({ code: 'unavailable' })
    await late.start()
    const { handle = '' } = await signedIn(late, ways)

    await late.stop()
    const failure = await failureOf(ways.recheck(handle))
    expect(failure).toMatchObject({ code: 'unavailable' })
    expect(String(failure.cause)).toContain('fetch failed')
    await expect(ways.signOut(handle)).rejects.toMatchObject({ code: 'unavailable' })
    await late.start()
    expect(await ways.recheck(handle)).toMatchObject({ kind: 'good' })
    await late.stop()
  })
})

test('keys that the provider has just changed are read in the same sign-in and session check', async () => {
  const { ways, handle = '' } = await signedIn()
  await issuer.changeKeys()
  const again = await ways.recheck(handle)
  if (again.kind !== 'good') throw new Error(again.kind)
  await issuer.changeKeys()
  expect(await signedIn(issuer, ways)).toMatchObject({ login: 'ada@bench.example' })
  expect(await ways.recheck(again.handle)).toMatchObject({ kind: 'good' })
})

test('an ID token with the signature of another key is refused', async () => {
  const { publicKey } = await generateKeyPair('RS256')
  const fetched = fetch
  vi.stubGlobal('fetch', async (...call: Parameters<typeof fetch>) => {
    const answer = await fetched(...call)
    if (!String(call[0]).endsWith('/jwks')) return answer
    const { keys } = (await answer.json()) as { keys: object[] }
    return Response.json({ keys: [{ ...keys[0], ...(await exportJWK(publicKey)) }] })
  })
  try {
    const failure = await failureOf(signedIn())
    expect(failure).toMatchObject({ code: 'unavailable' })
    expect(String(failure.cause)).toContain('signature verification failed')
  } finally {
    vi.unstubAllGlobals()
  }
})

test('keys of a provider on https are on https', () => {
  const keys = 'https://id.bench.example/keys'
  expect(keysUrl('https://id.bench.example', keys).href).toBe(keys)
  expect(keysUrl('http://127.0.0.1:9000', 'http://127.0.0.1:9000/jwks').protocol).toBe('http:')
  expect(() => keysUrl('https://id.bench.example', 'http://id.bench.example/keys')).toThrow('not on https')
  expect(() => keysUrl('https://id.bench.example', undefined)).toThrow('no keys')
})

test('there is no form of ours', async () => {
  const provider = oidcProvider(configOf(issuer))
  const pending = { kind: 'SMS_MFA' as const, login: 'ada@bench.example', state: '' }
  const refused = { code: 'bad-credentials' }
  await expect(provider.signIn({ userId: 'ada@bench.example', password: 'x' })).rejects.toMatchObject(refused)
  await expect(provider.answer(pending, '123456')).rejects.toMatchObject(refused)
  await expect(provider.resend(pending)).rejects.toMatchObject(refused)
  await expect(provider.forgotPassword('ada@bench.example')).rejects.toMatchObject(refused)
  await expect(
    provider.confirmForgotPassword({ email: 'ada@bench.example', code: '123456', newPassword: 'x' }),
  ).rejects.toMatchObject(refused)
})

function issuerNamed(name: 'userinfo' | 'ID token') {
  return { name, at: () => (name === 'userinfo' ? issuer : inIdToken) }
}

async function failureOf(promise: Promise<unknown>): Promise<Error> {
  const error = await promise.then(
    () => undefined,
    (reason: unknown) => reason,
  )
  if (!(error instanceof Error)) throw new Error('It should have failed.')
  return error
}
