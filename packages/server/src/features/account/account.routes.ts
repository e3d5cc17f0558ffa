import {
  beginTotp,
  changePassword,
  confirmTotp,
  endMySession,
  getSecondFactor,
  listMySessions,
  removeTotp,
  renewRecoveryCodes,
} from '@benchwatch/contract/users/account'
import type { FastifyInstance } from 'fastify'
import type { LiveHub } from '../../platform/live/hub.ts'
import { originOf } from '../auth/credentials/attempts.ts'
import { closeEnded } from '../auth/providers/provider-session.ts'
import type { FeatureContext } from '../context.ts'
import { type AccountNeeds, createAccountService } from './account.service.ts'
import { listSessions } from './sessions.queries.ts'

interface Account extends AccountNeeds, Pick<FeatureContext, 'bind'> {
  hub: Pick<LiveHub, 'end'>
}

/** Registers the routes for the caller's own account: sessions, password, second factor. */
export function registerAccountRoutes(app: FastifyInstance, account: Account): void {
  const { bind, db, clock, config } = account
  const service = createAccountService(account)

  bind(app, listMySessions, async ({ caller }) => {
    const activeSince = new Date(clock.now().getTime() - config.inactivityLimitSeconds * 1000)
    return { values: await listSessions(db, { caller, activeSince }) }
  })

  bind(app, endMySession, async ({ caller, params }) => {
    await closeEnded(account, await service.endSession(caller, params.id))
    return undefined
  })

  bind(app, changePassword, async ({ caller, body, request }) => {
    await closeEnded(account, await service.changePassword({ caller, from: originOf(request) }, body))
    return undefined
  })

  bind(app, getSecondFactor, ({ caller }) => service.secondFactor(caller))

  bind(app, beginTotp, ({ caller, body, request }) =>
    service.beginTotp({ caller, from: originOf(request) }, body.password),
  )

  bind(app, confirmTotp, ({ caller, body, request }) => service.confirm({ caller, from: originOf(request) }, body.code))

  bind(app, removeTotp, async ({ caller, body, request }) => {
    await service.remove({ caller, from: originOf(request) }, body.password)
    return undefined
  })

  bind(app, renewRecoveryCodes, ({ caller, body, request }) =>
    service.renewCodes({ caller, from: originOf(request) }, body.password),
  )
}
