import { describe, expect, it } from 'vitest'
import { readCompareAddress } from './compare-address.ts'
import { swapped, withLog } from './compare-pair.ts'

const vid = { logType: 'VID', computerName: null } as const
const comm = { logType: 'COMM', computerName: null } as const
const at = Date.UTC(2026, 10, 20, 14, 2)
const read = (first: string, second: string) =>
  readCompareAddress({ first, second, ahead: '90', at: new Date(at).toISOString() })

describe('two logs that change places', () => {
  it('keep the difference of the client’s clock', () => {
    const address = read('VID', 'UNICORNCLIENT:PC-012')
    expect(swapped(address)).toEqual({ ...address, first: address.second, second: vid })
    expect(swapped(swapped(address))).toEqual(address)
  })

  it('of the instrument show the same lines beside each other by the other’s clock', () => {
    const address = read('VID', 'COMM')
    expect(swapped(address)).toMatchObject({ first: comm, second: vid, ahead: -90_000, at: at + 90_000 })
    expect(swapped(swapped(address))).toEqual(address)
  })
})

describe('another log', () => {
  it('beside a client’s keeps the difference', () => {
    expect(withLog(read('VID', 'UNICORNCLIENT:PC-012'), 'first', comm)).toMatchObject({ first: comm, ahead: 90_000 })
  })

  it('in place of the corrected one ends it', () => {
    expect(withLog(read('VID', 'UNICORNCLIENT:PC-012'), 'second', comm)).toMatchObject({ second: comm, ahead: 0 })
    const otherPc = { logType: 'UNICORNCLIENT', computerName: 'PC-013' } as const
    expect(withLog(read('VID', 'UNICORNCLIENT:PC-012'), 'second', otherPc)).toMatchObject({ ahead: 0 })
  })
})
