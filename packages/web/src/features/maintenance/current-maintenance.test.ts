import type { Maintenance } from '@benchwatch/contract/instruments/maintenance'
import { describe, expect, it } from 'vitest'
import { currentMaintenance, maintenanceSpan, maintenanceState } from './current-maintenance.ts'

const NOW = Date.parse('2026-11-20T12:00:00Z')

function maintenance(start: string, end: string | null): Maintenance {
  return { id: start, start, end, reason: null, rrule: null, timeZone: null }
}

describe('the current maintenance is the first one with no end or an end in the future', () => {
  it.each([
    ['none', [], null],
    ['one that has just ended', [maintenance('2026-11-20T10:00:00Z', '2026-11-20T12:00:00Z')], null],
    [
      'the first that is not over',
      [
        maintenance('2026-11-19T10:00:00Z', '2026-11-19T12:00:00Z'),
        maintenance('2026-11-20T11:00:00Z', null),
        maintenance('2026-11-21T11:00:00Z', null),
      ],
      '2026-11-20T11:00:00Z',
    ],
  ])('%s', (_name, all, start) => {
    expect(currentMaintenance(all, NOW)?.start ?? null).toBe(start)
  })
})

it('is on from its start, scheduled before', () => {
  expect(maintenanceState({ start: '2026-11-20T12:00:00Z' }, NOW)).toBe('on')
  expect(maintenanceState({ start: '2026-11-20T12:00:00.001Z' }, NOW)).toBe('scheduled')
})

describe('says from when until when', () => {
  it.each([
    ['2026-11-20T11:00:00', null, /^Since 20-Nov-2026 11:00, until turned off$/],
    ['2026-11-19T11:00:00', '2026-11-22T00:00:00', /^Since 19-Nov-2026 11:00, until the end of 21-Nov-2026$/],
    ['2026-11-19T11:00:00', '2026-11-22T00:01:00', /^Since 19-Nov-2026 11:00, until 22-Nov-2026 00:01$/],
    ['2026-11-22T11:00:00', null, /^From 22-Nov-2026 11:00 until turned off$/],
    ['2026-11-22T11:00:00', '2026-11-23T00:00:00', /^From 22-Nov-2026 11:00 until the end of 22-Nov-2026$/],
  ])('%s to %s', (start, end, words) => {
    // Local times without an offset, so the test runs in any time zone.
    expect(maintenanceSpan({ start, end }, Date.parse('2026-11-21T00:00:00'))).toMatch(words)
  })
})
