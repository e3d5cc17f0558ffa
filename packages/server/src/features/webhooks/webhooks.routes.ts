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
  bind(app, createWebhookRoute, async ({ caller, body: input, reply }) => {
    const webhook = await createWebhook(context, { input, caller })
    reply.code(201)
    return webhook
  })
  bind(app, updateWebhookRoute, ({ caller, params: { id }, body: input }) =>
    updateWebhook(context, { id, input, caller }),
  )
  bind(app, deleteWebhookRoute, async ({ caller, params: { id } }) => {
    await removeWebhook(context, { id, caller })
    return undefined
  })
  bind(app, rotateWebhookSecret, ({ caller, params: { id } }) => rotateSecret(context, { id, caller }))
  bind(app, testWebhookRoute, async ({ caller, params: { id } }) => {
    await testWebhook(context, { id, caller })
    return undefined
  })
  bind(app, listWebhookDeliveries, ({ caller, params: { id }, query }) => listDeliveries(db, { id, caller, ...query }))
  bind(app, resendWebhookDelivery, async ({ caller, params: { id, deliveryId } }) => {
    await resendDelivery(context, { id, deliveryId, caller })
    return undefined
  })
}
