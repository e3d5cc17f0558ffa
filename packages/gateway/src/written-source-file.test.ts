import { templateIdOf } from '@benchwatch/contract/messages/template-ids'
import {
  protocols,
  ruleText,
  type SourceSketch,
  sketchProblems,
  sourceFileText,
  sourceProtocols,
} from '@benchwatch/contract/source-file'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { mapFacts, type Outcome } from './mapping/map-facts.ts'
import type { Facts } from './mapping/templates.ts'
import { readSources } from './source-file.ts'
import type { SourceConfig } from './sources/kinds.ts'

/** The console writes files of sources and rules; the gateway reads them here. */

const received = new Date('2026-11-20T14:02:23.000Z')

function sketchOf(protocol: SourceSketch['protocol'], more: Partial<SourceSketch> = {}): SourceSketch {
  const { address, detail } = protocols[protocol]
  return {
    protocol,
    name: 'first',
    instrument: 'IP-20431187',
    module: 'FRZ',
    address: address.example,
    detail: detail?.example ?? '',
    ...more,
  }
}

/** Reads a file as `gateway:check` does, which throws every fault. */
function onlySource(text: string): SourceConfig {
  const read = readSources(text)
  if ('faults' in read) throw new Error(`${text}\n${JSON.stringify(read.faults)}`)
  expect(read.sources).toHaveLength(1)
  return read.sources[0] as SourceConfig
}

function outcomes(text: string, facts: Facts): Outcome[] {
  const mapped = mapFacts(onlySource(text), facts, received)
  expect(mapped.faults).toEqual([])
  return mapped.outcomes
}

const json = { code: 1042, part: 'Pump B', text: 'Pressure 6.4 MPa', on: true }
const condition = {
  kind: 'condition',
  instrument: 'IP-20431187',
  conditionName: 'Door open',
  sourceName: 'Door',
  severity: 800,
  message: 'Open for 5 min',
  active: true,
}
const row = { Code: '1042', Part: 'Pump B', State: 'on', Text: 'Pressure 6.4 MPa', Time: '2026-11-20T14:00:00Z' }

describe('the file that the console writes', () => {
  it.each(sourceProtocols)('for %s has no fault', (protocol) => {
    const sketch = sketchOf(protocol)
    expect(sketchProblems(sketch)).toEqual({})
    expect(onlySource(sourceFileText(sketch))).toMatchObject({
      kind: protocol === 'lads' ? 'opcua' : protocol,
      name: 'first',
    })
  })

  it.each<[SourceSketch['protocol'], Facts, string]>([
    ['opcua', condition, 'FRZ-Door_open'],
    ['lads', condition, 'FRZ-Door_open'],
    ['mqtt', { topic: 'lab/skid/alarm', json }, 'FRZ-1042'],
    [
      'sparkplug',
      { device: 'skid', instrument: 'IP-20431187', metric: 'Alarm/Pump', value: true },
      'FRZ-Alarm_Pump_f1863c3d',
    ],
    ['http', { path: '/alarms', json }, 'FRZ-1042'],
    ['snmp', { trap: '1.3.6.1.4.1.318.0.5', address: '10.1.2.3', values: {} }, 'FRZ-1.3.6.1.4.1.318.0.5'],
    ['modbus', { name: 'Alarm', value: true, instrument: 'IP-20431187' }, 'FRZ-Alarm'],
    ['mail', { mailbox: 'freezer', subject: 'ALARM: too warm' }, 'FRZ-alarm'],
    ['files', { file: 'alarms.csv', row }, 'FRZ-1042'],
  ])('for %s raises an alarm of the instrument', (protocol, facts, templateId) => {
    expect(outcomes(sourceFileText(sketchOf(protocol)), facts)).toMatchObject([
      { kind: 'raise', instrument: 'IP-20431187', templateId },
    ])
  })

  it.each<[SourceSketch['protocol'], Facts]>([
    ['opcua', { ...condition, active: false }],
    ['mqtt', { topic: 'lab/skid/alarm', json: { ...json, on: false } }],
    ['modbus', { name: 'Alarm', value: false, instrument: 'IP-20431187' }],
    ['mail', { mailbox: 'freezer', subject: 'OK again' }],
    ['files', { file: 'alarms.csv', row: { ...row, State: 'off' } }],
  ])('for %s returns it to normal', (protocol, facts) => {
    expect(outcomes(sourceFileText(sketchOf(protocol)), facts)).toMatchObject([{ kind: 'clear' }])
  })

  it('for LADS translates the states of the device', () => {
    const facts = { kind: 'state', instrument: 'IP-20431187', device: 'Freezer', state: 'Running' }
    expect(outcomes(sourceFileText(sketchOf('lads')), facts)).toMatchObject([{ kind: 'status', status: 'method run' }])
  })

  it('has no fault whatever a user enters, unless the form says what is wrong', () => {
    const odd = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.constantFrom('', ' ', '#', '"', "'", '- a', '{x}', 'a: b', '>= 5'),
    )
    const entered = (example: string | undefined) =>
      fc.oneof(
        odd,
        odd.map((text) => `${example ?? ''}${text}`),
      )
    for (const protocol of sourceProtocols) {
      const { address, detail } = protocols[protocol]
      fc.assert(
        fc.property(entered('a'), entered(address.example), entered(detail?.example), (name, at, more) => {
          const sketch = sketchOf(protocol, { name, address: at, detail: more })
          if (Object.keys(sketchProblems(sketch)).length === 0) onlySource(sourceFileText(sketch))
        }),
      )
    }
  })
})

describe('the rule that the console writes for a message that none matched', () => {
  const withRule = (kind: 'opcua' | 'mqtt', rule: string) => {
    const text = sourceFileText(sketchOf(kind))
    return `${text.slice(0, text.indexOf('    rules:'))}    rules:\n${rule.replace(/^/gm, '      ').trimEnd()}\n`
  }

  it('raises an alarm with the template id that was made of its name', () => {
    const name = 'Door-open > 5 min'
    const templateId = templateIdOf(`FRZ-${name}`)
    const rule = ruleText({ kind: 'opcua', field: 'conditionName', name, templateId })
    expect(outcomes(withRule('opcua', rule), { ...condition, conditionName: name })).toMatchObject([
      { kind: 'raise', templateId },
    ])
  })

  it.each([
    ['a topic', 'lab/door'],
    ['what looks like a comparison', '>= 5 °C'],
    ['what looks like one of another language', '= 5'],
    ['what YAML would not take as it is', '"quoted" # no comment'],
    ['a name that was cut', 'x'.repeat(300)],
  ])('matches %s', (_, name) => {
    const cut = name.length > 200 ? `${name.slice(0, 199)}…` : name
    const rule = ruleText({ kind: 'mqtt', field: 'topic', name: cut, templateId: 'SKD-door' })
    expect(outcomes(withRule('mqtt', rule), { topic: name })).toMatchObject([
      { kind: 'raise', templateId: 'SKD-door', autoClear: 3_600_000 },
    ])
  })
})
