import { getMe, getMyFilters, listMyFeatures, listUsers } from '@benchwatch/contract/users/users'
import type { FastifyInstance } from 'fastify'
import type { FeatureContext } from '../context.ts'
import { listFeatures, listVisibleUsers, readFilterValues, readMe } from './users.queries.ts'

export function registerUserRoutes(app: FastifyInstance, { bind, db, config }: FeatureContext): void {
  bind(app, listUsers, ({ caller }) => listVisibleUsers(db, caller))
  bind(app, getMe, async ({ caller }) => ({
    ...(await readMe(db, caller)),
    inactivityLimitSeconds: config.inactivityLimitSeconds,
  }))
  bind(app, listMyFeatures, ({ caller }) => listFeatures(db, caller.id))
  bind(app, getMyFilters, ({ caller }) => readFilterValues(db, caller))
}
