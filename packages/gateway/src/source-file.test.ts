import { describe, expect, it } from 'vitest'
import { readSources } from './source-file.ts'

const good = `
sources:
  - kind: mqtt
    name: skids
    url: mqtts://broker:8883
    topics: [lab/+/alarm]
    lostAfter: 5m
    tables:
      words: { ">= 3": high, "*": low }
    rules:
      - when: { json.state: alarm }
        instrument: "{topic2}"
        raise: { template: "SKID-{json.code}", component: "{json.part}", severity: "{json.level|words}", autoClear: 5m }
  - kind: http
    name: webhooks
    listen: 127.0.0.1:8090
    routes:
      - { path: /alertmanager, format: alertmanager }
`

function faultsOf(text: string): string[] {
  const read = readSources(text)
  return 'faults' in read ? read.faults.map(({ line, message }) => `${line}: ${message}`) : []
}

describe('the file of sources', () => {
  it('is read with its defaults', () => {
    expect(readSources(good)).toMatchObject({
      sources: [
        { kind: 'mqtt', name: 'skids', lostAfter: 300_000, alarmsPerMinute: 60, format: 'json' },
        { kind: 'http', name: 'webhooks', lostAfter: 60_000, rules: [] },
      ],
    })
  })

  it('names every fault with its line', () => {
    const bad = good
      .replace('lostAfter: 5m', 'lostAfter: soon')
      .replace('[lab/+/alarm]', '[]')
      .replace('{json.part}', '{json.part|parts}')
      .replace('{topic2}', '{topic2')
      .replace('format: alertmanager', 'format: carrier-pigeon')
      .replace('name: webhooks', 'nom: webhooks')
    expect(faultsOf(bad)).toEqual([
      expect.stringMatching(/^6: sources\.0\.topics: /),
      '7: sources.0.lostAfter: must be a duration such as 30s, 5m, 1h or 2d',
      "12: sources.0.rules.0.instrument: '{topic2' has a brace without its partner.",
      "13: sources.0.rules.0.raise.component: There is no table 'parts'. Define it under tables.",
      expect.stringMatching(/^14: sources\.1\.name: /),
      '15: sources.1.nom: is not a setting',
      expect.stringMatching(/^18: sources\.1\.routes\.0\.format: /),
    ])
  })

  it('names what is missing, and what no message could fulfil', () => {
    const bad = good
      .replace('name: webhooks', '')
      .replace('json.state: alarm', 'json.level: "> 60,5"')
      .replace('"{json.level|words}"', 'critical')
    expect(faultsOf(bad)).toEqual([
      "11: sources.0.rules.0.when.json.level: '> 60,5' compares with something that is not a number. Write a number with a decimal point, such as '> -60.5'",
      '13: sources.0.rules.0.raise.severity: must be one of high, medium, low, or have a field in braces',
      '14: sources.1.name: is missing',
    ])
  })

  it('names alarms that nothing ends', () => {
    const endless = good.replace(', autoClear: 5m', '')
    for (const end of [', while: { json.on: true } }', ' }\n      - clear: { key: x }'])
      expect(faultsOf(good.replace(', autoClear: 5m }', end))).toEqual([])
    expect(faultsOf(endless)).toEqual([
      '13: sources.0.rules.0.raise: is an alarm that nothing ends. Add while, autoClear: 0s, or a rule with clear',
    ])
  })

  it('names the fault, whatever value replaces rules and tables', () => {
    for (const nonsense of ['rules: 5', 'rules: [5, null, {}]', 'rules:', 'tables: 5', 'tables: { a: 5 }'])
      expect(faultsOf(`${good.split('  - kind: http')[0]?.split('    tables:')[0]}    ${nonsense}\n`)).not.toEqual([])
  })

  it('names broken YAML, an unknown kind, an empty file and a repeated name', () => {
    expect(faultsOf('sources:\n  - kind: mqtt\n   name: x\n')[0]).toMatch(/^3: /)
    expect(faultsOf(good.replace('kind: http', 'kind: telex'))[0]).toMatch(/^14: sources\.1\.kind: /)
    expect(faultsOf('')).toEqual([expect.stringMatching(/^1: The file: /)])
    expect(faultsOf(good.replace('name: webhooks', 'name: skids'))).toEqual([
      "15: Another source is called 'skids'. Names must differ.",
    ])
  })
})
