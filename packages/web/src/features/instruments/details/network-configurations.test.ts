import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readNetworkConfigurations } from './network-configurations.ts'

describe('network configurations', () => {
  it('are a list of name, ip and dhcpEnabled', () => {
    const text =
      '[{"name":"Ethernet","ip":"10.20.4.12","dhcpEnabled":true},{"name":"LAN","ip":"fe80::1","dhcpEnabled":false}]'
    expect(readNetworkConfigurations(text)).toEqual({
      kind: 'list',
      networks: [
        { name: 'Ethernet', ip: '10.20.4.12', dhcpEnabled: true },
        { name: 'LAN', ip: 'fe80::1', dhcpEnabled: false },
      ],
    })
  })

  it('may lack members, name more of them, and write yes and no as texts', () => {
    expect(readNetworkConfigurations('[{"name":" ","mac":"00:1A"},{"ip":"10.0.0.1","dhcpEnabled":"true"}]')).toEqual({
      kind: 'list',
      networks: [
        { name: null, ip: null, dhcpEnabled: null },
        { name: null, ip: '10.0.0.1', dhcpEnabled: true },
      ],
    })
  })

  it.each([null, '', '  ', 'null', '[]'])('are none where nothing was told: %j', (text) => {
    expect(readNetworkConfigurations(text)).toEqual({ kind: 'none' })
  })

  it.each([
    '[{"name":"Ethernet","ip":"10.2',
    '{"name":"Ethernet"}',
    '["Ethernet"]',
    '[null]',
    '[[]]',
    '[{"ip":10}]',
    '[{"ip":["10.0.0.1"]}]',
    '[{"ip":"10.0.0.1"},{"dhcpEnabled":"maybe"}]',
    'Ethernet 10.20.4.12',
    'undefined',
  ])('that can’t be read whole are kept as they were sent: %s', (text) => {
    expect(readNetworkConfigurations(text)).toEqual({ kind: 'unreadable', text })
  })

  it('never throw, whatever an agent sends', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.json()), (text) => {
        expect(['none', 'list', 'unreadable']).toContain(readNetworkConfigurations(text).kind)
      }),
    )
  })
})
