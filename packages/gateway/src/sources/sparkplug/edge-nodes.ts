import { z } from 'zod'
import type { Facts } from '../../mapping/templates.ts'
import { type Metric, type SparkplugPayload, WrongType } from './payload.ts'

/**
 * Edge nodes and their devices, from their births, data and deaths. The state lasts for one connection to the broker.
 */

export const messageTypes = ['NBIRTH', 'NDATA', 'NDEATH', 'DBIRTH', 'DDATA', 'DDEATH'] as const

export interface EdgeMessage {
  type: (typeof messageTypes)[number]
  group: string
  node: string
  /** Absent in messages of the node itself. */
  device?: string
  payload: SparkplugPayload
  /** The broker marks this as delivered before. */
  isRepeated: boolean
}

export interface Taken {
  facts: Facts[]
  faults: string[]
  /** The node must send its births again. */
  needsRebirth: boolean
}

interface Endpoint {
  isOnline: boolean
  /** Reported by a birth on this connection. */
  isBorn: boolean
  names: Map<string, string>
  types: Map<string, number>
  values: Record<string, unknown>
  /** The messages of the newest values, by metric. */
  newest: Map<string, MetricFacts>
}

type MetricFacts = Facts & { value: unknown; time?: Date }

interface EdgeNode {
  seq: number | undefined
  bdSeq: unknown
  askedAt: number
  /** Keys are names of devices; the node itself is ''. */
  endpoints: Map<string, Endpoint>
}

/** A rebirth that is not answered is asked for again with the next message after this time. */
const ASK_AGAIN_MS = 5000
/** Anyone who may publish can make up names. */
const MOST_ENDPOINTS = 10_000

const savedNodes = z.record(z.string(), z.record(z.string(), z.boolean()))

export class EdgeNodes {
  readonly #nodes = new Map<string, EdgeNode>()
  #size = 0

  /** Takes what `saved` returned on an earlier connection. */
  constructor(saved: string | undefined) {
    for (const [name, endpoints] of Object.entries(savedNodes.parse(JSON.parse(saved ?? '{}'))))
      for (const [device, isOnline] of Object.entries(endpoints))
        this.#endpoint(this.#node(name), device).isOnline = isOnline
  }

  /** Names of the nodes, `group/node`. */
  names(): string[] {
    return [...this.#nodes.keys()]
  }

  /** Which endpoints exist and are online, as text. */
  saved(): string {
    const online = ({ endpoints }: EdgeNode) =>
      Object.fromEntries([...endpoints].map(([device, { isOnline }]) => [device, isOnline]))
    return JSON.stringify(Object.fromEntries([...this.#nodes].map(([name, node]) => [name, online(node)])))
  }

  /** Returns the ends of all endpoints that were not born since the connection: they did not answer. */
  silent(): Facts[] {
    return [...this.#nodes].flatMap(([name, node]) =>
      [...node.endpoints].flatMap(([device, endpoint]) => {
        if (endpoint.isBorn) return []
        endpoint.isOnline = false
        return [presence(name, device, { type: device ? 'DDEATH' : 'NDEATH', isOnline: false })]
      }),
    )
  }

  take(message: EdgeMessage): Taken {
    const name = `${message.group}/${message.node}`
    if (this.#size >= MOST_ENDPOINTS && !this.#nodes.get(name)?.endpoints.has(message.device ?? ''))
      return {
        facts: [],
        faults: [`More than ${MOST_ENDPOINTS} nodes and devices: ${name} is ignored.`],
        needsRebirth: false,
      }
    const node = this.#node(name)
    switch (message.type) {
      case 'NBIRTH':
        return this.#birth(node, message)
      case 'NDEATH':
        return this.#nodeDeath(node, message)
      default:
        return this.#ordered(node, message)
    }
  }

  #birth(node: EdgeNode, message: EdgeMessage): Taken {
    const { payload, device = '' } = message
    const wasOffline = !this.#endpoint(node, device).isOnline
    const endpoint = newEndpoint({ isBorn: true })
    node.endpoints.set(device, endpoint)
    if (message.type === 'NBIRTH') {
      node.seq = payload.seq
      // Eclipse Tahu's client writes it twice; the last one is that of its death.
      const bdSeq = payload.metrics.findLast((metric) => metric.name === 'bdSeq')
      node.bdSeq = bdSeq && readable(bdSeq)
      node.askedAt = 0
    }
    for (const { name, alias, type } of payload.metrics) {
      if (name === undefined) continue
      if (alias !== undefined) endpoint.names.set(alias, name)
      if (type !== undefined) endpoint.types.set(name, type)
    }
    const begin = wasOffline ? [presence(nameOf(message), device, { type: message.type, isOnline: true })] : []
    const { facts, faults } = data(endpoint, message)
    return { facts: [...begin, ...facts], faults, needsRebirth: false }
  }

  #nodeDeath(node: EdgeNode, message: EdgeMessage): Taken {
    const bdSeq = message.payload.metrics.findLast((metric) => metric.name === 'bdSeq')
    // The death of an earlier connection may come after the birth of the next one.
    if (bdSeq && node.bdSeq !== undefined && readable(bdSeq) !== node.bdSeq)
      return { facts: [], faults: [], needsRebirth: false }
    this.#endpoint(node, '')
    node.seq = undefined
    const facts = [...node.endpoints].map(([device, endpoint]) => {
      endpoint.isOnline = false
      // A death is an answer too.
      endpoint.isBorn = true
      return presence(nameOf(message), device, { type: 'NDEATH', isOnline: false })
    })
    return { facts, faults: [], needsRebirth: false }
  }

  /** Messages whose numbers must follow each other. */
  #ordered(node: EdgeNode, message: EdgeMessage): Taken {
    const { seq } = message.payload
    if (message.isRepeated && seq !== undefined && seq === node.seq)
      return { facts: [], faults: [], needsRebirth: false }
    const expected = node.seq === undefined ? undefined : (node.seq + 1) % 256
    const faults =
      expected !== undefined && seq !== expected
        ? [
            `A message of ${nameOf(message)} is missing: ${seq ?? 'none'} came instead of ${expected}. A rebirth is asked for.`,
          ]
        : []
    // Without a birth no number is expected.
    if (node.seq !== undefined) node.seq = seq ?? expected
    const taken = this.#takeOrdered(node, message)
    const isLost = faults.length > 0 || expected === undefined || taken.needsRebirth
    return { facts: taken.facts, faults: [...faults, ...taken.faults], needsRebirth: isLost && this.#mayAsk(node) }
  }

  #takeOrdered(node: EdgeNode, message: EdgeMessage): Taken {
    const { device = '', type } = message
    if (type === 'DBIRTH') return this.#birth(node, message)
    if (type === 'DDEATH') {
      const endpoint = this.#endpoint(node, device)
      endpoint.isOnline = false
      endpoint.isBorn = true
      return { facts: [presence(nameOf(message), device, { type, isOnline: false })], faults: [], needsRebirth: false }
    }
    const endpoint = node.endpoints.get(device)
    // Its births will contain all values; those of an unknown node could not be understood.
    if (!endpoint?.isBorn || !endpoint.isOnline) return { facts: [], faults: [], needsRebirth: true }
    return data(endpoint, message)
  }

  #mayAsk(node: EdgeNode): boolean {
    if (Date.now() - node.askedAt < ASK_AGAIN_MS) return false
    node.askedAt = Date.now()
    return true
  }

  #node(name: string): EdgeNode {
    const known = this.#nodes.get(name)
    if (known) return known
    this.#size++
    const node: EdgeNode = { seq: undefined, bdSeq: undefined, askedAt: 0, endpoints: new Map() }
    this.#nodes.set(name, node)
    return node
  }

  #endpoint(node: EdgeNode, device: string): Endpoint {
    const known = node.endpoints.get(device)
    if (known) return known
    this.#size++
    const endpoint = newEndpoint({ isBorn: false })
    node.endpoints.set(device, endpoint)
    return endpoint
  }
}

function newEndpoint({ isBorn }: { isBorn: boolean }): Endpoint {
  return { isOnline: true, isBorn, names: new Map(), types: new Map(), values: {}, newest: new Map() }
}

const nameOf = ({ group, node }: EdgeMessage) => `${group}/${node}`

function presence(name: string, device: string, { type, isOnline }: { type: string; isOnline: boolean }): Facts {
  const [group, node] = name.split('/')
  return { type, group, node, ...(device && { device }), online: isOnline }
}

/**
 * Returns a message for each metric; `metrics` has the newest value of each one of the endpoint. What a node has kept
 * is followed by the newest value where that is another one: alarms and statuses are those of now.
 */
function data(endpoint: Endpoint, message: EdgeMessage): Taken {
  const { group, node, device, type, payload } = message
  const faults: string[] = []
  let needsRebirth = false
  const at = [group, node, device].filter(Boolean).join('/')
  const read = payload.metrics.flatMap((metric) => {
    const name = metric.name ?? endpoint.names.get(metric.alias ?? '')
    if (name === undefined) {
      faults.push(`A message of ${at} has the alias ${metric.alias ?? 'none'}, which no birth explains.`)
      needsRebirth = true
      return []
    }
    try {
      const value = metric.value(metric.type ?? endpoint.types.get(name))
      if (!metric.isHistorical) endpoint.values[name] = value
      return [{ metric, name, value }]
    } catch (error) {
      if (!(error instanceof WrongType)) throw error
      faults.push(`The metric ${name.slice(0, 200)} of ${at} has ${error.message}.`)
      return []
    }
  })
  const metrics = { ...endpoint.values }
  const kept = new Map<string, MetricFacts>()
  const facts = read.map(({ metric, name, value }): Facts => {
    const time = metric.timestamp ?? payload.timestamp
    const told = {
      type,
      group,
      node,
      ...(device !== undefined && { device }),
      metric: name,
      value,
      historical: metric.isHistorical,
      ...(time !== undefined && { time: new Date(time) }),
      id: `${at} ${name} ${time} ${payload.seq}`,
    }
    const place = metric.isHistorical ? kept : endpoint.newest
    place.set(name, told)
    return { ...told, metrics }
  })
  const again = [...kept].flatMap(([name, { value, time = 0 }]) => {
    const newest = endpoint.newest.get(name)
    return newest && newest.value !== value && (newest.time ?? 0) >= time ? [{ ...newest, metrics }] : []
  })
  return { facts: [...facts, ...again], faults, needsRebirth }
}

function readable(metric: Metric): unknown {
  try {
    return metric.value(metric.type)
  } catch {
    return undefined
  }
}
