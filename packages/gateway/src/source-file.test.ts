import { describe, expect, it } from 'vitest'
import { readSources, ruleWarnings } from './source-file.ts'

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
      expect.stringMatching(/^6: skids, topics: /),
      '7: skids, lostAfter: must be a duration such as 30s, 5m, 1h or 2d',
      "12: skids, rule 1, instrument: '{topic2' has a brace without its partner.",
      "13: skids, rule 1, raise.component: There is no table 'parts'. Define it under tables.",
      expect.stringMatching(/^14: Source 2, name: /),
      '15: Source 2, nom: is not a setting',
      expect.stringMatching(/^18: Source 2, routes\.0\.format: /),
    ])
  })

  it('names what is missing, and what no message could fulfil', () => {
    const bad = good
      .replace('name: webhooks', '')
      .replace('json.state: alarm', 'json.level: "> 60,5"')
      .replace('"{json.level|words}"', 'critical')
    expect(faultsOf(bad)).toEqual([
      "11: skids, rule 1, when.json.level: '> 60,5' compares with something that is not a number. Write a number with a decimal point, such as '> -60.5'",
      '13: skids, rule 1, raise.severity: must be one of high, medium, low, or have a field in braces',
      '14: Source 2, name: is missing',
    ])
  })

  it('says what to write instead of what YAML or the gateway takes for something else', () => {
    const faultOf = (wanted: string, written: string) => faultsOf(good.replace(wanted, written))[0]
    const quotes = "Put a text that begins with a sign, such as '*.csv' or '> 5', in quotes."
    expect(faultOf('[lab/+/alarm]', '[*.csv]')).toBe(`6: *.csv is not a text. ${quotes}`)
    expect(faultOf('json.state: alarm', 'json.state: != ok')).toBe(`11: Unresolved tag: !=. ${quotes}`)
    expect(faultOf('name: skids', 'name:skids')).toMatch(/^4: .* Write a space after the colon of each setting\.$/)
    expect(faultOf('"{topic2}"', '{topic2}')).toMatch(/^12: .*instrument: must be a text. Put it in quotes/)
    expect(faultOf('[lab/+/alarm]', 'lab/+/alarm')).toBe('6: skids, topics: must be a list, such as [a, b]')
    expect(faultOf('lostAfter: 5m', 'lostAfter: 5')).toMatch(/^7: .*lostAfter: must be a duration such as 30s/)
    expect(faultOf('json.state: alarm', 'json.level: "=> 700"')).toBe(
      "11: skids, rule 1, when.json.level: '=> 700' is no comparison. Write '>= 5' or '<= 5', and what must be equal without a sign",
    )
    expect(faultOf('">= 3": high', '"= 3": high')).toMatch(/^9: skids, tables\.words\.= 3: '= 3' is no comparison/)
    expect(faultsOf('')).toEqual(["1: The file: must begin with the line 'sources:'"])
  })

  it('refuses a pattern of files that no name can match', () => {
    const file = (match: string) =>
      `sources:\n  - { kind: files, name: exports, folder: /srv/exports, format: csv, match: "${match}" }\n`
    for (const match of ['*.csv', '**/*.csv', 'alarms-?.csv']) expect(faultsOf(file(match))).toEqual([])
    expect(faultsOf(file('sub/*.csv'))).toEqual([
      '2: exports, match: must be a pattern of file names without a folder, such as "*.csv". Name the folder in folder',
    ])
  })

  const warningsOf = (text: string) => {
    const read = readSources(text)
    return 'sources' in read ? read.sources.flatMap(ruleWarnings) : read.faults
  }

  it('warns of topics of which a broker of MQTT 5 sends a message twice', () => {
    const file = (version: string, topics: string) =>
      `sources:\n  - { kind: mqtt, name: skids, url: "mqtt://b", version: ${version}, topics: [${topics}] }\n`
    for (const topics of ['lab/#, lab/+/x', 'lab/+/x, lab/a/y', 'lab/+, lab/+/x', 'lab/a/#, lab/b/#'])
      expect(warningsOf(file('5', topics))).toEqual([])
    expect(warningsOf(file('3.1.1', 'lab/+/x, lab/b/+'))).toEqual([])
    expect(warningsOf(file('5', 'lab/+/x, lab/b/+, lab/c/#'))).toEqual([
      'The topics lab/+/x and lab/b/+ overlap, so the broker sends messages of both twice.',
      'The topics lab/+/x and lab/c/# overlap, so the broker sends messages of both twice.',
    ])
  })

  it('warns of rules that name what no message of their source has', () => {
    expect(warningsOf(good)).toEqual([])
    expect(
      warningsOf(`
sources:
  - kind: modbus
    name: plc
    address: 10.1.2.3:502
    points: [{ name: Temperature, table: holding, at: 0, instrument: IP-1 }]
    rules:
      - when: { name: "Temp*" }
        raise: { template: "T-{name}", component: "{temprature?|hash}", while: { valu: "> 5" } }
      - when: { name: Temprature }
        ignore: true
  - kind: http
    name: hooks
    listen: 127.0.0.1:8091
    routes: [{ path: /hook, format: json }]
    rules:
      - { when: { path: /hook, state: "*" }, instrument: "{json.id}", status: "{json.state}" }
  - kind: opcua
    name: reactor
    endpoint: opc.tcp://10.1.2.4:4840
    rules:
      - { when: { kind: value, nam: Level }, usage: { component: Tank, metric: "{name}", value: "{value}" } }
  - kind: sparkplug
    name: plant
    url: mqtt://broker:1883
    rules:
      - { when: { metric: State }, status: "{valeu}" }
`),
    ).toEqual([
      "Rule 1: messages of modbus have no 'temprature'.",
      "Rule 1: messages of modbus have no 'valu'.",
      'Rule 2: no point has the name Temprature.',
      "Rule 1: messages of http have no 'state'.",
      "Rule 1: messages of opcua have no 'nam'.",
      "Rule 1: messages of sparkplug have no 'valeu'.",
    ])
  })

  it('names alarms that nothing ends', () => {
    const endless = good.replace(', autoClear: 5m', '')
    for (const end of [', while: { json.on: true } }', ' }\n      - clear: { key: x }'])
      expect(faultsOf(good.replace(', autoClear: 5m }', end))).toEqual([])
    expect(faultsOf(endless)).toEqual([
      '13: skids, rule 1, raise: is an alarm that nothing ends. Add while, autoClear: 0s, or a rule with clear',
    ])
  })

  it('names the fault, whatever value replaces rules and tables', () => {
    for (const nonsense of ['rules: 5', 'rules: [5, null, {}]', 'rules:', 'tables: 5', 'tables: { a: 5 }'])
      expect(faultsOf(`${good.split('  - kind: http')[0]?.split('    tables:')[0]}    ${nonsense}\n`)).not.toEqual([])
  })

  it('names broken YAML, an unknown kind and a repeated name', () => {
    expect(faultsOf('sources:\n  - kind: mqtt\n   name: x\n')[0]).toMatch(/^3: /)
    expect(faultsOf(good.replace('kind: http', 'kind: telex'))[0]).toMatch(/^14: webhooks, kind: /)
    expect(faultsOf(good.replace('name: webhooks', 'name: skids'))).toEqual([
      "15: Another source is called 'skids'. Names must differ.",
    ])
  })
})
