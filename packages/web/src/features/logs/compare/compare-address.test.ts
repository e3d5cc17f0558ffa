import { describe, expect, it } from 'vitest'
import { readQueryString } from '../../../lib/list/list-address.ts'
import {
  clockDifferenceLabel,
  compareLogsHref,
  correctedSide,
  parseClockDifference,
  readCompareAddress,
  swapped,
  withLogs,
  writeClockDifference,
  writeCompareAddress,
} from './compare-address.ts'

const vid = { logType: 'VID', computerName: null } as const
const client = { logType: 'UNICORNCLIENT', computerName: 'PC-012' } as const

describe('the address of two logs', () => {
  it('names the instrument, both logs, the moment and the event', () => {
    const at = Date.UTC(2026, 10, 20, 14, 2, 23)
    const href = compareLogsHref({ installedProductId: '18 / 5', first: vid, second: client, eventId: '104882', at })
    expect(href).toBe(
      '/logs/18%20%2F%205?first=VID&second=UNICORNCLIENT:PC-012&at=2026-11-20T14:02:23.000Z&event=104882',
    )
    expect(readCompareAddress(readQueryString(href.slice(href.indexOf('?'))))).toEqual({
      first: vid,
      second: client,
      at,
      eventId: '104882',
      ahead: 0,
      search: '',
      problems: [],
    })
  })

  it('keeps the stated difference and the search', () => {
    const address = {
      first: vid,
      second: client,
      at: null,
      eventId: null,
      ahead: -90_500,
      search: 'a&b=ü',
      problems: [],
    }
    const written = writeCompareAddress(address)
    expect(written).toEqual({ first: 'VID', second: 'UNICORNCLIENT:PC-012', ahead: '-90.5', search: 'a&b=ü' })
    expect(readCompareAddress(written)).toEqual(address)
  })

  it.each([
    [
      { first: 'vid', second: 'Unicornclient:PC-012' },
      { first: vid, second: client },
    ],
    [{ second: 'UNICORNCLIENT:fe80::1' }, { second: { logType: 'UNICORNCLIENT', computerName: 'fe80::1' } }],
    [{ second: 'UNICORNCLIENT' }, { second: { logType: 'UNICORNCLIENT', computerName: null } }],
    [{ at: '2026-11-20T14:02+01:00' }, { at: Date.UTC(2026, 10, 20, 13, 2) }],
    [{ event: 'orc-104882' }, { eventId: '104882' }],
    [{ ahead: '1:30' }, { ahead: 90_000 }],
  ])('is read tolerantly: %j', (parameters, expected) => {
    expect(readCompareAddress(parameters)).toMatchObject({ ...expected, problems: [] })
  })

  it.each([
    [{ first: 'DIARY' }, 'first', '“DIARY” in the address is not a log'],
    [{ first: 'VID:PC-012' }, 'first', '“VID:PC-012” in the address is not a log'],
    [{ at: 'noon' }, 'at', '“noon” in the address is not a time'],
    [{ at: '2026-13-45' }, 'at', '“2026-13-45” in the address is not a time'],
    [{ event: 'first' }, 'eventId', '“first” in the address is not an event'],
  ])('reports values that it could not understand: %j', (parameters, field, sentence) => {
    const { problems, ...address } = readCompareAddress(parameters)
    expect(problems).toHaveLength(1)
    expect(problems[0]).toContain(sentence)
    expect(address).toMatchObject({ [field]: null })
  })

  it('takes a bad difference for none', () => {
    expect(readCompareAddress({ ahead: 'much' })).toMatchObject({
      ahead: 0,
      problems: [expect.stringContaining('much')],
    })
  })
})

describe('a pair of logs', () => {
  it.each([
    ['UNICORNCLIENT:PC-012', 'UNICORNCLIENT:PC-013', 'Cannot view two separate client logs side by side'],
    ['UNICORNCLIENT:PC-012', 'UNICORNCLIENT:PC-012', 'Cannot view two separate client logs side by side'],
    ['VID', 'VID', 'Choose two different logs.'],
  ])('of %s and %s shows the first alone, and says why', (first, second, sentence) => {
    const address = readCompareAddress({ first, second })
    expect(address.first).not.toBeNull()
    expect(address).toMatchObject({ second: null, problems: [sentence] })
  })
})

describe('compare pair', () => {
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
      expect(withLogs(read('VID', 'UNICORNCLIENT:PC-012'), { first: comm })).toMatchObject({
        first: comm,
        ahead: 90_000,
      })
    })

    it('in place of the corrected one ends it', () => {
      expect(withLogs(read('VID', 'UNICORNCLIENT:PC-012'), { second: comm })).toMatchObject({ second: comm, ahead: 0 })
      const otherPc = { logType: 'UNICORNCLIENT', computerName: 'PC-013' } as const
      expect(withLogs(read('VID', 'UNICORNCLIENT:PC-012'), { second: otherPc })).toMatchObject({ ahead: 0 })
    })
  })
})

describe('a stated difference of clocks', () => {
  it.each([
    ['90', 90_000],
    ['+90 s', 90_000],
    ['-90', -90_000],
    ['−1:30', -90_000],
    ['1:30', 90_000],
    ['- 1:00:00.5', -3_600_500],
    ['52:00:00', 187_200_000],
    ['0.25', 250],
    ['0', 0],
    ['-0', 0],
  ])('is read from %s', (text, ahead) => {
    expect(parseClockDifference(text)).toBe(ahead)
  })

  it.each(['', 'soon', '1:75', '1:75:00', '90 x', '1e3', '--5', '4000000000', '90 s and more', '2 h', 's'])(
    'is not read from “%s”',
    (text) => {
      expect(parseClockDifference(text)).toBeNull()
    },
  )

  it.each([90_000, -1500, 0, 60_250])('of %i ms is read back as it was written', (ahead) => {
    expect(parseClockDifference(writeClockDifference(ahead))).toBe(ahead)
  })

  it.each([
    [90_000, '1 min 30 s ahead'],
    [-400, '0.4 s behind'],
    [-3_600_000, '1 h behind'],
    [61_234, '1 min 1 s ahead'],
  ])('of %i ms is shown as %s', (ahead, words) => {
    expect(clockDifferenceLabel(ahead)).toBe(words)
  })
})

it('is the clock of the client’s PC, else of the second log', () => {
  expect(correctedSide({ first: { logType: 'UNICORNCLIENT', computerName: null } })).toBe('first')
  expect(correctedSide({ first: { logType: 'VID', computerName: null } })).toBe('second')
  expect(correctedSide({ first: null })).toBe('second')
})
