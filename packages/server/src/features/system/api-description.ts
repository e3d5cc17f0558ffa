import { commonErrors, type ErrorCode, errorCatalogue, problem } from '@benchwatch/contract/errors'
import type { Access, Route } from '@benchwatch/contract/route'
import { routes } from '@benchwatch/contract/routes'
import { z } from 'zod'
import { systemClock } from '../../platform/clock.ts'
import { createBind } from '../../platform/http/bind.ts'
import { createHttpServer } from '../../platform/http/server.ts'
import { createLog } from '../../platform/log.ts'

/** Sections of the API in the order of the reference. A path belongs to the first section that it matches. */
const areas: readonly { name: string; description: string; paths: RegExp }[] = [
  {
    name: 'E-mails about events',
    description: 'Sharing events, and their e-mails and notifications.',
    paths: /^\/alarms\/(?:share|:id\/(?:emails|notif\w+(?:-\w+)?)|automatic-email-subject)$|^\/notifications/,
  },
  {
    name: 'Service events',
    description: 'Alarms and alerts raised by instruments and gateways, claimed and closed by users.',
    paths: /^\/(?:alarms|integrations\/cases)/,
  },
  {
    name: 'Logs',
    description: 'Log lines of instruments and their client computers.',
    paths: /^\/instrument-logs/,
  },
  {
    name: 'Instruments',
    description: 'Connected instruments with their statuses, usage, run time and maintenance.',
    paths: /^\/(?:instruments|maintenance)/,
  },
  {
    name: 'Exports, views and calendars',
    description: 'CSV files of lists, saved list settings, and calendar feeds.',
    paths: /^\/(?:exports?|views|calendars)/,
  },
  {
    name: 'People',
    description: 'Users, their flags, filters and notification profiles.',
    paths: /^\/(?:users|profiles)/,
  },
  { name: 'Key figures', description: 'KPI dashboards, and the tables of the built-in one.', paths: /^\/kpi/ },
  { name: 'Unsubscribing', description: 'The links in automatic support e-mails.', paths: /^\/unsubscribe/ },
  { name: 'Back office', description: 'Support tools behind the flag BACKOFFICE.', paths: /^\/backoffice/ },
  { name: 'Signing in', description: 'Sessions, second factors and forgotten passwords.', paths: /^\/auth/ },
  { name: 'Account', description: 'The caller’s sessions, password and second factor.', paths: /^\/account/ },
  {
    name: 'Administration',
    description: 'Users, flags, keys, tokens and support e-mails.',
    paths: /^\/administration/,
  },
  {
    name: 'Registry',
    description: 'Registration of customers, sites, contracts and instruments.',
    paths: /^\/registry/,
  },
  { name: 'Ingest', description: 'Reports from gateways.', paths: /^\/ingest/ },
  { name: 'The product itself', description: 'Health, help, sent messages, and this description.', paths: /^\// },
]

/** Name and description of each section, as OpenAPI tags. */
const apiTags = areas.map(({ name, description }) => ({ name, description }))

/** The part of an OpenAPI 3.1 document that this module completes. */
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

/** The version that the caller last read, as its ETag. */
const ifMatch = {
  name: 'If-Match',
  in: 'header',
  required: false,
  description: 'The ETag of the version that the caller last read; if the record has changed since, the answer is 412.',
  schema: text,
}

/** Endpoints outside the contract's route table: this document itself, and the live connection. */
const handDescribed = {
  '/api/openapi.json': {
    get: {
      operationId: 'getApiDescription',
      summary: 'This description',
      description: 'Public; no token required.',
      tags: [areaOf('/openapi.json')],
      security: [],
      responses: { 200: { description: 'Success', content: { 'application/json': { schema: { type: 'object' } } } } },
    },
  },
  '/api/live': {
    get: {
      operationId: 'openLive',
      summary: 'Open the live connection, a websocket',
      description: 'Sends changes that the caller may see. Opened with a single-use token, valid for 30 seconds.',
      tags: [areaOf('/live')],
      security: [],
      parameters: [
        { name: 'token', in: 'query', required: true, description: 'From POST /auth/live-token.', schema: text },
        { name: 'after', in: 'query', required: false, description: 'The last seq received.', schema: text },
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

/** The general format of requests and answers. */
const ABOUT =
  'Requests and answers are JSON. Absent values are null, ids are strings, instants are ISO 8601 in UTC. Unknown parameters and fields are refused. Errors are application/problem+json with a stable code. Data outside the caller’s customers are not found.'

const PROBLEM = { $ref: '#/components/schemas/Problem' }

/**
 * Completes a generated description with facts that only the contract has: the name of each route, its access, answers
 * without a body, and every error by status as application/problem+json. Throws if a route of the contract is missing,
 * which means that it was not registered.
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
  for (const item of Object.values(paths)) closeTuples(item)
  return {
    ...document,
    info: { ...document.info, description: ABOUT, contact },
    // Relative, so that it always means the server that answers.
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
          description: 'The access token from POST /auth/sign-in or /auth/refresh.',
        },
        gatewayKey: { type: 'http', scheme: 'bearer', description: 'The gateway’s own key.' },
        kpiEmbed: {
          type: 'http',
          scheme: 'bearer',
          description: 'The token in the fragment of the built-in dashboard’s address, from GET /kpi/{id}.',
        },
        apiToken: { type: 'http', scheme: 'bearer', description: 'An API token with the scope that the call names.' },
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
  if (route.errors.includes('version-mismatch')) operation.parameters?.push(ifMatch)
  // The generator marks every body as required; a body with a default is optional.
  const body = operation.requestBody
  if (body && Object.values(body.content).some(({ schema }) => schema.default !== undefined)) body.required = false
  const successes = Object.fromEntries(
    (route.success ?? [200]).map((status) => [
      status,
      {
        ...(route.answer && (operation.responses?.[status] as object)),
        ...(route.answerType !== undefined && { content: { [route.answerType]: { schema: file } } }),
        description: successLabels[status] ?? 'Success',
      },
    ]),
  )
  operation.responses = { ...successes, ...errorResponses([...route.errors, ...commonErrors]) }
}

/**
 * Security of routes that do not use the document's default, a bearer token. The outbox needs no token on its own
 * machine.
 */
const securityOf: Partial<Record<Access['kind'], Record<string, string[]>[]>> = {
  public: [],
  gateway: [{ gatewayKey: [] }],
  cases: [{ bearer: [] }, { apiToken: [] }],
  registry: [{ bearer: [] }, { apiToken: [] }],
  'kpi-embed': [{ kpiEmbed: [] }],
  outbox: [{}, { bearer: [] }],
}

const successLabels: Record<number, string> = {
  200: 'Success',
  201: 'Created',
  202: 'Accepted',
  204: 'Success, no body',
  302: 'Redirect to Location',
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

/** Closes tuples: JSON Schema lets other items follow `prefixItems`, and OpenAPI requires `items` as well. */
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

/** Returns the section that a path below /api belongs to. */
function areaOf(path: string): string {
  const area = areas.find(({ paths }) => paths.test(path))
  if (!area) throw new Error(`${path} belongs to no section of the API.`)
  return area.name
}

/** Describes who may call a route and whether repeats are safe. */
function describeAccess({ access, retry }: Route): string {
  return [callers(access), retry === true ? 'Safe to repeat.' : undefined].filter(Boolean).join(' ')
}

function callers(access: Access): string {
  switch (access.kind) {
    case 'public':
      return 'Public; no token required.'
    case 'gateway':
      return 'For gateways, with their own key.'
    case 'cases':
    case 'registry':
      return `For administrators and API tokens with the scope ${access.kind}.`
    case 'kpi-embed':
      return 'For the built-in dashboard, with the token that GET /kpi/{id} puts into its address.'
    case 'outbox':
      return 'Only in the demo: without a token on the same machine, for administrators from elsewhere.'
    case 'signed-in': {
      const roles = access.roles ? `with the role ${inWords(access.roles)}` : 'with any role'
      const flags = access.flags
        ? `, while ${inWords(access.flags, 'and')} ${access.flags.length > 1 ? 'are' : 'is'} on for them`
        : ''
      return `For signed-in users ${roles}${flags}.`
    }
  }
}

function inWords(names: readonly string[], last = 'or'): string {
  return names.length < 2 ? names.join('') : `${names.slice(0, -1).join(', ')} ${last} ${names.at(-1)}`
}

/**
 * Builds the description that `GET /api/openapi.json` answers, from the route table alone: for commands and tests
 * without a database. Handlers are never called.
 */
export async function describeContract({ product, version }: { product: string; version: string }): Promise<object> {
  const log = createLog('silent')
  const http = await createHttpServer({ log, trustProxy: false, product, version, checkAnswers: false })
  const bind = createBind<Record<string, never>>(async () => undefined as never, systemClock)
  for (const route of Object.values(routes)) bind(http, route as never, async () => undefined as never)
  await http.ready()
  const description = completeApiDescription(http.swagger(), {
    routes,
    contact: { email: 'support@benchwatch.example' },
  })
  await http.close()
  return description
}
