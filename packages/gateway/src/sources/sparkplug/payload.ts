import type { org } from 'sparkplug-payload/lib/sparkplugPayloadProto.js'
import { decimalOf } from '../float32.ts'

/** Reads and writes payloads of Sparkplug B. Pure. */

type ProtoMetric = org.eclipse.tahu.protobuf.Payload.Metric

export interface Metric {
  /** Absent in data that uses the alias of the birth. */
  name?: string
  alias?: string
  /** Number of the data type; data may leave it to the birth. */
  type?: number
  /** Milliseconds since 1970. */
  timestamp?: number
  isHistorical: boolean
  /** Reads the value as the type; null if it has none. Throws WrongType. */
  value(type: number | undefined): number | string | boolean | null
}

export interface SparkplugPayload {
  seq?: number
  timestamp?: number
  metrics: Metric[]
}

export interface Codec {
  /** Throws if the bytes are not a payload. */
  read(bytes: Uint8Array): SparkplugPayload
  /** Returns the command that asks a node for its births. */
  rebirth(timestamp: number): Buffer
}

export class WrongType extends Error {}

/**
 * Loads the library. The generated decoder is used and not `decodePayload` of the library, which returns 0 for a number
 * that is missing or a text, and negative numbers for large ones of UInt32.
 */
export async function loadCodec(): Promise<Codec> {
  const { default: generated } = await import('sparkplug-payload/lib/sparkplugPayloadProto.js')
  const { Payload } = generated.org.eclipse.tahu.protobuf
  return {
    read(bytes) {
      const payload = Payload.decode(bytes)
      return {
        ...(Object.hasOwn(payload, 'seq') && { seq: Number(String(payload.seq)) }),
        ...(Object.hasOwn(payload, 'timestamp') && { timestamp: Number(String(payload.timestamp)) }),
        metrics: payload.metrics.map((metric) => metricOf(metric as ProtoMetric)),
      }
    },
    rebirth(timestamp) {
      const metric = { name: 'Node Control/Rebirth', timestamp, datatype: 11, booleanValue: true }
      return Buffer.from(Payload.encode({ timestamp, metrics: [metric] }).finish())
    },
  }
}

function metricOf(metric: ProtoMetric): Metric {
  return {
    ...(Object.hasOwn(metric, 'name') && { name: metric.name }),
    ...(Object.hasOwn(metric, 'alias') && { alias: String(metric.alias) }),
    ...(Object.hasOwn(metric, 'datatype') && { type: metric.datatype }),
    ...(Object.hasOwn(metric, 'timestamp') && { timestamp: Number(String(metric.timestamp)) }),
    isHistorical: metric.isHistorical,
    value: (type) => valueOf(metric, type),
  }
}

/** Bits of the integers by their type; those with a sign are negative. The last one is a date in milliseconds. */
const INTEGERS: Readonly<Record<number, number>> = { 1: -8, 2: -16, 3: -32, 4: -64, 5: 8, 6: 16, 7: 32, 8: 64, 13: 64 }

function valueOf(metric: ProtoMetric, type: number | undefined): number | string | boolean | null {
  const field = metric.value
  if (metric.isNull || field === undefined) return null
  const bits = INTEGERS[type ?? 0]
  if (bits !== undefined && (field === 'intValue' || field === 'longValue')) {
    const raw = BigInt(String(metric[field]))
    const integer = bits < 0 ? BigInt.asIntN(-bits, raw) : BigInt.asUintN(bits, raw)
    const number = Number(integer)
    return Number.isSafeInteger(number) ? number : String(integer)
  }
  if ((type === 9 || type === 10) && (field === 'floatValue' || field === 'doubleValue'))
    return field === 'floatValue' ? decimalOf(metric[field] ?? Number.NaN) : (metric[field] ?? null)
  if (type === 11 && field === 'booleanValue') return metric[field] ?? null
  if ((type === 12 || type === 14 || type === 15) && field === 'stringValue') return metric[field] ?? null
  // Data sets, bytes, files, templates and arrays are not single values.
  if (type !== undefined && type >= 16 && type <= 34) return null
  throw new WrongType(type === undefined ? 'no type' : `type ${type} and a ${field}`)
}
