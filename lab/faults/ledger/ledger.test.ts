import { expect, test } from 'vitest'
import { Ledger } from './ledger.ts'

const item = { gateway: 'GW-1', itemId: 'e-1', kind: 'alarm', mark: 'a1' } as const

test('an item is sent from its first request on, and acknowledged only by an answer', () => {
  const ledger = new Ledger()
  ledger.add(item)
  expect([ledger.sent, ledger.acknowledged]).toEqual([0, 0])
  ledger.noteSending('GW-1', ['e-1'])
  ledger.noteSending('GW-1', ['e-1'])
  expect([ledger.sent, ledger.acknowledged]).toEqual([1, 0])
  expect(ledger.entries()[0]?.sends).toBe(2)
  ledger.noteAcknowledged('GW-1', ['e-1'])
  expect(ledger.acknowledged).toBe(1)
})

test('two gateways may use one item id', () => {
  const ledger = new Ledger()
  ledger.add(item)
  ledger.add({ ...item, gateway: 'GW-2' })
  ledger.noteSending('GW-2', ['e-1'])
  expect(ledger.entries().map(({ gateway, sends }) => [gateway, sends])).toEqual([
    ['GW-1', 0],
    ['GW-2', 1],
  ])
})

test('a gateway sends nothing that is not in the ledger', () => {
  expect(() => new Ledger().noteSending('GW-1', ['e-9'])).toThrow('GW-1 sends e-9, which it never noted.')
})
