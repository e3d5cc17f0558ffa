import {
  createWebhook as createWebhookRoute,
  deleteWebhook as deleteWebhookRoute,
  listWebhookDeliveries,
  listWebhooks,
  resendWebhookDelivery,
  rotateWebhookSecret,
  testWebhook as testWebhookRoute,
  updateWebhook as updateWebhookRoute,
} from '@benchwatch/contract/messages/webhooks'
import type { FastifyInstance } from 'fastify'
import type { FeatureContext } from '../context.ts'
import { readWebhooks } from './webhooks.queries.ts'
import {
  createWebhook,
  listDeliveries,
  removeWebhook,
  resendDelivery,
  rotateSecret,
  testWebhook,
  updateWebhook,
} from './webhooks.service.ts'

export function registerWebhookRoutes(app: FastifyInstance, context: FeatureContext): void {
  const { bind, db, clock } = context
  bind(app, listWebhooks, async ({ caller }) => ({ values: await readWebhooks(db, { caller, at: clock.now() }) }))
  bind(app, createWebhookRoute, ({ caller, body: input }) => createWebhook(context, { input, caller }))
  bind(app, updateWebhookRoute, ({ caller, params: { id }, body: input }) =>
    updateWebhook(context, { id, input, caller }),
  )
  bind(app, deleteWebhookRoute, ({ caller, params: { id } }) => removeWebhook(context, { id, caller }))
  bind(app, rotateWebhookSecret, ({ caller, params: { id } }) => rotateSecret(context, { id, caller }))
  bind(app, testWebhookRoute, ({ caller, params: { id } }) => testWebhook(context, { id, caller }))
  bind(app, listWebhookDeliveries, ({ caller, params: { id }, query }) => listDeliveries(db, { id, caller, ...query }))
  bind(app, resendWebhookDelivery, ({ caller, params: { id, deliveryId } }) =>
    resendDelivery(context, { id, deliveryId, caller }),
  )
}
