import type { ErrorCode } from '@benchwatch/contract/errors'
import type { FastifyError, FastifyInstance, FastifyRequest } from 'fastify'
import { asProblem } from '../../platform/http/error-handler.ts'
import { problem } from '../../platform/http/problem.ts'
import { isSameSecret } from '../../platform/secret-token.ts'
import { bearerOf } from '../auth/session/session-token.ts'
import type { FeatureContext } from '../context.ts'
import { listGroups, listUsers, type Resource } from './scim.queries.ts'
import {
  changeGroup,
  changeUser,
  createGroup,
  createUser,
  removeGroup,
  removeUser,
  type ScimNeeds,
} from './scim.service.ts'
import { type ListQuery, readGroup, readGroupPatch, readList, readUser, readUserPatch } from './scim-messages.ts'

const PREFIX = '/scim/v2'
const MEDIA_TYPE = 'application/scim+json'

const scimTypes: Partial<Record<ErrorCode, string>> = {
  'login-taken': 'uniqueness',
  'malformed-json': 'invalidSyntax',
}

/** A group of 10,000 members as a whole. */
const BODY_LIMIT = 2 * 1024 * 1024

/**
 * Serves SCIM 2.0 (RFC 7644) to the identity provider. It is not part of the contract: paths, media type and errors are
 * those of the RFC. Without SCIM_TOKEN every path answers 404.
 */
export async function registerScimRoutes(app: FastifyInstance, context: FeatureContext): Promise<void> {
  const { db, config } = context
  const needs: ScimNeeds = { ...context, groups: config.scim?.groups ?? [] }
  await app.register(
    async (scim) => {
      takeScimErrors(scim)
      scim.addContentTypeParser(MEDIA_TYPE, { parseAs: 'string' }, scim.getDefaultJsonParser('error', 'error'))
      scim.addHook('onRoute', (route) => {
        route.schema = { hide: true }
        route.bodyLimit = BODY_LIMIT
      })
      scim.addHook('onRequest', async (request, reply) => {
        reply.header('cache-control', 'no-store').type(`${MEDIA_TYPE}; charset=utf-8`)
        authorise(config.scim?.token, request)
      })

      scim.get('/ServiceProviderConfig', async () => serviceProviderConfig)
      scim.get('/ResourceTypes', async () => asList(resourceTypes))
      scim.get('/Schemas', async () => asList(schemas))

      const locate = located(config.publicUrl)
      const list = async (query: ListQuery, { total, resources }: { total: number; resources: Resource[] }) => ({
        ...asList(resources.map(locate), total),
        startIndex: query.offset + 1,
      })
      const userOf = async (id: string) => locate(onlyOne(await listUsers(db, byId(id)), `user ${id}`))
      const groupOf = async (id: string) => locate(onlyOne(await listGroups(db, byId(id)), `group ${id}`))

      scim.get('/Users', async ({ query: sent }) => {
        const query = readList(sent, ['userName', 'externalId', 'id', 'active'])
        return list(query, await listUsers(db, query))
      })
      scim.get<ById>('/Users/:id', ({ params: { id } }) => userOf(id))
      scim.post('/Users', async ({ body }, reply) => {
        const user = await userOf(await createUser(needs, readUser(body)))
        return reply.code(201).header('location', user.meta.location).send(user)
      })
      scim.put<ById>('/Users/:id', async ({ params: { id }, body }) => {
        await changeUser(needs, { id, change: readUser(body) })
        return userOf(id)
      })
      scim.patch<ById>('/Users/:id', async ({ params: { id }, body }) => {
        await changeUser(needs, { id, change: readUserPatch(body) })
        return userOf(id)
      })
      scim.delete<ById>('/Users/:id', async ({ params: { id } }, reply) => {
        await removeUser(needs, id)
        return reply.code(204).send()
      })

      scim.get('/Groups', async ({ query: sent }) => {
        const query = readList(sent, ['displayName', 'externalId', 'id'])
        return list(query, await listGroups(db, query))
      })
      scim.get<ById>('/Groups/:id', async ({ params: { id }, query: sent }) => {
        const { withMembers } = readList(sent, [])
        return locate(onlyOne(await listGroups(db, { ...byId(id), withMembers }), `group ${id}`))
      })
      scim.post('/Groups', async ({ body }, reply) => {
        const group = await groupOf(await createGroup(needs, readGroup(body)))
        return reply.code(201).header('location', group.meta.location).send(group)
      })
      scim.put<ById>('/Groups/:id', async ({ params: { id }, body }) => {
        await changeGroup(needs, { id, change: readGroup(body) })
        return groupOf(id)
      })
      // Without the group, which may have thousands of members.
      scim.patch<ById>('/Groups/:id', async ({ params: { id }, body }, reply) => {
        await changeGroup(needs, { id, change: readGroupPatch(body) })
        return reply.code(204).send()
      })
      scim.delete<ById>('/Groups/:id', async ({ params: { id } }, reply) => {
        await removeGroup(needs, id)
        return reply.code(204).send()
      })
      scim.all('/*', async () => {
        throw problem('not-found', 'This path is not supported. See ResourceTypes.')
      })
    },
    { prefix: PREFIX },
  )
}

interface ById {
  Params: { id: string }
}

function authorise(token: string | undefined, request: FastifyRequest): void {
  if (token === undefined) throw problem('not-found', 'SCIM is switched off. Set SCIM_TOKEN.')
  if (!isSameSecret(token, bearerOf(request) ?? ''))
    throw problem('session-expired', 'Send SCIM_TOKEN as a bearer token.')
}

function takeScimErrors(scim: FastifyInstance): void {
  scim.setErrorHandler((error: FastifyError, request, reply) => {
    const { status, code, message, extras } = asProblem(error, request)
    if (status >= 500) request.log.error({ err: error, code }, 'a SCIM request failed')
    const scimType = extras.members?.scimType ?? scimTypes[code]
    if (extras.retryAfter !== undefined) reply.header('retry-after', extras.retryAfter)
    return reply
      .code(status)
      .type(`${MEDIA_TYPE}; charset=utf-8`)
      .send({
        schemas: ['urn:ietf:params:scim:api:messages:2.0:Error'],
        status: String(status),
        ...(scimType !== undefined && { scimType }),
        detail: message,
      })
  })
}

function asList(resources: readonly object[], total = resources.length) {
  return {
    schemas: ['urn:ietf:params:scim:api:messages:2.0:ListResponse'],
    totalResults: total,
    itemsPerPage: resources.length,
    startIndex: 1,
    Resources: resources,
  }
}

function located(publicUrl: string) {
  return (resource: Resource) => {
    const location = `${publicUrl}${PREFIX}/${resource.meta.resourceType}s/${resource.id}`
    return { ...resource, meta: { ...resource.meta, location } }
  }
}

function byId(value: string): ListQuery {
  return { filters: [{ attribute: 'id', value }], offset: 0, limit: 1, withMembers: true }
}

function onlyOne({ resources: [resource] }: { resources: Resource[] }, name: string): Resource {
  if (!resource) throw problem('not-found', `There is no ${name}.`)
  return resource
}

// A provider reads these documents to find out what is supported (RFC 7643 sections 5 to 7).

const SCHEMA = 'urn:ietf:params:scim:schemas:core:2.0'

const serviceProviderConfig = {
  schemas: [`${SCHEMA}:ServiceProviderConfig`],
  patch: { supported: true },
  bulk: { supported: false, maxOperations: 0, maxPayloadSize: 0 },
  filter: { supported: true, maxResults: 200 },
  changePassword: { supported: false },
  sort: { supported: false },
  etag: { supported: false },
  authenticationSchemes: [
    {
      type: 'oauthbearertoken',
      name: 'Bearer token',
      description: 'The token of SCIM_TOKEN in the header Authorization.',
      primary: true,
    },
  ],
  meta: { resourceType: 'ServiceProviderConfig' },
} as const

const resourceTypes = (['User', 'Group'] as const).map((name) => ({
  schemas: [`${SCHEMA}:ResourceType`],
  id: name,
  name,
  endpoint: `/${name}s`,
  schema: `${SCHEMA}:${name}`,
  meta: { resourceType: 'ResourceType' },
}))

const text = (name: string, more: object = {}) => ({
  name,
  type: 'string',
  multiValued: false,
  required: false,
  caseExact: false,
  mutability: 'readWrite',
  returned: 'default',
  uniqueness: 'none',
  ...more,
})
const several = (name: string, mutability: 'readOnly' | 'readWrite') => ({
  name,
  type: 'complex',
  multiValued: true,
  required: false,
  mutability,
  returned: 'default',
  subAttributes: [text('value', { mutability }), text('display', { mutability: 'readOnly' })],
})

const schemas = [
  {
    schemas: [`${SCHEMA}:Schema`],
    id: `${SCHEMA}:User`,
    name: 'User',
    attributes: [
      text('userName', { required: true, mutability: 'immutable', uniqueness: 'server' }),
      text('externalId', { caseExact: true }),
      text('displayName'),
      {
        ...text('name'),
        type: 'complex',
        subAttributes: [
          text('formatted'),
          ...['givenName', 'familyName'].map((name) => text(name, { returned: 'never' })),
        ],
      },
      { ...text('active'), type: 'boolean' },
      several('emails', 'readOnly'),
      several('groups', 'readOnly'),
    ],
    meta: { resourceType: 'Schema' },
  },
  {
    schemas: [`${SCHEMA}:Schema`],
    id: `${SCHEMA}:Group`,
    name: 'Group',
    attributes: [
      text('displayName', { required: true, uniqueness: 'server' }),
      text('externalId', { caseExact: true }),
      several('members', 'readWrite'),
    ],
    meta: { resourceType: 'Schema' },
  },
]
