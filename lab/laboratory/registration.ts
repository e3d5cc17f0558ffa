import { runCommand } from '../faults/product/fleet.ts'
import type { Product } from '../faults/product/product.ts'
import { signedIn } from '../product/api-client.ts'

export const administrator = { login: 'ada@benchwatch.example', name: 'Ada Admin', password: 'Benchwatch-2026!' }

const gateway = 'GW-LAB-01'
const customer = 'laboratory'

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
  const api = await signedIn(product.url, { login, password })
  const put = (kind: string, key: string, input: object) => api.call('PUT', `/api/registry/v1/${kind}/${key}`, input)
  await put('customers', customer, { name: 'Laboratory' })
  await put('sites', customer, { customer, city: 'Uppsala', country: 'Sweden', timeZone: 'Europe/Stockholm' })
  await put('gateways', gateway, { site: customer })
  for (const [at, { id, type, label, family, product: productDescription }] of equipment.entries()) {
    await put('instrument-families', family, { label: family, position: 1000 + at })
    await put('instrument-types', type, { label, family })
    await put('instruments', id, { type, productDescription, systemName: label, site: customer, gateway })
  }
  const { key } = await api.call<{ key: string }>('POST', `/api/administration/gateways/${gateway}/keys`)
  api.close()
  return { gateway, key }
}
