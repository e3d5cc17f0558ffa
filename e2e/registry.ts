import { randomUUID } from 'node:crypto'
import type { CallInput, Client } from '@benchwatch/client/client'
import { Alarms } from './alarms.ts'
import { apiOf } from './api.ts'
import type { Product } from './product.ts'

/** The ways in which a test's laboratory differs from one with only the required fields. */
interface Laboratory {
  customer?: string
  site?: Partial<CallInput<'putSite'>['body']>
  instrument?: Partial<CallInput<'putInstrument'>['body']>
  /** The contact, keyed by e-mail address. */
  contact?: { key: string; input: Partial<CallInput<'putContact'>['body']> }
  contract?: Partial<CallInput<'putContract'>['body']>
}

/** Registers objects as an administrator does, so that a test has customers and instruments that no other test uses. */
export class Registry {
  readonly #product: Product
  readonly #api: Client

  private constructor(product: Product) {
    this.#product = product
    this.#api = apiOf(product, 'admin')
  }

  static async of(product: Product): Promise<Registry> {
    return new Registry(product)
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
    const api = this.#api
    await api.call('putCustomer', {
      params: { key: customer },
      body: { name: given.customer ?? `Laboratory ${name}` },
    })
    await api.call('putSite', { params: { key: customer }, body: { customer, ...given.site } })
    await api.call('putGateway', {
      params: { key: gateway },
      body: { site: customer, installedProductId: `IP-9${number}` },
    })
    if (given.contract) {
      await api.call('putContract', { params: { key: customer }, body: { customer, ...given.contract } })
    }
    if (given.contact) {
      const { key, input } = given.contact
      await api.call('putContact', { params: { key }, body: { customer, ...input } })
    }
    await api.call('putInstrument', {
      params: { key: instrument },
      body: {
        type: 'AKTAPure',
        productDescription: 'ÄKTA pure 25',
        site: customer,
        gateway,
        contract: given.contract ? customer : null,
        contact: given.contact?.key ?? null,
        ...given.instrument,
      },
    })
    const { key } = await api.call('createGatewayKey', { params: { gateway } })
    return { alarms: Alarms.withKey(this.#product, { gateway, key }), instrument, gateway, key }
  }
}
