import { setTimeout as pauseFor } from 'node:timers/promises'
import type { ClientMonitoredItemGroup, ClientSession, ClientSubscription, DataValue, Variant } from 'node-opcua-client'
import { z } from 'zod'
import { mapFacts } from '../mapping/map-facts.ts'
import { startMapping } from '../mapping/mapping.ts'
import { checkTemplates, duration, mappedSource, rule } from '../mapping/rules.ts'
import type { Facts } from '../mapping/templates.ts'
import type { Source, SourceContext } from '../source.ts'
import { decimalOf } from './float32.ts'
import { type Connected, connectionConfig, keepConnected } from './opcua/connection.ts'
import { eventFields, plain } from './opcua/facts.ts'
import { Intake, type Reading } from './opcua/intake.ts'
import { type LadsDevice, ladsDevices, ladsState } from './opcua/lads.ts'
import { nodesBelow, nodeText, numberedNode } from './opcua/nodes.ts'

/**
 * Reads an OPC UA server: conditions, which it refreshes at every start, after every broken connection and when the
 * server asks for it; events without a condition; values by subscription; and LADS devices.
 */

const node = z
  .string()
  .regex(/^(?:(?:ns=\d+|nsu=.+?);)?[isgb]=.+$/, 'must be a node id such as nsu=http://maker/;s=Tank')

const device = z.strictObject({
  /** Installed product id. */
  instrument: z.string().min(1).max(200),
  /** The device is this node with everything below it; without `node` and `lads`, the whole server. */
  node: node.optional(),
  lads: z
    .strictObject({
      /** Without it, the only LADS device of the server. */
      serialNumber: z.string().min(1).optional(),
      countersEvery: duration.default(3_600_000),
    })
    .optional(),
})

const value = z.strictObject({
  node,
  /** The field `name` of its messages. */
  as: z.string().min(1).max(200),
  /** At most this often. */
  every: duration.default(0),
  /** Without it, the device that the node belongs to. */
  instrument: z.string().min(1).max(200).optional(),
})

export const opcuaSource = z
  .strictObject({
    kind: z.literal('opcua'),
    ...mappedSource,
    ...connectionConfig,
    devices: z.array(device).max(200).default([]),
    values: z.array(value).max(2_000).default([]),
  })
  .superRefine(checkTemplates)
  // A link that is lost disconnects its devices also before they have reported anything.
  .transform((config) => ({
    ...config,
    instruments: [...(config.instruments ?? []), ...config.devices.map(({ instrument }) => instrument)],
  }))
export type OpcUaConfig = z.output<typeof opcuaSource>

/**
 * Events that a server holds for the gateway between two answers. Beyond it the newest are dropped, so that a refresh
 * never seems complete when it is not; the server signals a loss, and the gateway asks again.
 */
const QUEUE_SIZE = 10_000
/** A server whose queue is smaller than the number of its conditions would be asked without end. */
const REFRESH_AGAIN_MS = 5_000
/** DataType.Float of the library. */
const FLOAT = 10

export function opcua(config: OpcUaConfig): Source {
  return (context) => {
    const { fault, log } = context
    const mapping = startMapping({ ...config, rules: rulesOf(config) }, context, {
      isRead: ({ kind, name }) => kind !== 'value' || config.values.some((one) => one.as === name),
    })
    const intake = new Intake({ mapping, fault, log })
    const certificateNote = `${config.name}/certificate`
    let certificate = context.notes.get(certificateNote) ?? null
    let watching: Watching | null = null
    let endValues: () => void = () => undefined
    /** Up before the first values: they end the status that a broken link has given to the instruments. */
    const up = ({ session }: Connected) => {
      // It has broken again while it was prepared, and is resumed later.
      if (session.isReconnecting) return
      context.link(config.name, 'up')
      intake.release()
    }
    const connection = keepConnected({
      config,
      folder: context.certificates,
      known: {
        read: () => certificate,
        async write(thumbprint) {
          certificate = thumbprint
          await context.keep({ name: certificateNote, value: thumbprint })
        },
      },
      async begin(connected) {
        endValues()
        intake.hold()
        const scope = await readScope(connected.session, { config, fault })
        watching = { config, scope, intake, fault, log }
        await watchEvents(connected, watching)
        endValues = await watchValues(connected.subscription, valuesOf(watching))
        up(connected)
      },
      async resume(connected) {
        endValues()
        intake.hold()
        await refresh(connected, log)
        // After a new subscription, the server sends all values again, and so the status of each instrument.
        if (watching) endValues = await watchValues(connected.subscription, valuesOf(watching))
        up(connected)
      },
      isDown: (reason) => context.link(config.name, 'down', reason),
      log,
    })
    return Promise.resolve({
      async stop() {
        await connection.stop()
        endValues()
        await intake.stop()
        await mapping.stop()
      },
    })
  }
}

/** A message that a status is lost goes to no rule of the file. */
const rulesOf = ({ rules }: OpcUaConfig) => [
  ...rules.map((one) => ({ ...one, when: { isLost: null, ...one.when } })),
  rule.parse({ when: { isLost: true }, status: 'Unknown' }),
]

/** Returns a message for each status that an instrument has from the last message about a value. */
function lostStatuses(config: OpcUaConfig, last: Facts): Facts[] {
  const { outcomes } = mapFacts(config, last, new Date())
  return outcomes.flatMap((one) =>
    one.kind === 'status' && one.status !== undefined ? [{ isLost: true, instrument: one.instrument }] : [],
  )
}

type Fault = (sentence: string) => void

/** The server's namespaces, and the nodes of each device. */
interface Scope {
  namespaces: readonly string[]
  instrumentOf(source: string | null): string | undefined
  lads: { instrument: string; device: LadsDevice; countersEvery: number }[]
}

async function readScope(
  session: ClientSession,
  { config, fault }: { config: OpcUaConfig; fault: Fault },
): Promise<Scope> {
  const { AttributeIds, coerceNodeId } = await import('node-opcua-client')
  const namespaces = await session.readNamespaceArray()
  const found = config.devices.some(({ lads }) => lads) ? await ladsDevices(session) : []
  const instruments = new Map<string, string>()
  const lads: Scope['lads'] = []
  for (const { instrument, node: root, lads: wanted } of config.devices) {
    const candidates = wanted
      ? found.filter(({ serialNumber }) => (wanted.serialNumber ?? serialNumber) === serialNumber)
      : []
    const [only] = candidates
    if (wanted && (!only || candidates.length > 1)) {
      const names = found
        .map(({ name, serialNumber }) => `${name} (serial number ${serialNumber ?? 'unknown'})`)
        .join(', ')
      fault(
        `The device of ${instrument} is not found among the LADS devices of ${config.endpoint}: ${names || 'it has none'}.`,
      )
      continue
    }
    if (wanted && only) lads.push({ instrument, device: only, countersEvery: wanted.countersEvery })
    const numbered = root === undefined ? null : numberedNode(root, namespaces)
    if (root !== undefined && numbered === null) {
      fault(`${config.endpoint} has no namespace for the node ${root} of ${instrument}.`)
      continue
    }
    const id = only?.id ?? (numbered === null ? null : coerceNodeId(numbered))
    if (!id) continue
    const { statusCode } = await session.read({ nodeId: id, attributeId: AttributeIds.BrowseName })
    if (statusCode.isBad()) fault(`The node ${root} of ${instrument} can't be read: ${statusCode.name}.`)
    for (const below of await nodesBelow(session, [{ name: '', id, nodeClass: 0 }]))
      instruments.set(nodeText(below.id, namespaces), instrument)
  }
  // The only device, or the one that is the whole server, also gets what comes from elsewhere.
  const rest = config.devices.length === 1 ? config.devices[0] : config.devices.find(({ node, lads }) => !node && !lads)
  return {
    namespaces,
    instrumentOf: (source) => (source === null ? undefined : instruments.get(source)) ?? rest?.instrument,
    lads,
  }
}

/** A session's scope, and where its messages go. */
interface Watching {
  config: OpcUaConfig
  scope: Scope
  intake: Intake
  fault: Fault
  log: SourceContext['log']
}

async function watchEvents(connected: Connected, { scope, intake, fault, log }: Watching): Promise<void> {
  const { AttributeIds, constructEventFilter, TimestampsToReturn, resolveNodeId } = await import('node-opcua-client')
  const { session, subscription } = connected
  const known = new Map<string, string>()
  let refreshing: Promise<void> | null = null
  let isWanted = false
  const refreshOnce = async () => {
    do {
      isWanted = false
      await refresh(connected, log)
      await pauseFor(REFRESH_AGAIN_MS, undefined, { ref: false })
    } while (isWanted)
    refreshing = null
  }
  const reading: Reading = {
    namespaces: scope.namespaces,
    instrumentOf: scope.instrumentOf,
    async typeNames(types) {
      const unknown = types.filter((type) => type !== '' && !known.has(type))
      if (unknown.length > 0) {
        const names = await session
          .read(
            unknown.map((type) => ({
              nodeId: numberedNode(type, scope.namespaces) ?? type,
              attributeId: AttributeIds.BrowseName,
            })),
          )
          .catch(() => [])
        for (const [at, type] of unknown.entries()) {
          const name = plain(names[at]?.value.value, scope.namespaces)
          if (typeof name === 'string') known.set(type, name)
        }
      }
      return known
    },
    refresh() {
      isWanted = true
      refreshing ??= refreshOnce()
    },
  }
  const item = await subscription.monitor(
    { nodeId: resolveNodeId('Server'), attributeId: AttributeIds.EventNotifier },
    {
      samplingInterval: 0,
      queueSize: QUEUE_SIZE,
      discardOldest: false,
      filter: constructEventFilter([...eventFields]),
    },
    TimestampsToReturn.Neither,
  )
  item.on('changed', (values: Variant[]) => intake.event(values, reading))
  if (item.statusCode.isNotGood()) {
    fault(`The server does not give events to this user (${item.statusCode.name}).`)
    return
  }
  await refresh(connected, log)
}

/**
 * Asks the server to repeat all conditions that it retains. Servers without conditions refuse in several ways; their
 * events are taken as they come.
 */
async function refresh({ session, subscription }: Connected, log: SourceContext['log']): Promise<void> {
  const { callConditionRefresh } = await import('node-opcua-client')
  const refusal = await callConditionRefresh(session, subscription.subscriptionId).then(
    (status) => (status.isGood() ? null : status.name),
    (error: unknown) => String(error),
  )
  if (refusal !== null)
    log.warn({ refusal }, 'The server does not repeat its conditions: one that ends unseen stays open.')
}

/** Returns the variables to watch: those of the file, and the states and counters of LADS devices. */
function valuesOf(watching: Watching): WatchedValue[] {
  const { config, scope, fault } = watching
  const single = config.values.flatMap(({ node: text, as, every, instrument }): WatchedValue[] => {
    const numbered = numberedNode(text, scope.namespaces)
    const fail = (reason: string) => fault(`The value ${as} can't be read from ${text}: ${reason}.`)
    if (numbered === null) {
      fail('the server has no such namespace')
      return []
    }
    const subject = instrument ?? scope.instrumentOf(text)
    const tell = tellerOf(watching)
    const take = (value: DataValue) => {
      const given = readValue(value, { scope, fail })
      tell(given && { kind: 'value', name: as, ...given, ...(subject && { instrument: subject }) })
    }
    return [{ node: numbered, everyMs: every, take, fail }]
  })
  return [...single, ...scope.lads.flatMap((one) => ladsValues(one, watching))]
}

/** Returns a function that reports facts; null means that the server has lost the device, or what it reads there. */
function tellerOf({ config, intake }: Watching): (next: Facts | null) => void {
  let last: Facts | null = null
  return (next) => {
    for (const facts of next ? [next] : last ? lostStatuses(config, last) : []) intake.facts(facts)
    last = next
  }
}

function ladsValues({ instrument, device, countersEvery }: Scope['lads'][number], watching: Watching): WatchedValue[] {
  const { scope, intake, fault } = watching
  const texts = new Map<string, string | null>()
  const tell = tellerOf(watching)
  let told = ''
  let isDue = false
  const tellState = () => {
    isDue = false
    const at = (id: { toString(): string } | null) => (id === null ? null : (texts.get(id.toString()) ?? null))
    const state = ladsState(
      at(device.deviceState),
      device.units.map(({ name, ...nodes }) => ({
        name,
        state: at(nodes.state),
        runningState: at(nodes.runningState),
        run: at(nodes.run),
      })),
    )
    if (JSON.stringify(state) === told) return
    told = JSON.stringify(state)
    tell(state && { kind: 'state', instrument, device: device.name, ...state })
  }
  const fail = (what: string) => (reason: string) => fault(`${what} of ${instrument} can't be read: ${reason}.`)
  const stateNodes = [
    device.deviceState,
    ...device.units.flatMap(({ state, runningState, run }) => [state, runningState, run]),
  ]
  const states = stateNodes.flatMap((id): WatchedValue[] => {
    if (id === null) return []
    const take = (value: DataValue) => {
      const text = plain(value.value.value, scope.namespaces)
      texts.set(id.toString(), value.statusCode.isGood() && typeof text === 'string' ? text : null)
      // The values of one answer make one state.
      if (!isDue) queueMicrotask(tellState)
      isDue = true
    }
    return [{ node: id.toString(), everyMs: 0, take, fail: fail('The state') }]
  })
  const counters = device.counters.map(({ name, id }): WatchedValue => {
    const failed = fail(`The counter ${name}`)
    const take = (value: DataValue) => {
      const given = readValue(value, { scope, fail: failed })
      if (given) intake.facts({ kind: 'counter', instrument, device: device.name, name, ...given })
    }
    return { node: id.toString(), everyMs: countersEvery, take, fail: failed }
  })
  return [...states, ...counters]
}

/** Returns the value with its time; null if the server has none. Uncertain values count. */
function readValue(
  { value, statusCode, sourceTimestamp }: DataValue,
  { scope, fail }: { scope: Scope; fail: (reason: string) => void },
): { value: unknown; time?: Date } | null {
  // A server that has just started says so until it has read its device.
  if (statusCode.name === 'BadWaitingForInitialData') return null
  if (statusCode.isBad()) {
    fail(statusCode.name)
    return null
  }
  const given = plain(value.value, scope.namespaces)
  const isFloat32 = value.dataType === FLOAT && typeof given === 'number'
  return { value: isFloat32 ? decimalOf(given) : given, ...(sourceTimestamp && { time: sourceTimestamp }) }
}

/** A variable that is watched by subscription. */
interface WatchedValue {
  /** Node id as the library reads it. */
  node: string
  /** Called at most this often, in milliseconds, and always with the last value. 0: with each value. */
  everyMs: number
  take(value: DataValue): void
  /** Called with a sentence if the server can't watch the variable. */
  fail(reason: string): void
}

const SAMPLING_MS = 1_000
const ITEMS_PER_REQUEST = 200

/** Starts to watch. Resolves when the server has accepted or refused each variable; returns the end of it. */
async function watchValues(subscription: ClientSubscription, values: readonly WatchedValue[]): Promise<() => void> {
  const { AttributeIds, TimestampsToReturn } = await import('node-opcua-client')
  const timers = new Set<NodeJS.Timeout>()
  const groups: ClientMonitoredItemGroup[] = []
  for (let at = 0; at < values.length; at += ITEMS_PER_REQUEST) {
    const watched = values.slice(at, at + ITEMS_PER_REQUEST)
    const takers = watched.map((value) => atMostEvery(value, timers))
    const group = await subscription.monitorItems(
      watched.map(({ node }) => ({ nodeId: node, attributeId: AttributeIds.Value })),
      { samplingInterval: SAMPLING_MS, queueSize: 10, discardOldest: true },
      TimestampsToReturn.Both,
    )
    groups.push(group)
    group.on('changed', (_item, value: DataValue, index: number) => takers[index]?.(value))
    for (const [index, { statusCode }] of group.monitoredItems.entries())
      if (statusCode.isNotGood()) watched[index]?.fail(statusCode.name)
  }
  return () => {
    for (const timer of timers) clearTimeout(timer)
    // The server may be gone, and its items with it.
    for (const group of groups) {
      group.removeAllListeners()
      group.terminate().catch(() => undefined)
    }
  }
}

/** Holds values back that come too fast; the last one is never lost. */
function atMostEvery({ everyMs, take }: WatchedValue, timers: Set<NodeJS.Timeout>): (value: DataValue) => void {
  if (everyMs === 0) return take
  let held: DataValue | null = null
  let timer: NodeJS.Timeout | null = null
  const wait = () => {
    timer = setTimeout(() => {
      timers.delete(timer as NodeJS.Timeout)
      timer = null
      if (!held) return
      take(held)
      held = null
      wait()
    }, everyMs)
    timers.add(timer)
  }
  return (value) => {
    if (timer) {
      held = value
      return
    }
    take(value)
    wait()
  }
}
