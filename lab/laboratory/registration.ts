import { type CallInput, createClient } from '@benchwatch/client/client'
import { passwordCredentials } from '@benchwatch/client/password-credentials'
import { runCommand } from '../faults/product/fleet.ts'
import type { Product } from '../faults/product/product.ts'

export const administrator = { login: 'ada@benchwatch.example', name: 'Ada Admin', password: 'Benchwatch-2026!' }

const gateway = 'GW-LAB-01'
const customer = 'laboratory'

type Kind = CallInput<'importRegistry'>['query']['kind']

/** The instruments of gateway.yaml; each has a type and a family of its own, which no installation knows beforehand. */
const equipment = [
  { id: 'IP-FREEZER', type: 'ULT-freezer', label: 'ULT freezer', family: 'Freezers', product: 'ULT 80 (simulated)' },
  { id: 'IP-BIOREACTOR', type: 'Bioreactor', label: 'Bioreactor', family: 'Bioreactors', product: 'Tank (simulated)' },
  { id: 'IP-SKID', type: 'Skid', label: 'Skid', family: 'Skids', product: 'Buffer skid (simulated)' },
  { id: 'IP-CHILLER', type: 'Chiller', label: 'Chiller', family: 'Chillers', product: 'Chiller (simulated)' },
]

/** Creates an administrator, and through the registry a customer with a site, a gateway and the four instruments. */
export async function registerLaboratory(product: Product): Promise<{ gateway: string; key: string }> {
  const { login, name, password } = administrator
  await runCommand(product, {
    name: 'admin-create',
    args: [login, '--name', name, '--password-stdin'],
    input: `${password}\n`,
  })
  const { url } = product
  const api = createClient({ url, credentials: passwordCredentials(url, { userId: login, password }) })
  const file = (kind: Kind, objects: readonly object[]) =>
    ({ kind, format: 'ndjson', text: objects.map((object) => JSON.stringify(object)).join('\n') }) as const
  const files = [
    file('customers', [{ key: customer, name: 'Laboratory' }]),
    file('sites', [{ key: customer, customer, city: 'Uppsala', country: 'Sweden', timeZone: 'Europe/Stockholm' }]),
    file('gateways', [{ key: gateway, site: customer }]),
    file(
      'instrument-families',
      equipment.map(({ family }, at) => ({ key: family, label: family, position: 1000 + at })),
    ),
    file(
      'instrument-types',
      equipment.map(({ type, label, family }) => ({ key: type, label, family })),
    ),
    file(
      'instruments',
      equipment.map(({ id, type, label, product: productDescription }) => ({
        ...{ key: id, type, productDescription, systemName: label, site: customer, gateway },
      })),
    ),
  ]
  const { errors } = await api.call('applyRegistry', { body: { files } })
  if (errors.length > 0) throw new Error(`The registry refused the laboratory: ${JSON.stringify(errors)}`)
  const { key } = await api.call('createGatewayKey', { params: { gateway } })
  return { gateway, key }
}
