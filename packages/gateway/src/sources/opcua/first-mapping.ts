import type { ClientSession } from 'node-opcua-client'
import { openCertificates } from './certificates.ts'
import { type ConnectionConfig, close, endpointsOf, openSession, securityWords, sendMessagesTo } from './connection.ts'
import { ladsDevices } from './lads.ts'
import {
  childrenOf,
  NODE_CLASS_VARIABLE,
  NODES_PER_REQUEST,
  type Node,
  nodesBelow,
  nodeText,
  referencesOf,
} from './nodes.ts'

/**
 * Looks over a server once, its devices, its conditions, and its variables that are numbers, and writes a first file of
 * sources from it, which the operator completes.
 */

export interface Survey {
  endpoint: string
  /** Name for the source, from the server's own. */
  name: string
  security: { mode: string; policy: string } | 'none'
  /** Security that the server offers, as words. */
  offered: readonly string[]
  devices: readonly {
    name: string
    serialNumber: string | null
    maker: string
    units: readonly string[]
    counters: readonly string[]
  }[]
  /** Objects at the top, as node ids. */
  objects: readonly { name: string; node: string }[]
  conditions: readonly { name: string; source: string; type: string }[]
  /** Variables with a number. */
  numbers: readonly { name: string; node: string; value: number }[]
}

const MOST_LISTED = 40

export function firstMapping(survey: Survey): string {
  const { endpoint, name, security, offered, devices, objects, conditions, numbers } = survey
  return (
    [
      `# From ${endpoint}. Replace each installed product id, then check the file: npm run gateway:check -- FILE`,
      'sources:',
      '  - kind: opcua',
      `    name: ${name}`,
      `    endpoint: ${quoted(endpoint)}`,
      `    # The server offers ${offered.join(', ')}.`,
      security === 'none'
        ? '    security: none'
        : `    security: { mode: ${security.mode}, policy: ${security.policy} }`,
      '    # user: { name: benchwatch, passwordFile: /run/secrets/opcua }',
      '    devices:',
      ...(devices.length > 0 ? devices.flatMap(deviceLines) : wholeServer(objects)),
      ...listed(
        'Conditions of the server',
        conditions.map(({ name: condition, source, type }) => `${condition} of ${source} (${type})`),
      ),
      ...valueLines(numbers),
      '    tables:',
      '      severities: { ">= 700": high, ">= 300": medium, "*": low }',
      ...(devices.length > 0
        ? [
            '      states: { Running: method run, Stopped: ready, "Abort*": alarms and errors, Clearing: resetting, "*": Unknown }',
          ]
        : []),
      '    rules:',
      '      - when: { kind: condition }',
      '        raise: { template: "OPCUA-{conditionName}", component: "{sourceName}", description: "{message}", severity: "{severity|severities}" }',
      '      - when: { kind: change }',
      '        log: { type: EVENT, message: "{conditionName}: severity {severityBefore?} became {severity}. {message}", module: "{sourceName}" }',
      ...(devices.length > 0 ? ladsRules(devices) : []),
      '      # Values of the file become usage, status or alarms here.',
      '      - when: { kind: value }',
      '        usage: { component: "Instrument", metric: "{name}", value: "{value}" }',
      '      - when: { kind: event, typeName: ["Audit*", "*ModelChangeEventType", SystemEventType] }',
      '        ignore: true',
      '      - when: { kind: event, severity: ">= 700" }',
      '        raise: { template: "OPCUA-{typeName}", component: "{sourceName}", description: "{message}", severity: high, autoClear: 0s }',
      '      - when: { kind: event }',
      '        log: { type: EVENT, message: "{message}", module: "{sourceName?}", level: "{severity}" }',
      '',
    ]
      // A server may give its objects names of several lines.
      .map((line) => line.replace(/[\r\n\u0085\u2028\u2029]+/g, ' '))
      .join('\n')
  )
}

function deviceLines({ name, serialNumber, maker, units }: Survey['devices'][number]): string[] {
  return [
    `      # ${[name, maker].filter(Boolean).join(', ')}${units.length > 0 ? `; units: ${units.join(', ')}` : ''}`,
    `      - instrument: IP-${idPart(serialNumber ?? name)}`,
    `        lads: ${serialNumber === null ? '{}' : `{ serialNumber: ${quoted(serialNumber)} }`}`,
  ]
}

function wholeServer(objects: Survey['objects']): string[] {
  return [
    '      # One instrument for the whole server; or one for each of its objects:',
    ...objects
      .slice(0, MOST_LISTED)
      .map(({ name, node }) => `      # - { instrument: IP-${idPart(name)}, node: ${quoted(node)} }`),
    '      - instrument: IP-00000000',
  ]
}

function valueLines(numbers: Survey['numbers']): string[] {
  const lines = numbers
    .slice(0, MOST_LISTED)
    .map(
      ({ name, node, value }) => `    #   - { node: ${quoted(node)}, as: ${quoted(name)}, every: 1h } # now ${value}`,
    )
  return lines.length === 0 ? [] : ['    # Numbers of the server:', '    # values:', ...lines, ...more(numbers.length)]
}

function ladsRules(devices: Survey['devices']): string[] {
  const counters = [...new Set(devices.flatMap((device) => device.counters))]
  return [
    '      - when: { kind: state }',
    '        status: "{state|states}"',
    '        log: { type: EVENT, message: "State {state} {runningState?}, run {run?}", module: "{unit?}" }',
    // Durations of OPC UA are milliseconds.
    ...counters.flatMap((counter) => [
      `      - when: { kind: counter, name: ${quoted(counter)} }`,
      counter.endsWith('Duration')
        ? `        usage: { component: "{device}", metric: ${quoted(counter)}, unit: h, value: "{value}", scale: 2.7777777777777776e-7 }`
        : `        usage: { component: "{device}", metric: ${quoted(counter)}, value: "{value}" }`,
    ]),
  ]
}

function listed(title: string, lines: readonly string[]): string[] {
  return lines.length === 0
    ? []
    : [`    # ${title}:`, ...lines.slice(0, MOST_LISTED).map((line) => `    #   ${line}`), ...more(lines.length)]
}

function more(count: number): string[] {
  return count > MOST_LISTED ? [`    #   … and ${count - MOST_LISTED} more`] : []
}

function idPart(text: string): string {
  return text.replaceAll(/[^A-Za-z0-9-]/g, '').slice(0, 40) || '00000000'
}

/** A text in double quotes, which YAML reads as JSON does. */
function quoted(text: string): string {
  return JSON.stringify(text)
}

/** `Server`, `Aliases` and `Locations` of the standard are not devices. */
const STANDARD_NAMESPACE = 0

export async function surveyServer(config: ConnectionConfig, folder: string): Promise<Survey> {
  const { endpoint, security } = config
  await sendMessagesTo(() => undefined)
  const { client, session } = await openSession({
    config,
    folder,
    known: { read: () => null, write: () => Promise.resolve() },
  })
  try {
    const { resolveNodeId } = await import('node-opcua-client')
    const offered = await endpointsOf(endpoint, (await openCertificates(folder)).manager)
    const namespaces = await session.readNamespaceArray()
    const devices = await ladsDevices(session)
    const [top = []] = await childrenOf(session, [resolveNodeId('ObjectsFolder')])
    const objects = top.filter(({ id, name }) => id.namespace !== STANDARD_NAMESPACE && name !== 'DeviceSet')
    const nodes = await nodesBelow(session, [...objects, ...devices])
    return {
      endpoint,
      name: nameOf(offered[0]?.server.applicationName?.text ?? 'opcua'),
      security,
      offered: [...new Set(offered.map(securityWords))],
      devices: devices.map(({ name, serialNumber, manufacturer, model, units, counters }) => ({
        name,
        serialNumber,
        maker: [manufacturer, model].filter(Boolean).join(' '),
        units: units.map((unit) => unit.name),
        counters: counters.map((counter) => counter.name),
      })),
      objects: objects.map(({ name, id }) => ({ name, node: nodeText(id, namespaces) })),
      conditions: await conditionsOf(session, nodes),
      numbers: await numbersOf(session, { nodes, namespaces }),
    }
  } finally {
    await close(client)
  }
}

async function conditionsOf(session: ClientSession, nodes: readonly Node[]): Promise<Survey['conditions']> {
  const found: Survey['conditions'][number][] = []
  const lists = await referencesOf(
    session,
    nodes.map(({ id }) => id),
    'HasCondition',
  )
  for (const [index, references] of lists.entries())
    for (const { browseName, typeDefinition } of references) {
      const type = await session.read({ nodeId: typeDefinition, attributeId: 3 })
      const typeName = (type.value.value as { name?: string } | null)?.name ?? typeDefinition.toString()
      found.push({ name: browseName.name ?? '', source: nodes[index]?.name ?? '', type: typeName })
    }
  return found
}

async function numbersOf(
  session: ClientSession,
  { nodes, namespaces }: { nodes: readonly Node[]; namespaces: readonly string[] },
): Promise<Survey['numbers']> {
  const variables = nodes.filter(({ nodeClass }) => nodeClass === NODE_CLASS_VARIABLE)
  const found: Survey['numbers'][number][] = []
  for (let at = 0; at < variables.length; at += NODES_PER_REQUEST) {
    const some = variables.slice(at, at + NODES_PER_REQUEST)
    const values = await session.read(some.map(({ id }) => ({ nodeId: id, attributeId: 13 })))
    for (const [index, { value }] of values.entries()) {
      const node = some[index]
      if (node && typeof value.value === 'number')
        found.push({ name: node.name, node: nodeText(node.id, namespaces), value: value.value })
    }
  }
  return found
}

/** Returns a name for the source: letters, digits and hyphens of the server's name. */
function nameOf(text: string): string {
  return (
    text
      .toLowerCase()
      .replaceAll(/[^a-z0-9]+/g, '-')
      .replaceAll(/^-|-$/g, '')
      .slice(0, 40) || 'opcua'
  )
}
