import { connect, type Socket } from 'node:net'
import { setTimeout as pauseFor } from 'node:timers/promises'
import type { ModbusTCPClient } from 'jsmodbus'
import { z } from 'zod'
import { type RunningMapping, startMapping } from '../mapping/mapping.ts'
import { checkEnds, checkTemplates, duration, mappedSource } from '../mapping/rules.ts'
import type { Source, SourceContext } from '../source.ts'
import { addressWithPort, hostAndPort } from './address.ts'
import { decimalOf } from './float32.ts'

/**
 * Reads coils and registers of a Modbus TCP server. A point becomes a message when its value has changed, and after
 * every new connection, so that an alarm that ended meanwhile returns to normal.
 */

const encodings = { uint16: 1, int16: 1, uint32: 2, int32: 2, float32: 2, float64: 4 } as const

const point = z
  .strictObject({
    /** The field `name` of its messages. */
    name: z.string().min(1).max(200),
    table: z.enum(['coil', 'discrete', 'holding', 'input']),
    /** Counted from 0, as on the wire. */
    at: z.number().int().min(0).max(65_535),
    as: z.enum(['uint16', 'int16', 'uint32', 'int32', 'float32', 'float64']).default('uint16'),
    /** Which of two or four registers has the highest bits. */
    first: z.enum(['high', 'low']).default('high'),
    /** One bit of a register, 0 the lowest. */
    bit: z.number().int().min(0).max(15).optional(),
    instrument: z.string().min(1).max(200).optional(),
    /** How often it is read. */
    every: duration.refine((ms) => ms >= 100, 'must be 100ms or longer').default(1000),
  })
  .refine(
    ({ bit, as, table }) => bit === undefined || (as === 'uint16' && (table === 'holding' || table === 'input')),
    {
      error: 'has a bit, but only registers of type uint16 have bits',
    },
  )
type Point = z.output<typeof point>

export const modbusSource = z
  .strictObject({
    kind: z.literal('modbus'),
    ...mappedSource,
    address: addressWithPort('10.0.0.7:502'),
    unit: z.number().int().min(0).max(255).default(1),
    timeout: duration.default(3000),
    points: z.array(point).min(1).max(500),
  })
  .superRefine(checkTemplates)
  .superRefine(checkEnds)
  .transform((config) => ({
    ...config,
    instruments: [...(config.instruments ?? []), ...config.points.flatMap(({ instrument }) => instrument ?? [])],
  }))
export type ModbusConfig = z.output<typeof modbusSource>

const RECONNECT_MS = 5000
/** The longest pause before due points are read. */
const TICK_MS = 100

export function modbus(config: ModbusConfig): Source {
  return async (context) => {
    const { client } = await import('jsmodbus')
    const mapping = startMapping(config, context, {
      isRead: (facts) =>
        config.points.some((one) => one.name === facts['name'] && one.instrument === facts['instrument']),
    })
    const stopping = new AbortController()
    const { signal } = stopping
    const points = [...config.points]
    let socket: Socket | null = null

    async function run(): Promise<void> {
      while (!signal.aborted) {
        socket = socketTo(config)
        try {
          // It must know the socket before it is connected.
          const reader = new client.TCP(socket, config.unit, config.timeout)
          await connected(socket, config)
          await readPoints(reader, { config, points, context, mapping, signal })
        } catch (error) {
          if (!signal.aborted) context.link(config.name, 'down', sentenceOf(error, config))
        } finally {
          socket.destroy()
        }
        await pauseFor(RECONNECT_MS, undefined, { signal }).catch(() => undefined)
      }
    }

    const running = run()
    return {
      async stop() {
        stopping.abort()
        socket?.destroy()
        await running
        await mapping.stop()
      },
    }
  }
}

function socketTo({ address, timeout }: ModbusConfig): Socket {
  const socket = connect(hostAndPort(address))
  socket.setNoDelay()
  // An error shows as the end of the connection, or of the request in flight.
  socket.on('error', () => undefined)
  socket.setTimeout(timeout)
  return socket
}

async function connected(socket: Socket, { address }: ModbusConfig): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    socket.once('connect', resolve).once('error', reject)
    socket.once('timeout', () => reject(new Error(`${address} does not answer.`)))
    // The source stops before it is connected.
    socket.once('close', () => reject(new Error('The connection was closed.')))
  })
  socket.setTimeout(0)
}

interface Reading {
  config: ModbusConfig
  /** In the order in which they are read. */
  points: Point[]
  context: SourceContext
  mapping: RunningMapping
  signal: AbortSignal
}

/** Reads what is due, until the connection fails. */
async function readPoints(
  client: ModbusTCPClient,
  { config, points, context, mapping, signal }: Reading,
): Promise<void> {
  const watched = points.map((one) => ({ point: one, due: 0, told: undefined as unknown }))
  let isUp = false
  while (!signal.aborted) {
    for (const one of watched) {
      if (one.due > performance.now()) continue
      one.due = performance.now() + one.point.every
      const value = await readPoint(client, one.point).catch((error: unknown) => {
        // The last one of the next connection, so that a point without an answer does not hide those after it.
        points.push(...points.splice(points.indexOf(one.point), 1))
        throw error
      })
      // Up before the first message: a status must follow the one that the return of the link reports.
      if (!isUp) context.link(config.name, 'up')
      isUp = true
      if (Object.is(value, one.told)) continue
      if (await tell(one.point, value, { context, mapping })) one.told = value
    }
    await pauseFor(TICK_MS, undefined, { signal }).catch(() => undefined)
  }
}

/** Reports a value. Returns false if it could not be stored, so that it is reported again. */
async function tell(
  { name, instrument }: Point,
  value: number | boolean | string,
  { context, mapping }: Pick<Reading, 'context' | 'mapping'>,
): Promise<boolean> {
  if (typeof value === 'string') context.fault(`${name} can't be read: ${value}.`)
  else if (typeof value === 'number' && !Number.isFinite(value)) context.fault(`${name} is not a number.`)
  else
    try {
      await mapping.take([{ name, value, ...(instrument !== undefined && { instrument }) }])
    } catch (error) {
      context.log.error({ err: error }, 'A value could not be stored and is read again. Check the disk.')
      return false
    }
  return true
}

/** Returns the value, or the end of a sentence with the reason for a refusal. Throws if there is no connection. */
async function readPoint(client: ModbusTCPClient, one: Point): Promise<number | boolean | string> {
  try {
    if (one.table === 'coil' || one.table === 'discrete') {
      const { response } = await (one.table === 'coil'
        ? client.readCoils(one.at, 1)
        : client.readDiscreteInputs(one.at, 1))
      const [bit] = response.body.valuesAsArray
      return bit === undefined ? 'the answer is empty' : bit === 1
    }
    const count = encodings[one.as]
    const { response } = await (one.table === 'holding'
      ? client.readHoldingRegisters(one.at, count)
      : client.readInputRegisters(one.at, count))
    const bytes = response.body.valuesAsBuffer
    if (bytes.length !== count * 2) return `the answer has ${bytes.length} bytes instead of ${count * 2}`
    return numberIn(bytes, one)
  } catch (error) {
    const refusal = refusalIn(error)
    if (refusal === null) throw error
    return refusal
  }
}

function numberIn(bytes: Buffer, { as, first, bit }: Point): number | boolean {
  const words = Array.from({ length: bytes.length / 2 }, (_, at) => bytes.subarray(at * 2, at * 2 + 2))
  const ordered = Buffer.concat(first === 'high' ? words : words.toReversed())
  switch (as) {
    case 'uint16':
      return bit === undefined ? ordered.readUInt16BE() : ((ordered.readUInt16BE() >> bit) & 1) === 1
    case 'int16':
      return ordered.readInt16BE()
    case 'uint32':
      return ordered.readUInt32BE()
    case 'int32':
      return ordered.readInt32BE()
    case 'float32':
      return decimalOf(ordered.readFloatBE())
    case 'float64':
      return ordered.readDoubleBE()
  }
}

const failure = z.object({ err: z.string(), message: z.string() })
const REFUSALS = ['it has no such function', 'it has no such address', 'it refuses the number of registers']
/** A converter answers them for a device that it can't reach. */
const UNREACHABLE = /Code 1[01]\)/

/** Returns why the server refuses a point, or null if the failure is one of the connection. */
function refusalIn(error: unknown): string | null {
  const parsed = failure.safeParse(error)
  if (!parsed.success || parsed.data.err !== 'ModbusException' || UNREACHABLE.test(parsed.data.message)) return null
  const code = Number(/Code (\d+)/.exec(parsed.data.message)?.[1])
  return REFUSALS[code - 1] ?? `it answers with error ${code}`
}

function sentenceOf(error: unknown, { address, unit }: ModbusConfig): string {
  const parsed = failure.safeParse(error)
  if (parsed.success && parsed.data.err === 'Timeout') return `${address} does not answer for unit ${unit}.`
  if (parsed.success && UNREACHABLE.test(parsed.data.message)) return `${address} does not reach unit ${unit}.`
  if (parsed.success) return `The connection to ${address} is lost.`
  const reason = error instanceof Error ? ('code' in error ? String(error.code) : error.message) : String(error)
  return `${address} can't be read: ${reason}`
}
