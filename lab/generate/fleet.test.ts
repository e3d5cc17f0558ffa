import {
  contactInput,
  contractInput,
  customerInput,
  gatewayInput,
  instrumentInput,
  siteInput,
} from '@benchwatch/contract/administration/registry'
import { instrumentTypes } from '@benchwatch/samples/equipment/instrument-type'
import { expect, test } from 'vitest'
import { benchFleet } from './fleet.ts'

const now = new Date('2026-11-20T14:00:00Z')
const fleet = benchFleet({ seed: 'test', now })

test('the fleet has the size that the figures are stated for, of every type', () => {
  expect([fleet.customers.length, fleet.sites.length, fleet.instruments.length]).toEqual([300, 600, 5000])
  expect(new Set(fleet.instruments.map(({ input }) => input.type))).toEqual(new Set(instrumentTypes))
})

test('the registry takes every object of it, and each is there once', () => {
  for (const [kind, schema] of Object.entries({
    ...{ customers: customerInput, sites: siteInput, contracts: contractInput, contacts: contactInput },
    ...{ gateways: gatewayInput, instruments: instrumentInput },
  })) {
    const objects = fleet[kind as keyof typeof fleet]
    expect(new Set(objects.map(({ key }) => key)).size).toBe(objects.length)
    for (const { input } of objects) schema.parse(input)
  }
})

test('instruments are behind a gateway of their site, under a contract of their customer', () => {
  const sites = new Map(fleet.sites.map(({ key, input }) => [key, input]))
  const gateways = new Map(fleet.gateways.map(({ key, input }) => [key, input]))
  const contracts = new Map(fleet.contracts.map(({ key, input }) => [key, input]))
  for (const { input } of fleet.instruments) {
    expect(gateways.get(input.gateway ?? '')?.site).toBe(input.site)
    expect(contracts.get(input.contract ?? '')?.customer).toBe(sites.get(input.site)?.customer)
  }
})

test('the same seed creates the same fleet', () => {
  const size = { customers: 5, sites: 9, instruments: 30 }
  expect(benchFleet({ seed: 'test', now, size })).toEqual(benchFleet({ seed: 'test', now, size }))
  expect(benchFleet({ seed: 'other', now, size })).not.toEqual(benchFleet({ seed: 'test', now, size }))
})
