import type { ClientSession } from 'node-opcua-client'
import { openCertificates } from './certificates.ts'
import { type ConnectionConfig, close, endpointsOf, openSession, securityWords, sendMessagesTo } from './connection.ts'
import type { Survey } from './first-mapping.ts'
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

/** Looks over a server once: its devices, its conditions, and its variables that are numbers. */

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
