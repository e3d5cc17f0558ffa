import type { RouteName } from '@benchwatch/contract/paths'
import { paths } from '@benchwatch/contract/paths'
import type { CallTypes } from '@benchwatch/contract/route'
import type { Routes } from '@benchwatch/contract/routes'
import type { Role } from '@benchwatch/contract/vocabulary'
import type { DataScope } from '../../db/actor.ts'
import { inTransaction } from '../../db/transaction.ts'
import { insertApiToken, newApiToken } from '../../features/auth/api-tokens.store.ts'
import { createSession } from '../../features/auth/session/session.store.ts'
import { insertUser, type NewUser } from '../../features/users/users.store.ts'
import { samplePasswordHash } from '../sample-people.ts'
import { addressOf, type TestApp } from '../test-app.ts'
import type { AccessFixture } from './access-fixture.ts'

/** Callers of the access matrix, in the order of its columns in access-matrix.tsv. */
export const callerNames = [
  'anonymous',
  'customer A',
  'customer B',
  'service',
  'support',
  'admin',
  'API token',
  'gateway of A',
] as const
export type CallerName = (typeof callerNames)[number]

/** A user created for one call, or a program; anonymous callers and programs have no id. */
export interface AccessCaller {
  name: CallerName
  userId: number | null
  headers: Record<string, string>
}

export interface CallContext {
  app: TestApp
  fixture: AccessFixture
  caller: AccessCaller
}

export interface AccessRequest<N extends RouteName> {
  params?: CallTypes<Routes[N]>['params']
  query?: CallTypes<Routes[N]>['query']
  body?: CallTypes<Routes[N]>['body']
  headers?: Record<string, string>
}

export interface RawAnswer {
  status: number
  /** Headers and body as sent: everything the caller receives. */
  bytes: string
  body: unknown
}

let people = 0

/** Adds a user with a neutral name and the password of sample users. */
export async function addPerson(app: TestApp, over: Partial<NewUser> = {}): Promise<{ id: number; login: string }> {
  people += 1
  const login = `person-${people}@people.example`
  const user: NewUser = {
    login,
    email: login,
    name: `Person ${people}`,
    msisdn: null,
    role: 'service',
    scope: 'all',
    passwordHash: await samplePasswordHash(),
    ...over,
  }
  const at = app.clock.now()
  const actor = { type: 'command', name: 'test' } as const
  const id = await inTransaction(app.database.db, (trx) => insertUser(trx, { user, actor, at }))
  if (id === undefined) throw new Error(`There is already a user ${login}.`)
  return { id, login }
}

/** Creates a caller of this kind with a new session, so that calls don't affect each other. */
export async function newCaller(app: TestApp, fixture: AccessFixture, name: CallerName): Promise<AccessCaller> {
  const bearer = (token: string) => ({ authorization: `Bearer ${token}` })
  const person = async (role: Role, scope: DataScope): Promise<AccessCaller> => {
    // Users of A belong to its data: their names contain its mark.
    const isOfA = scope !== 'all' && scope.includes(fixture.a.id)
    const { id } = await addPerson(app, { role, scope, ...(isOfA && { name: `${fixture.a.mark} colleague` }) })
    const { accessToken } = await createSession(
      { db: app.database.db, clock: app.clock, config: app.config },
      { userId: id },
    )
    return { name, userId: id, headers: bearer(accessToken) }
  }
  switch (name) {
    case 'anonymous':
      return { name, userId: null, headers: {} }
    case 'customer A':
      return person('customer', [fixture.a.id])
    case 'customer B':
      return person('customer', [fixture.b.id])
    case 'service':
    case 'support':
    case 'admin':
      return person(name, 'all')
    case 'API token':
      return { name, userId: null, headers: bearer(await newRegistryToken(app)) }
    case 'gateway of A':
      return { name, userId: null, headers: bearer(fixture.a.gateway.key) }
  }
}

async function newRegistryToken(app: TestApp): Promise<string> {
  const { token, hash } = newApiToken()
  const { id } = await addPerson(app, { role: 'admin' })
  const by = { type: 'user', id, name: 'Person', role: 'admin', scope: 'all', sessionId: '' } as const
  const at = app.clock.now()
  const expiresAt = new Date(at.getTime() + 86_400_000)
  await inTransaction(app.database.db, (trx) =>
    insertApiToken(trx, { name: 'test', hash, scopes: ['registry'], expiresAt, by, at }),
  )
  return token
}

/** Sends a request from another machine than the server's own; returns the answer as sent. */
export async function ask<N extends RouteName>(
  app: TestApp,
  name: N,
  request: AccessRequest<N> & { payload?: string },
): Promise<RawAnswer> {
  const { method, path } = paths[name]
  const payload = request.payload ?? (request.body as object | string | undefined)
  const answer = await app.app.http.inject({
    method,
    url: addressOf(path, request.params, request.query),
    headers: { ...request.headers },
    ...(payload !== undefined && { payload }),
    remoteAddress: '203.0.113.9',
  })
  return {
    status: answer.statusCode,
    bytes: `${JSON.stringify(answer.headers)}\n${answer.body}`,
    body: /json/.test(answer.headers['content-type'] ?? '') ? JSON.parse(answer.body) : null,
  }
}
