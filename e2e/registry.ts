import { randomUUID } from 'node:crypto'
import type {
  ContactInput,
  ContractInput,
  CustomerInput,
  EventTemplateInput,
  GatewayInput,
  InstrumentInput,
  SiteInput,
} from '@benchwatch/contract/registry'
import { Alarms } from './alarms.ts'
import { Api } from './api.ts'
import type { Product } from './product.ts'

interface Inputs {
  customers: CustomerInput
  sites: SiteInput
  contracts: ContractInput
  contacts: ContactInput
  gateways: GatewayInput
  instruments: InstrumentInput
  'event-templates': EventTemplateInput
}

/** The ways in which a test's laboratory differs from one with only the required fields. */
interface Laboratory {
  customer?: string
  site?: Partial<SiteInput>
  instrument?: Partial<InstrumentInput>
  /** The contact, keyed by e-mail address. */
  contact?: { key: string; input: Partial<ContactInput> }
  contract?: Partial<ContractInput>
}

/** Registers objects as an administrator does, so that a test has customers and instruments whom no other test knows. */
export class Registry {
  readonly #product: Product
  readonly #api: Api

  private constructor(product: Product, api: Api) {
    this.#product = product
    this.#api = api
  }

  static async of(product: Product): Promise<Registry> {
    return new Registry(product, await Api.of(product, 'admin'))
  }

  async put<Kind extends keyof Inputs>(kind: Kind, key: string, input: Partial<Inputs[Kind]>): Promise<void> {
    await this.#api.call('PUT', `/registry/v1/${kind}/${key.split('/').map(encodeURIComponent).join('/')}`, input)
  }

  /** A customer with one site, one gateway and one instrument behind it, the gateway's voice and its key. */
  async laboratory(
    given: Laboratory = {},
  ): Promise<{ alarms: Alarms; instrument: string; gateway: string; key: string }> {
    const name = randomUUID().slice(0, 8)
    const customer = `e2e-${name}`
    const gateway = `GW-E2E-${name}`
    const number = String(Number.parseInt(name.slice(0, 7), 16)).padStart(9, '0')
    const instrument = `IP-${number}`
    await this.put('customers', customer, { name: given.customer ?? `Laboratory ${name}` })
    await this.put('sites', customer, { customer, ...given.site })
    await this.put('gateways', gateway, { site: customer, installedProductId: `IP-9${number}` })
    if (given.contract) await this.put('contracts', customer, { customer, ...given.contract })
    if (given.contact) await this.put('contacts', given.contact.key, { customer, ...given.contact.input })
    await this.put('instruments', instrument, {
      type: 'AKTAPure',
      productDescription: 'ÄKTA pure 25',
      site: customer,
      gateway,
      contract: given.contract ? customer : null,
      contact: given.contact?.key ?? null,
      ...given.instrument,
    })
    const { key } = await this.#api.call<{ key: string }>('POST', `/administration/gateways/${gateway}/keys`)
    return { alarms: Alarms.withKey(this.#product, { gateway, key }), instrument, gateway, key }
  }
}
