import { type SourceProtocol, sketchProblems, sourceProtocols } from '@benchwatch/contract/source-file'
import { describe, expect, it } from 'vitest'
import { sketchOf } from './connect-instrument.tsx'
import { isSilent, sourcesTone, templateIdFor, unmatchedNames } from './gateway-sources.tsx'

const now = Date.parse('2026-11-20T14:00:00.000Z')
const source = {
  name: 'freezer-2',
  kind: 'opcua',
  state: 'up' as const,
  since: '2026-11-20T13:00:00.000Z',
  reason: null,
  items: 3,
  lastItemAt: null,
  unmatched: 2,
  faulty: 0,
  lastFault: null,
}
const named = (name: string, lastAt: string) => ({ field: 'conditionName', name, count: 1, lastAt })

describe('the names that no rule matched', () => {
  it('of all sources stand in one list, the one seen last first', () => {
    const names = unmatchedNames([
      { ...source, unmatchedNames: [named('Door open', '2026-11-20T13:00:00.000Z')] },
      { ...source, name: 'skid', unmatchedNames: [named('Lid open', '2026-11-20T14:00:00.000Z')] },
    ])
    expect(names.map(({ source: of, name }) => [of, name])).toEqual([
      ['skid', 'Lid open'],
      ['freezer-2', 'Door open'],
    ])
  })

  it('become template ids as on the gateway, with the source as their module', () => {
    expect(templateIdFor({ source: 'freezer-2', name: 'Door open' })).toBe('FREEZER2-Door_open')
    expect(templateIdFor({ source: '--', name: 'O₂ > 20 %' })).toBe('X-O2_20_79a40373')
  })
})

it.each(sourceProtocols)('the examples of %s lack nothing but the instrument', (protocol: SourceProtocol) => {
  expect(Object.keys(sketchProblems(sketchOf(protocol, '')))).toEqual(['instrument'])
})

it('a gateway is silent ten minutes after its last contact, and before its first', () => {
  expect(isSilent('2026-11-20T13:50:00.000Z', now)).toBe(false)
  expect(isSilent('2026-11-20T13:49:59.999Z', now)).toBe(true)
  expect(isSilent(null, now)).toBe(true)
})

it('the sources of a gateway are lost only if none reports', () => {
  const tone = (sourcesDown: number, lastContactAt = '2026-11-20T13:59:00.000Z') =>
    sourcesTone({ sources: 5, sourcesDown, lastContactAt }, now)
  expect([tone(0), tone(1), tone(5)]).toEqual(['good', 'warning', 'lost'])
  expect(tone(1, '2026-11-20T13:00:00.000Z')).toBe('lost')
})
