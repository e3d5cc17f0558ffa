import { expect, it } from 'vitest'
import { filledIn, onceGatewayIsBack, whileGatewayIsSilent } from './connection-rules.ts'

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

it('the text of an event names gateway, instrument and minutes, and leaves other braces', () => {
  const lost = { gatewayName: 'GW-1', installedProductId: 'IP-1', lostAt: at(9), instrument: null }
  const now = new Date(at(9).getTime() + 11.9 * 60_000)
  expect(filledIn('{gateway} {minutes} {other} {', { lost, now })).toBe('GW-1 11 {other} {')
  const instrument = { ...{ id: 1, name: 'ÄKTA pure', status: 'disconnected' as const }, duringMaintenance: false }
  const behind = { ...lost, instrument: { ...instrument, contract: null, timeZone: 'UTC' } }
  expect(filledIn('{instrument}', { lost: behind, now })).toBe('ÄKTA pure (IP-1)')
})
