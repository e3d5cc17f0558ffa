import { spawn } from 'node:child_process'
import { createHash, randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { aContact, aCustomer, aGateway, anInstrument, aSite } from '@benchwatch/samples/registry-objects'
import { withClient } from '../../product/database.ts'
import { type HttpClient, jsonOf } from './http-client.ts'
import type { Product } from './product.ts'

/** A registered gateway with its key and its instruments. */
export interface RegisteredGateway {
  name: string
  key: string
  instruments: string[]
}

export interface Fleet {
  gateways: RegisteredGateway[]
  administrator: { userId: string; password: string }
}

const administrator = { userId: 'faults@benchwatch.example', password: 'Benchwatch-2026!' }

/**
 * Creates an administrator, customers, sites, gateways and instruments as an operator does, by command and registry.
 * Keys are written as `gateway:key` does it, but all at once, because a process for each would take a second.
 */
export async function registerFleet(
  product: Product,
  {
    client,
    databaseUrl,
    gateways,
    customers = 5,
    instrumentsPerGateway = 3,
  }: {
    client: HttpClient
    databaseUrl: string
    gateways: number
    customers?: number
    instrumentsPerGateway?: number
  },
): Promise<Fleet> {
  await makeAdministrator(product)
  const token = await signIn(client)
  const put = async (kind: string, { key, input }: { key: string; input: object }) => {
    jsonOf(
      await client.send({
        method: 'PUT',
        path: `/api/registry/v1/${kind}/${encodeURIComponent(key)}`,
        token,
        body: JSON.stringify(input),
      }),
    )
  }
  const registered: RegisteredGateway[] = []
  for (let index = 0; index < gateways; index += 1) {
    const customer = `customer-${index % customers}`
    const site = `site-${index}`
    const name = `GW-FLT-${index}`
    const contact = contactOf(customer)
    if (index < customers) {
      await put('customers', aCustomer({ key: customer, name: `Customer ${index}` }))
      await put('contacts', aContact({ key: contact, customer }))
    }
    await put('sites', aSite({ key: site, customer, name: `Site ${index}`, street: `Street ${index}` }))
    await put('gateways', aGateway({ key: name, site, installedProductId: `IP-GW-${index}` }))
    const instruments = Array.from({ length: instrumentsPerGateway }, (_, place) => `IP-FLT-${index}-${place}`)
    for (const key of instruments) {
      await put('instruments', anInstrument({ key, systemName: key, site, gateway: name, contract: null, contact }))
    }
    registered.push({ name, key: `bwgw_${randomBytes(32).toString('base64url')}`, instruments })
  }
  await withClient(databaseUrl, (database) =>
    database.query(
      `INSERT INTO gateway_key (gateway_id, key_hash)
       SELECT g.id, n.hash FROM unnest($1::text[], $2::bytea[]) AS n (name, hash) JOIN gateway g ON g.name = n.name`,
      [registered.map(({ name }) => name), registered.map(({ key }) => createHash('sha256').update(key).digest())],
    ),
  )
  return { gateways: registered, administrator }
}

/** Returns the recipient of support e-mails about a customer's instruments. */
function contactOf(customer: string): string {
  return `contact@${customer}.example`
}

/**
 * Returns an access token, by default the administrator's. It is valid for 15 minutes unless the product is configured
 * otherwise.
 */
export async function signIn(client: HttpClient, who: Fleet['administrator'] = administrator): Promise<string> {
  const answer = await client.send({ method: 'POST', path: '/api/auth/sign-in', body: JSON.stringify(who) })
  const { accessToken } = jsonOf<{ accessToken?: string }>(answer)
  if (accessToken === undefined) throw new Error('The sign-in asks for more than a password.')
  return accessToken
}

async function makeAdministrator(product: Product): Promise<void> {
  await runCommand(product, {
    name: 'admin-create',
    args: [administrator.userId, '--password-stdin'],
    input: `${administrator.password}\n`,
  })
}

type CommandName = 'admin-create' | 'audit-verify' | 'backup' | 'restore'

/** Runs an operator command beside the running product. Returns its output, and throws when it fails. */
export async function runCommand(
  { root, environment }: Pick<Product, 'root' | 'environment'>,
  { name, args = [], input = '' }: { name: CommandName; args?: string[]; input?: string },
): Promise<string> {
  const child = spawn(
    process.execPath,
    [join(root, `packages/server/src/cli/${name}.ts`), ...args],
    // Here the pipe is the input, not the sign that the parent process is alive.
    { env: { ...environment, BENCHWATCH_PARENT: '' }, stdio: ['pipe', 'pipe', 'pipe'] },
  )
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text
    })
  }
  child.stdin.end(input)
  const code = await new Promise<number | null>((resolve) => child.once('close', resolve))
  if (code !== 0) throw new Error(`${name} failed: ${output}`)
  return output
}
