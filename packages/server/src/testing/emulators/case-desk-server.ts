import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import formBody from 'node:querystring'
import { fastify } from 'fastify'

/**
 * A case desk that answers like the Table API of ServiceNow, the REST API of Salesforce and a plain REST interface, as
 * their published references describe it. All three keep the same cases.
 */
export interface CaseDeskServer {
  url: string
  /** Oldest first. */
  cases: { id: string; number: string; correlationId: string; fields: Record<string, unknown> }[]
  /** Method and path of every request. */
  requests: string[]
  /**
   * How the next requests that create a case go: `lose` creates it and closes the connection, `hold` creates it when
   * `release` is called, `forget` does not keep the number of the event, a number is the status of a refusal. Then as
   * usual.
   */
  creations: ('lose' | 'hold' | 'forget' | number)[]
  /** While it is a status, every request is refused with it; `null`: none is. */
  refusal: number | null
  /** Answers every search with the newest case, as a desk does that ignores the condition. */
  ignoresSearch: boolean
  /** The number of the next case. */
  nextNumber: number
  release(): void
  /** The file of the desk, with its secret beside it. */
  file(kind: keyof typeof deskFiles, more?: string): Promise<string>
  close(): Promise<void>
}

const PASSWORD = 'p4ss: ö'
const TOKEN = 'token-of-the-desk'

const deskFiles = {
  servicenow: `
    kind: servicenow
    name: ServiceNow
    url: URL
    user: benchwatch
    passwordFile: SECRET
    fields: { assignment_group: Field service, cmdb_ci: "{instrumentInstalledProductId}" }
    caseUrl: https://cases.benchwatch.example/{number}?id={id}`,
  salesforce: `
    kind: salesforce
    name: Salesforce
    url: URL/
    clientId: benchwatch
    clientSecretFile: SECRET
    eventField: Benchwatch_Event__c
    fields: { Origin: Benchwatch, SuppliedCompany: "{enterpriseName}" }
    caseUrl: https://cases.benchwatch.example/{number}?id={id}`,
  rest: `
    kind: rest
    name: Field desk
    url: URL/rest
    secretFile: SECRET
    headers: { x-token: "{secret}" }
    find: { path: "/tickets?ref={correlationId}", list: data.tickets }
    create: { path: /tickets, answer: data, body: { title: "{title}", labels: ["{severity}", 7], ref: "{correlationId}" } }
    case: { number: key, correlationId: ref, url: links.self }`,
}

export async function startCaseDeskServer(): Promise<CaseDeskServer> {
  const http = fastify({ forceCloseConnections: true })
  const folder = await mkdtemp(join(tmpdir(), 'benchwatch-desk-'))
  let waiting: (() => void)[] = []
  http.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'string' }, (_request, body, done) =>
    done(null, formBody.parse(body as string)),
  )
  http.addHook('onRequest', async ({ method, url }, reply) => {
    desk.requests.push(`${method} ${url.split('?')[0]}`)
    if (desk.refusal !== null) await reply.code(desk.refusal).send({ error: { message: 'Not now' } })
  })

  const found = (correlationId: string | undefined) =>
    desk.ignoresSearch
      ? desk.cases.slice(-1)
      : desk.cases.filter((one) => one.correlationId === correlationId).slice(0, 1)

  /** Creates a case; undefined if the answer is lost. Throws the status of a refusal. */
  async function create(correlationId: string, fields: Record<string, unknown>) {
    const how = desk.creations.shift()
    if (typeof how === 'number') throw Object.assign(new Error('Refused'), { statusCode: how })
    if (how === 'hold') await new Promise<void>((resolve) => waiting.push(resolve))
    const number = String(desk.nextNumber)
    desk.nextNumber += 1
    const made = { id: `id-${number}`, number, correlationId: how === 'forget' ? '' : correlationId, fields }
    desk.cases.push(made)
    return how === 'lose' ? undefined : made
  }
  type Made = CaseDeskServer['cases'][number]

  // ServiceNow: https://www.servicenow.com/docs, Table API.
  const record = ({ id, number, correlationId }: Made) => ({ sys_id: id, number, correlation_id: correlationId })
  const basic = `Basic ${Buffer.from(`benchwatch:${PASSWORD}`).toString('base64')}`
  const notAuthenticated = {
    error: { message: 'User Not Authenticated', detail: 'Required to provide Auth information' },
    status: 'failure',
  }
  http.get<{ Querystring: Record<string, string> }>('/api/now/table/incident', async ({ headers, query }, reply) => {
    if (headers.authorization !== basic) return reply.code(401).send(notAuthenticated)
    const [, id] = /^correlation_id=([^^]*)\^ORDERBYsys_created_on$/.exec(query['sysparm_query'] ?? '') ?? []
    return { result: found(id).map(record) }
  })
  http.post<{ Body: Record<string, unknown> }>('/api/now/table/incident', async ({ headers, body }, reply) => {
    if (headers.authorization !== basic) return reply.code(401).send(notAuthenticated)
    const made = await create(String(body['correlation_id']), body)
    if (!made) return reply.raw.destroy()
    return reply.code(201).send({ result: record(made) })
  })

  // Salesforce: https://developer.salesforce.com/docs, REST API, Create a Record and Query.
  const invalidSession = [{ message: 'Session expired or invalid', errorCode: 'INVALID_SESSION_ID' }]
  const isSignedIn = (authorization?: string) => authorization === `Bearer ${TOKEN}`
  http.post<{ Body: Record<string, string> }>('/services/oauth2/token', async ({ body }, reply) => {
    if (
      body['grant_type'] !== 'client_credentials' ||
      body['client_id'] !== 'benchwatch' ||
      body['client_secret'] !== PASSWORD
    )
      return reply.code(400).send({ error: 'invalid_client', error_description: 'invalid client credentials' })
    return { access_token: TOKEN, instance_url: desk.url, token_type: 'Bearer' }
  })
  http.get<{ Querystring: { q: string } }>('/services/data/v62.0/query', async ({ headers, query }, reply) => {
    if (!isSignedIn(headers.authorization)) return reply.code(401).send(invalidSession)
    const [, id] =
      /^SELECT Id, CaseNumber, Benchwatch_Event__c FROM Case WHERE Benchwatch_Event__c = '([^']*)' ORDER BY CreatedDate LIMIT 1$/.exec(
        query.q,
      ) ?? []
    const records = found(id).map((one) => ({
      attributes: { type: 'Case', url: `/services/data/v62.0/sobjects/Case/${one.id}` },
      Id: one.id,
      CaseNumber: one.number,
      Benchwatch_Event__c: one.correlationId || null,
    }))
    return { totalSize: records.length, done: true, records }
  })
  http.post<{ Body: Record<string, unknown> }>(
    '/services/data/v62.0/sobjects/Case',
    async ({ headers, body }, reply) => {
      if (!isSignedIn(headers.authorization)) return reply.code(401).send(invalidSession)
      const made = await create(String(body['Benchwatch_Event__c']), body)
      if (!made) return reply.raw.destroy()
      return reply.code(201).send({ id: made.id, success: true, errors: [] })
    },
  )

  const ticket = ({ number, correlationId }: Made) => ({
    key: Number(number),
    ref: correlationId,
    links: { self: `https://cases.benchwatch.example/tickets/${number}` },
  })
  http.get<{ Querystring: { ref?: string } }>('/rest/tickets', async ({ headers, query }, reply) => {
    if (headers['x-token'] !== PASSWORD_HEADER) return reply.code(403).send()
    return { data: { tickets: found(query.ref).map(ticket) } }
  })
  http.post<{ Body: Record<string, unknown> }>('/rest/tickets', async ({ headers, body }, reply) => {
    if (headers['x-token'] !== PASSWORD_HEADER) return reply.code(403).send()
    const made = await create(String(body['ref']), body)
    if (!made) return reply.raw.destroy()
    return { data: ticket(made) }
  })

  await http.listen({ host: '127.0.0.1', port: 0 })
  const desk: CaseDeskServer = {
    url: `http://127.0.0.1:${(http.server.address() as AddressInfo).port}`,
    cases: [],
    requests: [],
    creations: [],
    refusal: null,
    ignoresSearch: false,
    nextNumber: 10_000_001,
    release() {
      for (const go of waiting) go()
      waiting = []
    },
    async file(kind, more = '') {
      const secret = join(folder, 'secret')
      await writeFile(secret, `${kind === 'rest' ? PASSWORD_HEADER : PASSWORD}\n`)
      const place = join(folder, `${kind}.yaml`)
      const text = deskFiles[kind].replace('URL', desk.url).replace('SECRET', secret)
      await writeFile(place, `${text.replace(/^ {4}/gm, '')}\n${more}`)
      return place
    },
    async close() {
      desk.release()
      await http.close()
      await rm(folder, { recursive: true, force: true })
    },
  }
  return desk
}

const PASSWORD_HEADER = 's3cret'
