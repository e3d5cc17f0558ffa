import type { Access } from '@benchwatch/contract/route'
import type { ApiTokenScope } from '@benchwatch/contract/vocabulary'
import type { FastifyRequest } from 'fastify'
import type { ApiTokenActor, Callers, GatewayActor, UserActor } from '../../../db/actor.ts'
import type { Authorise } from '../../../platform/http/bind.ts'
import { problem } from '../../../platform/http/problem.ts'
import type { FeatureContext } from '../../context.ts'
import { featureIsOn } from '../../users/users.lookup.ts'
import { findApiToken, isApiToken } from '../api-tokens.store.ts'
import { findCaller } from './session.store.ts'
import { bearerOf, verifyAccessToken } from './session-token.ts'

interface Needs extends Pick<FeatureContext, 'db' | 'clock' | 'config'> {
  /** Checks a gateway's key against the gateway in the URL. Throws a ProblemError if it does not match. */
  authenticateGateway(claim: { gateway: string; key: string | undefined }): Promise<GatewayActor>
  /** Returns the viewer of the built-in dashboard by the token in the URL, or throws a ProblemError. */
  kpiEmbedCaller(request: FastifyRequest): Promise<UserActor>
  /** Returns whether the demo's outbox is in use, and whether the request comes from the same machine. */
  outboxAccess(request: FastifyRequest): { isOpen: boolean; isLocal: boolean }
}

/**
 * Checks callers against the access that each route declares. No user data is cached: sign-out, a disabled account or
 * a changed scope takes effect with the next call on every node, at the cost of one indexed query per call.
 */
export function createAuthorise(needs: Needs): Authorise<Callers> {
  return (async (access: Access, request: FastifyRequest) => {
    switch (access.kind) {
      case 'public':
        return undefined
      case 'gateway': {
        const { gateway } = request.params as { gateway: string }
        return needs.authenticateGateway({ gateway, key: bearerOf(request) })
      }
      case 'cases':
      case 'registry':
        return systemCaller(needs, request, access.kind)
      case 'kpi-embed':
        return needs.kpiEmbedCaller(request)
      case 'outbox': {
        const { isOpen, isLocal } = needs.outboxAccess(request)
        if (!isOpen) throw problem('not-found', 'The outbox exists only in the demo.')
        return isLocal ? undefined : withRole(await signedIn(needs, request), ['admin'])
      }
      case 'signed-in': {
        const caller = await signedIn(needs, request)
        if (access.roles) withRole(caller, access.roles)
        for (const key of access.flags ?? []) {
          if (await featureIsOn(needs.db, { userId: caller.id, key })) continue
          throw problem('feature-off', `The feature ${key} is switched off for you. Ask an administrator.`)
        }
        return caller
      }
    }
  }) as Authorise<Callers>
}

async function signedIn({ db, clock }: Needs, request: FastifyRequest): Promise<UserActor> {
  const token = bearerOf(request)
  const subject = token === undefined ? undefined : await verifyAccessToken({ db, clock }, token)
  const caller = subject && (await findCaller(db, subject))
  if (!caller) throw problem('session-expired', 'Session expired')
  return caller
}

/** API tokens are recognised by their prefix, so an access token is never looked up as one. */
async function systemCaller(
  needs: Needs,
  request: FastifyRequest,
  scope: ApiTokenScope,
): Promise<UserActor | ApiTokenActor> {
  const bearer = bearerOf(request)
  if (bearer === undefined || !isApiToken(bearer)) return withRole(await signedIn(needs, request), ['admin'])
  const found = await findApiToken(needs.db, { token: bearer, at: needs.clock.now() })
  if (!found) throw problem('session-expired', 'The API token is unknown, revoked or expired. Ask an administrator.')
  if (!found.scopes.includes(scope)) throw problem('wrong-role', `This API token does not have the scope "${scope}".`)
  return found.actor
}

function withRole(caller: UserActor, roles: readonly string[]): UserActor {
  if (!roles.includes(caller.role)) {
    throw problem(
      'wrong-role',
      `Your role does not allow this. It requires the role ${roles.join(' or ')}. Ask an administrator.`,
    )
  }
  return caller
}
