import { listOutbox } from '@benchwatch/contract/messages/messages'
import type { FastifyInstance } from 'fastify'
import type { FeatureContext } from '../context.ts'
import { readOutbox } from './messages.store.ts'

export function registerMessageRoutes(app: FastifyInstance, { bind, db, config }: FeatureContext): void {
  bind(app, listOutbox, async () => ({ values: await readOutbox(db, config) }))
}
