import { connectionPlaceholders, unknownPlaceholders } from '@benchwatch/contract/messages/placeholders'
import { connectionEventKinds } from '@benchwatch/contract/vocabulary'
import { expect, it } from 'vitest'
import { builtInTemplates, onceGatewayIsBack, placeholderValues, whileGatewayIsSilent } from './connection-rules.ts'

const at = (hour: number) => new Date(Date.UTC(2026, 10, 20, hour))

it('an instrument behind a silent gateway is unknown since then, or since even earlier', () => {
  const one = { status: 'method run', statusAt: at(9) } as const
  expect(whileGatewayIsSilent({ ...one, unknownAt: null }, at(12))).toEqual({
    orcStatus: 'Edge Issue',
    unknownAt: at(12),
  })
  expect(whileGatewayIsSilent({ ...one, unknownAt: at(9) }, at(12))).toEqual({
    orcStatus: 'Edge Issue',
    unknownAt: at(9),
  })
})

it.each([
  ['method run', 'Connected', null],
  ['Unknown', 'Connected', at(9)],
  ['disconnected', 'Disconnected', at(9)],
] as const)('once its gateway is back, one with status %s is %s again', (status, orcStatus, unknownAt) => {
  expect(onceGatewayIsBack({ status, statusAt: at(9), unknownAt: at(12) })).toEqual({ orcStatus, unknownAt })
})

it('texts of events name gateway, instrument and whole minutes', () => {
  const lost = { gatewayName: 'GW-1', installedProductId: 'IP-1', instrument: null }
  const values = { gateway: 'GW-1', minutes: '11' }
  expect(placeholderValues(lost, 11.9 * 60_000)).toEqual(values)
  const behind = { ...lost, instrument: { name: 'ÄKTA pure' } }
  expect(placeholderValues(behind, 11 * 60_000)).toEqual({ ...values, instrument: 'ÄKTA pure (IP-1)' })
})

it.each(connectionEventKinds)(
  'the built-in texts of %s name only what they may, and all that they may is filled in',
  (kind) => {
    const { description, userMessage } = builtInTemplates[kind]
    expect(unknownPlaceholders(`${description} ${userMessage}`, connectionPlaceholders[kind])).toEqual([])
    const lost = { gatewayName: 'GW-1', installedProductId: 'IP-1' }
    const values = placeholderValues({ ...lost, instrument: kind === 'OFFLINE' ? { name: 'ÄKTA pure' } : null }, 0)
    expect(Object.keys(values).toSorted()).toEqual(connectionPlaceholders[kind].map(({ name }) => name).toSorted())
  },
)
