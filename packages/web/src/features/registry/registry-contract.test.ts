import { registryRoutes } from '@benchwatch/contract/administration/registry'
import { describe, expect, it } from 'vitest'
import { registryDraft, registryFields, registryInput } from './registry-fields.ts'

const bodies = {
  customers: registryRoutes.customer.put.body,
  sites: registryRoutes.site.put.body,
  contracts: registryRoutes.contract.put.body,
  contacts: registryRoutes.contact.put.body,
  'instrument-families': registryRoutes.instrumentFamily.put.body,
  'instrument-types': registryRoutes.instrumentType.put.body,
  instruments: registryRoutes.instrument.put.body,
  gateways: registryRoutes.gateway.put.body,
  'event-templates': registryRoutes.eventTemplate.put.body,
} as const

describe.each(Object.entries(bodies))('the fields of %s', (kind, body) => {
  const { fields, keyExample } = registryFields[kind as keyof typeof bodies]

  it('are those of the contract', () => {
    expect(fields.map(({ name }) => name).toSorted()).toEqual(Object.keys(body.shape).toSorted())
  })

  it('make a request that the contract accepts, of their examples', () => {
    const draft = registryDraft(fields, {
      key: keyExample,
      ...Object.fromEntries(
        fields.map(({ name, input, example }) => [name, input.kind === 'yes-no' ? example === 'true' : example]),
      ),
    })
    expect(body.safeParse(registryInput(fields, draft)).error).toBeUndefined()
  })

  it('are needed where the contract needs them', () => {
    const empty = Object.fromEntries(fields.map(({ name }) => [name, null]))
    const refused = body.safeParse(empty).error?.issues.map(({ path }) => String(path[0])) ?? []
    const needed = fields.filter(({ required, input }) => required || input.kind === 'yes-no').map(({ name }) => name)
    expect(refused.toSorted()).toEqual(needed.toSorted())
  })
})
