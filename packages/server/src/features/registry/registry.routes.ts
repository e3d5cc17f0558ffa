import {
  applyRegistry,
  deleteInstrumentFamily,
  deleteInstrumentType,
  importRegistry,
} from '@benchwatch/contract/administration/registry'
import type { RouteTypes } from '@benchwatch/contract/route'
import { registryKinds } from '@benchwatch/contract/vocabulary'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { problem } from '../../platform/http/problem.ts'
import type { FeatureContext } from '../context.ts'
import { deleteUnused } from './instrument-type.store.ts'
import { registeredKinds } from './registered-kinds.ts'
import { storedByKey, storedPage } from './registry.queries.ts'
import { importObjects, register, registryTag } from './registry.service.ts'
import { registryNouns } from './registry-object.ts'

/** Registry (wire 13): each kind can be put, read and listed by its natural key. */
export function registerRegistryRoutes(app: FastifyInstance, { bind, db, clock }: FeatureContext): void {
  bind(app, importRegistry, async ({ query: { kind, dryRun }, body: text, caller: actor, request }) => {
    const files = [{ kind, text, isCsv: isCsv(request) }]
    const { created, updated, errors } = await importObjects({ db, clock }, { files, dryRun, actor })
    return { created, updated, errors: errors.map(({ line, path, message }) => ({ line, path, message })) }
  })
  bind(app, applyRegistry, ({ query: { dryRun }, body, caller: actor }) => {
    const files = body.files.map(({ kind, format, text }) => ({
      kind,
      text: text.replace(/^\uFEFF/, ''),
      isCsv: format === 'csv',
    }))
    return importObjects({ db, clock }, { files, dryRun, actor })
  })

  for (const kind of registryKinds) {
    const { routes } = registeredKinds[kind]
    bind(app, routes.put, async ({ params, body: input, caller: actor, request, reply }) => {
      const object = { key: keyOf(params), input }
      const ifMatch = request.headers['if-match']
      const { stored, created } = await register(db, { kind, object, ifMatch, actor, clock })
      reply.code(created ? 201 : 200).header('etag', registryTag(kind, stored))
      return stored
    })
    bind(app, routes.get, async ({ params, reply }) => {
      const key = keyOf(params)
      const object = (await storedByKey(db, kind, [key])).get(key)
      if (!object) throw problem('not-found', `There is no ${registryNouns[kind]} "${key}" in the registry.`)
      reply.header('etag', registryTag(kind, object))
      return object
    })
    bind(app, routes.list, async ({ query }) => {
      const page = await storedPage(db, kind, query)
      // The values of a page are all of one kind.
      return page as RouteTypes<typeof routes.list>['answer']
    })
  }
  bind(app, deleteInstrumentFamily, async ({ params: { key }, caller: actor }) => {
    await deleteUnused(db, { kind: 'instrument-families', key, actor, at: clock.now() })
  })
  bind(app, deleteInstrumentType, async ({ params: { key }, caller: actor }) => {
    await deleteUnused(db, { kind: 'instrument-types', key, actor, at: clock.now() })
  })
}

/** The key of an event template contains a slash, so its parameter has another name. */
function keyOf(params: { key: string } | { '*': string }): string {
  return 'key' in params ? params.key : params['*']
}

function isCsv(request: FastifyRequest): boolean {
  return /^text\/csv\b/i.test(request.headers['content-type'] ?? '')
}
