import { commonErrors, type ErrorCode, errorCatalogue, problem } from '@benchwatch/contract/errors'
import type { Access, Route } from '@benchwatch/contract/route'
import { z } from 'zod'
import { apiTags, areaOf, describeAccess } from './api-areas.ts'

/** The part of an OpenAPI 3.1 document that is completed here. */
interface Document {
  info?: object
  paths?: Record<string, Record<string, Operation> | undefined>
  components?: { schemas?: Record<string, unknown>; securitySchemes?: Record<string, unknown> }
}

interface Operation {
  operationId?: string
  description?: string
  tags?: string[]
  security?: Record<string, string[]>[]
  parameters?: { name: string; in: string; required?: boolean; description?: string; schema?: object }[]
  requestBody?: { required?: boolean; content: Record<string, { schema: { default?: unknown } }> }
  responses?: Record<string, unknown>
}

const text = { type: 'string' }
const file = { type: 'string', format: 'binary' }

/** The version that the caller saw, as the ETag of a read gave it. */
const ifMatch = {
  name: 'If-Match',
  in: 'header',
  required: false,
  description: 'The ETag of the version that the caller saw; another one is answered with 412.',
  schema: text,
}

/** What is no route of the contract's table: this document itself, and the live connection. */
const handDescribed = {
  '/api/openapi.json': {
    get: {
      operationId: 'getApiDescription',
      summary: 'This description',
      description: 'Anybody may call it, without a token.',
      tags: [areaOf('/openapi.json')],
      security: [],
      responses: { 200: { description: 'Success', content: { 'application/json': { schema: { type: 'object' } } } } },
    },
  },
  '/api/live': {
    get: {
      operationId: 'openLive',
      summary: 'The live connection, a websocket',
      description:
        'Tells what changes, to whoever may see it. Opened with a token of its own, good once and for 30 seconds.',
      tags: [areaOf('/live')],
      security: [],
      parameters: [
        { name: 'token', in: 'query', required: true, description: 'From POST /auth/live-token.', schema: text },
        { name: 'after', in: 'query', required: false, description: 'The last seq that was seen.', schema: text },
      ],
      responses: {
        101: { description: 'Switching to the websocket protocol' },
        426: {
          description: 'Upgrade required (upgrade-required)',
          content: { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } },
        },
      },
    },
  },
}

/** How requests and answers look wherever nothing else is said. */
const ABOUT =
  'Requests and answers are JSON. Absent values are null, ids are texts, instants are ISO 8601 in UTC. Unknown parameters and fields are refused. Errors are application/problem+json with a stable code. What lies outside the caller’s customers is not found.'

const PROBLEM = { $ref: '#/components/schemas/Problem' }

/**
 * Adds to a generated description what only the contract knows: the name of each route, who may call it, the answer
 * without a body, and every error by its status as application/problem+json. Throws when a route of the contract is
 * not described, which is a route that nobody registered.
 */
export function completeApiDescription(
  generated: object,
  { routes, contact }: { routes: Readonly<Record<string, Route>>; contact: { email: string } },
): object {
  const document = structuredClone(generated) as Document
  const paths: Document['paths'] = {}
  for (const [path, item] of Object.entries(document.paths ?? {})) paths[path.replace('{*}', '{key}')] = item
  for (const [name, route] of Object.entries(routes)) {
    const path = `/api${route.path.replace(/:(\w+)/g, '{$1}').replace('*', '{key}')}`
    const operation = paths[path]?.[route.method.toLowerCase()]
    if (!operation) throw new Error(`${route.method} ${path} is not registered.`)
    complete(operation, name, route)
  }
  Object.assign(paths, handDescribed)
  paths['/api/alarms/{id}']?.put?.parameters?.push(ifMatch)
  for (const item of Object.values(paths)) closeTuples(item)
  return {
    ...document,
    info: { ...document.info, description: ABOUT, contact },
    // Relative: whoever reads it at a server means that server.
    servers: [{ url: '/' }],
    tags: apiTags,
    paths,
    components: {
      ...document.components,
      schemas: { ...document.components?.schemas, Problem: problemSchema() },
      securitySchemes: {
        bearer: {
          type: 'http',
          scheme: 'bearer',
          description: 'The access token of POST /auth/sign-in or /auth/refresh.',
        },
        gatewayKey: { type: 'http', scheme: 'bearer', description: 'A gateway’s own key.' },
        kpiEmbed: {
          type: 'http',
          scheme: 'bearer',
          description:
            'The token in the fragment of the address that GET /kpi/{id} answers for the built-in dashboard.',
        },
        apiToken: { type: 'http', scheme: 'bearer', description: 'An API token with the scope registry.' },
      },
    },
  }
}

function complete(operation: Operation, name: string, route: Route): void {
  operation.operationId = name
  operation.description = describeAccess(route)
  operation.tags = [areaOf(route.path)]
  const security = securityOf[route.access.kind]
  if (security) operation.security = security
  for (const parameter of operation.parameters ?? []) if (parameter.name === '*') parameter.name = 'key'
  // The generator calls every body required; one with a default may be left out.
  const body = operation.requestBody
  if (body && Object.values(body.content).some(({ schema }) => schema.default !== undefined)) body.required = false
  const successes = Object.fromEntries(
    (route.success ?? [200]).map((status) => [
      status,
      {
        ...(route.answer && (operation.responses?.[status] as object)),
        ...(route.answerType !== undefined && { content: { [route.answerType]: { schema: file } } }),
        description: successWords[status] ?? 'Success',
      },
    ]),
  )
  operation.responses = { ...successes, ...errorResponses([...route.errors, ...commonErrors]) }
}

/** Where the document's own rule, a bearer, does not hold. The outbox asks nobody on its own machine. */
const securityOf: Partial<Record<Access['kind'], Record<string, string[]>[]>> = {
  public: [],
  gateway: [{ gatewayKey: [] }],
  registry: [{ bearer: [] }, { apiToken: [] }],
  'kpi-embed': [{ kpiEmbed: [] }],
  outbox: [{}, { bearer: [] }],
}

const successWords: Record<number, string> = {
  200: 'Success',
  201: 'Created',
  202: 'Accepted',
  204: 'Success, no body',
  302: 'Elsewhere: see Location',
}

function errorResponses(codes: readonly ErrorCode[]): Record<string, unknown> {
  const byStatus = Map.groupBy(new Set(codes), (code) => errorCatalogue[code].status)
  return Object.fromEntries(
    [...byStatus].map(([status, sameStatus]) => [
      status,
      {
        description: sameStatus.map((code) => `${errorCatalogue[code].title} (${code})`).join(' · '),
        content: { 'application/problem+json': { schema: PROBLEM } },
      },
    ]),
  )
}

/** A list of fixed length says so: JSON Schema lets anything follow its `prefixItems`, and OpenAPI wants `items` besides. */
function closeTuples(part: unknown): void {
  if (typeof part !== 'object' || part === null) return
  const { prefixItems } = part as { prefixItems?: unknown[] }
  if (Array.isArray(prefixItems)) {
    const length = prefixItems.length
    Object.assign(part, { items: { anyOf: prefixItems }, minItems: length, maxItems: length })
  }
  for (const value of Object.values(part)) closeTuples(value)
}

function problemSchema(): object {
  const { $schema: _dialect, ...schema } = z.toJSONSchema(problem)
  return schema
}
