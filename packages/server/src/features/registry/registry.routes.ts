import {
  applyRegistry,
  deleteInstrumentFamily,
  deleteInstrumentType,
  importRegistry,
  registryRoutes,
} from '@benchwatch/contract/administration/registry'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { ApiTokenActor, UserActor } from '../../db/actor.ts'
import { problem } from '../../platform/http/problem.ts'
import type { FeatureContext } from '../context.ts'
import { upsertContacts, upsertContracts, upsertCustomers, upsertSites } from './customers.store.ts'
import { upsertEventTemplates } from './event-templates.store.ts'
import { upsertGateways } from './gateways.store.ts'
import { importObjects } from './import.service.ts'
import { deleteUnused, upsertInstrumentFamilies, upsertInstrumentTypes } from './instrument-type.store.ts'
import { upsertInstruments } from './instruments.store.ts'
import { storedByKey, storedPage } from './registry.queries.ts'
import { register, type Upsert } from './registry.service.ts'
import { type RegistryKind, registryNouns } from './registry-object.ts'

interface Put<Input> {
  key: string
  input: Input
  actor: UserActor | ApiTokenActor
  reply: FastifyReply
}

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

  const put = async <K extends RegistryKind, Input>(
    kind: K,
    upsert: Upsert<Input>,
    { key, input, actor, reply }: Put<Input>,
  ) => {
    const done = await register(db, { kind, object: { key, input }, upsert, actor, at: clock.now() })
    reply.code(done.created ? 201 : 200)
    return done.stored
  }
  const get = async <K extends RegistryKind>(kind: K, key: string) => {
    const object = (await storedByKey(db, kind, [key])).get(key)
    if (!object) throw problem('not-found', `There is no ${registryNouns[kind]} "${key}" in the registry.`)
    return object
  }
  const { customer, site, contract, contact, instrumentFamily, instrumentType, instrument, gateway, eventTemplate } =
    registryRoutes

  bind(app, customer.put, ({ params: { key }, body: input, caller: actor, reply }) =>
    put('customers', upsertCustomers, { key, input, actor, reply }),
  )
  bind(app, customer.get, ({ params }) => get('customers', params.key))
  bind(app, customer.list, ({ query }) => storedPage(db, 'customers', query))

  bind(app, site.put, ({ params: { key }, body: input, caller: actor, reply }) =>
    put('sites', upsertSites, { key, input, actor, reply }),
  )
  bind(app, site.get, ({ params }) => get('sites', params.key))
  bind(app, site.list, ({ query }) => storedPage(db, 'sites', query))

  bind(app, contract.put, ({ params: { key }, body: input, caller: actor, reply }) =>
    put('contracts', upsertContracts, { key, input, actor, reply }),
  )
  bind(app, contract.get, ({ params }) => get('contracts', params.key))
  bind(app, contract.list, ({ query }) => storedPage(db, 'contracts', query))

  bind(app, contact.put, ({ params: { key }, body: input, caller: actor, reply }) =>
    put('contacts', upsertContacts, { key, input, actor, reply }),
  )
  bind(app, contact.get, ({ params }) => get('contacts', params.key))
  bind(app, contact.list, ({ query }) => storedPage(db, 'contacts', query))

  bind(app, instrumentFamily.put, ({ params: { key }, body: input, caller: actor, reply }) =>
    put('instrument-families', upsertInstrumentFamilies, { key, input, actor, reply }),
  )
  bind(app, instrumentFamily.get, ({ params }) => get('instrument-families', params.key))
  bind(app, instrumentFamily.list, ({ query }) => storedPage(db, 'instrument-families', query))
  bind(app, deleteInstrumentFamily, async ({ params: { key }, caller: actor }) => {
    await deleteUnused(db, { kind: 'instrument-families', key, actor, at: clock.now() })
  })

  bind(app, instrumentType.put, ({ params: { key }, body: input, caller: actor, reply }) =>
    put('instrument-types', upsertInstrumentTypes, { key, input, actor, reply }),
  )
  bind(app, instrumentType.get, ({ params }) => get('instrument-types', params.key))
  bind(app, instrumentType.list, ({ query }) => storedPage(db, 'instrument-types', query))
  bind(app, deleteInstrumentType, async ({ params: { key }, caller: actor }) => {
    await deleteUnused(db, { kind: 'instrument-types', key, actor, at: clock.now() })
  })

  bind(app, instrument.put, ({ params: { key }, body: input, caller: actor, reply }) =>
    put('instruments', upsertInstruments, { key, input, actor, reply }),
  )
  bind(app, instrument.get, ({ params }) => get('instruments', params.key))
  bind(app, instrument.list, ({ query }) => storedPage(db, 'instruments', query))

  bind(app, gateway.put, ({ params: { key }, body: input, caller: actor, reply }) =>
    put('gateways', upsertGateways, { key, input, actor, reply }),
  )
  bind(app, gateway.get, ({ params }) => get('gateways', params.key))
  bind(app, gateway.list, ({ query }) => storedPage(db, 'gateways', query))

  bind(app, eventTemplate.put, ({ params: { '*': key }, body: input, caller: actor, reply }) =>
    put('event-templates', upsertEventTemplates, { key, input, actor, reply }),
  )
  bind(app, eventTemplate.get, ({ params }) => get('event-templates', params['*']))
  bind(app, eventTemplate.list, ({ query }) => storedPage(db, 'event-templates', query))
}

function isCsv(request: FastifyRequest): boolean {
  return /^text\/csv\b/i.test(request.headers['content-type'] ?? '')
}
