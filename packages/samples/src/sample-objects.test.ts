import {
  contactInput,
  contractInput,
  customerInput,
  eventTemplateInput,
  gatewayInput,
  instrumentInput,
  registryRoutes,
  siteInput,
} from '@benchwatch/contract/administration/registry'
import { serviceEvent } from '@benchwatch/contract/events/events'
import { logHit } from '@benchwatch/contract/instruments/logs'
import { expect, it } from 'vitest'
import { aLogHit } from './log-hit.ts'
import { aContact, aContract, aCustomer, aGateway, anEventTemplate, anInstrument, aSite } from './registry-objects.ts'
import { aListedServiceEvent, aServiceEvent } from './service-event.ts'

it('the sample event is what the contract says, and so is one with other values', () => {
  expect(serviceEvent.parse(aServiceEvent())).toEqual(aServiceEvent())
  const closed = aServiceEvent({ alertStatus: '3_CLOSED', reasonClosed: 'Duplicate event', claimedBy: '7' })
  expect(serviceEvent.parse(closed)).toMatchObject({ alertStatus: '3_CLOSED', claimedBy: '7' })
})

it('the listed event lacks what lists leave out', () => {
  const listed = aListedServiceEvent()
  expect(serviceEvent.parse(listed)).toEqual(listed)
  expect(listed).not.toHaveProperty('troubleshooting')
  expect(listed).not.toHaveProperty('remedy')
})

it('the sample log line is what the contract says', () => {
  const line = aLogHit({ id: 7, at: 1000, module: null, highlight: { message: ['<em>line</em> 7'] } })
  expect(logHit.parse(line)).toEqual(line)
  expect(line.sort).toEqual([1000, '7'])
})

it.each([
  ['customer', aCustomer(), customerInput],
  ['site', aSite(), siteInput],
  ['contract', aContract(), contractInput],
  ['contact', aContact(), contactInput],
  ['instrument', anInstrument(), instrumentInput],
  ['gateway', aGateway(), gatewayInput],
] as const)('the sample %s is what the registry takes', (kind, { key, input }, schema) => {
  expect(schema.parse(input)).toEqual(input)
  expect(registryRoutes[kind].put.params?.safeParse({ key }).success).toBe(true)
})

it('the sample event template is what the registry takes', () => {
  const { key, input } = anEventTemplate()
  expect(eventTemplateInput.parse(input)).toEqual(input)
  expect(registryRoutes.eventTemplate.put.params?.safeParse({ '*': key }).success).toBe(true)
})

it('the sample objects fit together, and a key can be chosen', () => {
  const { input } = anInstrument()
  expect([aSite().key, aGateway().key, aContract().key, aContact().key]).toEqual([
    input.site,
    input.gateway,
    input.contract,
    input.contact,
  ])
  expect(aCustomer({ key: 'other', name: 'Other' })).toEqual({ key: 'other', input: { name: 'Other' } })
})
