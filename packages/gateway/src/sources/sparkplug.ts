import { callbackify } from 'node:util'
import type { IPublishPacket, MqttClient } from 'mqtt'
import { z } from 'zod'
import { type RunningMapping, startMapping } from '../mapping/mapping.ts'
import { checkEnds, checkTemplates, mappedSource, rule } from '../mapping/rules.ts'
import { type Facts, fill, MappingFault } from '../mapping/templates.ts'
import type { Source, SourceContext } from '../source.ts'
import { brokerOptions, brokerSettings, checkTls, endClient, trialClientId, watchBroker } from './broker.ts'
import { type EdgeMessage, EdgeNodes, messageTypes } from './sparkplug/edge-nodes.ts'
import { type Codec, loadCodec, type SparkplugPayload } from './sparkplug/payload.ts'

/**
 * A host application of Sparkplug B. Births and deaths of edge nodes and devices show whether their instruments are
 * connected. It asks for a rebirth where a message is missing, and by STATE asks edge nodes to keep their data while
 * the gateway is away or can't write.
 */

export const sparkplugSource = z
  .strictObject({
    kind: z.literal('sparkplug'),
    ...mappedSource,
    ...brokerSettings,
    /** Edge nodes name it as their primary host. Without it, the name of the gateway. */
    hostId: z
      .string()
      .regex(/^[^+#/]{1,100}$/, 'must not contain +, # or /')
      .optional(),
    groups: z
      .array(z.string().regex(/^(\+|[^+#/]{1,200})$/, 'must be the name of a group, or +'))
      .min(1)
      .max(100)
      .default(['+']),
    /** Installed product id of a device; rules may have their own. */
    instrument: z.string().max(2000).default('{device}'),
  })
  .superRefine(checkTemplates)
  .superRefine(checkEnds)
  .superRefine(checkTls)
export type SparkplugConfig = z.output<typeof sparkplugSource>

const NAMESPACE = 'spBv1.0'

/** Statuses of births and deaths, where no rule of the file names `online`. */
const presenceRules = [
  rule.parse({ when: { online: false, instrument: '*' }, status: 'disconnected' }),
  rule.parse({ when: { online: true, instrument: '*' }, status: 'Unknown' }),
  // A node that is not itself an instrument.
  rule.parse({ when: { online: '*' }, ignore: true }),
]

interface Host {
  config: SparkplugConfig
  context: SourceContext
  mapping: RunningMapping
  client: MqttClient
  codec: Codec
  stateTopic: string
  /** Nodes as reported on this connection. */
  nodes: EdgeNodes
  /** State of the nodes in the outbox. */
  saved: string | undefined
  /** Time of this connection, in its STATE and its will. */
  since: number
}

export function sparkplug(config: SparkplugConfig): Source {
  return async (context) => {
    const { connect } = await import('mqtt')
    const codec = await loadCodec()
    const options = await brokerOptions(config)
    const stateTopic = `${NAMESPACE}/STATE/${config.hostId ?? context.name}`
    const since = Date.now()
    const client = connect(config.url, {
      ...options,
      clientId: context.isTrial ? trialClientId() : `benchwatch-${context.name}-${config.name}`,
      clean: true,
      // A trial is not the host: nodes must not take it for the gateway.
      ...(!context.isTrial && { will: { topic: stateTopic, payload: state(false, since), qos: 1, retain: true } }),
    })
    const mapping = startMapping({ ...config, rules: rulesOf(config) }, context)
    const saved = context.notes.get(noteName(config))
    const nodes = new EdgeNodes(saved)
    const host: Host = { config, context, mapping, client, codec, stateTopic, nodes, saved, since }
    client.handleMessage = callbackify(async (packet: IPublishPacket) => {
      try {
        await take(packet, host)
      } catch (error) {
        context.log.error({ err: error }, 'A message could not be stored. Nodes send it again later. Check the disk.')
        // The broker publishes the will, so that nodes keep their data; the next connection asks for their births.
        client.stream.destroy()
        throw error
      }
    })
    const stopWatching = watch(host)
    return {
      async stop() {
        stopWatching()
        if (client.connected && !context.isTrial)
          client.publish(stateTopic, state(false, host.since), { qos: 1, retain: true })
        await endClient(client)
        await mapping.stop()
      },
    }
  }
}

/** Births and deaths go only to rules that name `online`, so that a rule for all messages does not take them. */
const rulesOf = ({ rules }: SparkplugConfig) => [
  ...rules.map((one) => ({ ...one, when: { online: null, ...one.when } })),
  ...presenceRules,
]

const noteName = ({ name }: SparkplugConfig) => `${name}/nodes`

const state = (online: boolean, timestamp: number) => JSON.stringify({ online, timestamp })

function watch(host: Host): () => void {
  const { config, context, client, stateTopic } = host
  const subscribe = watchBroker(client, { config, context })
  let timer: NodeJS.Timeout | undefined
  client.on('close', () => {
    clearTimeout(timer)
    host.since = Date.now()
    if (client.options.will) client.options.will.payload = Buffer.from(state(false, host.since))
  })
  client.on('connect', () => {
    // Messages may be missing, and the last one, perhaps the first birth of a node, may not have been written.
    const met = host.nodes.names()
    host.nodes = new EdgeNodes(host.saved)
    const topics = config.groups.flatMap((group) =>
      messageTypes.map((type) => `${NAMESPACE}/${group}/${type}/+${type.startsWith('D') ? '/+' : ''}`),
    )
    subscribe([...topics, stateTopic], () => {
      tellState(host)
      for (const name of new Set([...met, ...host.nodes.names()])) askForBirths(host, name)
      timer = setTimeout(() => endSilent(host), config.lostAfter)
    })
  })
  return () => clearTimeout(timer)
}

function tellState({ context, client, stateTopic, since }: Host): void {
  if (!context.isTrial) client.publish(stateTopic, state(true, since), { qos: 1, retain: true })
}

function askForBirths({ client, codec }: Host, name: string): void {
  const [group, node] = name.split('/')
  client.publish(`${NAMESPACE}/${group}/NCMD/${node}`, codec.rebirth(Date.now()))
}

/** Nodes that did not answer since the connection was made died in the meantime. */
function endSilent(host: Host): void {
  const { context } = host
  store(host, host.nodes.silent()).catch((error: unknown) => {
    context.log.error({ err: error }, 'A status could not be stored. Check the disk.')
    host.client.stream.destroy()
  })
}

async function take({ topic, payload, dup, retain }: IPublishPacket, host: Host): Promise<void> {
  const { config, context } = host
  const bytes = Buffer.from(payload)
  if (topic === host.stateTopic) {
    // The will of a connection that seemed lost may arrive late, or another host of the same name may have ended.
    // A retained STATE is older than this connection, which is about to publish its own.
    if (!retain && isOffline(bytes)) tellState(host)
    return
  }
  const [, group = '', given, node = '', device] = topic.split('/')
  const type = messageTypes.find((one) => one === given)
  if (!type) return
  if (bytes.length > config.maxBytes) {
    context.fault(`A message of ${topic} has ${bytes.length} bytes, more than maxBytes (${config.maxBytes}).`)
    return
  }
  let read: SparkplugPayload
  try {
    read = host.codec.read(bytes)
  } catch {
    context.fault(`A message of ${topic} is not a payload of Sparkplug B.`)
    return
  }
  const message: EdgeMessage = {
    type,
    group,
    node,
    ...(device !== undefined && { device }),
    payload: read,
    isRepeated: dup,
  }
  const { facts, faults, needsRebirth } = host.nodes.take(message)
  for (const fault of faults) context.fault(fault)
  if (needsRebirth) askForBirths(host, `${group}/${node}`)
  await store(host, facts, type.endsWith('DATA'))
}

function isOffline(bytes: Buffer): boolean {
  try {
    const told: unknown = JSON.parse(bytes.toString())
    return typeof told === 'object' && told !== null && 'online' in told && told.online === false
  } catch {
    return false
  }
}

/** Reports what messages mean, and keeps which endpoints are online. Both are written in one tick, so together. */
async function store(host: Host, facts: readonly Facts[], isData = false): Promise<void> {
  const { config, context, mapping, nodes } = host
  const taking = mapping.take(facts.map((one) => withInstrument(one, config)))
  const saved = isData ? host.saved : nodes.saved()
  const keeping =
    saved === undefined || saved === host.saved ? undefined : context.keep({ name: noteName(config), value: saved })
  await Promise.all([taking, keeping])
  host.saved = saved
}

function withInstrument(facts: Facts, { instrument, tables }: SparkplugConfig): Facts {
  try {
    return { ...facts, instrument: String(fill(instrument, facts, tables)) }
  } catch (error) {
    if (error instanceof MappingFault) return facts
    throw error
  }
}
