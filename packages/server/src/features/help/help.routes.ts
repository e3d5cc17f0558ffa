import { createHelpCookie } from '@benchwatch/contract/help'
import type { FastifyInstance } from 'fastify'
import type { FeatureContext } from '../context.ts'
import { setHelpCookie } from './help-site.ts'

export function registerHelpRoutes(app: FastifyInstance, { bind, db, clock, config }: FeatureContext): void {
  bind(app, createHelpCookie, async ({ caller, reply }) => ({
    expiresIn: await setHelpCookie({ db, clock, config }, { userId: caller.id, sessionId: caller.sessionId }, reply),
  }))
}
