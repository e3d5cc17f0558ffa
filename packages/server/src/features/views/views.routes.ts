import {
  createView as createViewRoute,
  deleteView as deleteViewRoute,
  listViews as listViewsRoute,
  updateView as updateViewRoute,
} from '@benchwatch/contract/events/views'
import type { FastifyInstance } from 'fastify'
import type { FeatureContext } from '../context.ts'
import { listViews } from './views.queries.ts'
import { createView, removeView, updateView } from './views.service.ts'

export function registerViewRoutes(app: FastifyInstance, context: FeatureContext): void {
  const { bind, db } = context
  bind(app, listViewsRoute, ({ caller }) => listViews(db, caller))
  bind(app, createViewRoute, ({ caller, body }) => createView(context, { input: body, caller }))
  bind(app, updateViewRoute, ({ caller, params, body }) => updateView(context, { id: params.id, input: body, caller }))
  bind(app, deleteViewRoute, ({ caller, params }) => removeView(context, { id: params.id, caller }))
}
