import { z } from 'zod'
import { paths } from './paths.ts'
import { GATEWAY_NAME, INGEST_ITEM_ID, INSTALLED_PRODUCT_ID, TEMPLATE_ID } from './patterns.ts'
import { line, text } from './primitives.ts'
import { route } from './route.ts'
import { alertTypes, instrumentStatuses, limits, logTypes, severities, thresholdRules } from './vocabulary.ts'

/**
 * Gateway messages: CloudEvents 1.0 batches, wire 12. An invalid envelope refuses the whole batch (400); items are
 * validated one by one, so a bad item is parked and never blocks the rest.
 */

export const ingestLimits = {
  items: 500,
  sentBytes: 1_000_000,
  unpackedBytes: 8_000_000,
  logLines: 200,
  components: 200,
} as const

const deviceInstant = z.iso
  .datetime({ offset: true })
  .transform((value) => new Date(value))
  .refine((date) => date.getUTCFullYear() >= 1970 && date.getUTCFullYear() < 10_000)

const envelope = {
  specversion: z.literal('1.0'),
  /** `<epoch>-<seq>`, never reused by this gateway. */
  id: z.string().regex(INGEST_ITEM_ID, 'must be <epoch>-<seq>'),
  source: line(200),
  /** Installed product id of the instrument; for a heartbeat, that of the gateway itself. */
  subject: z.string().regex(INSTALLED_PRODUCT_ID, 'must be an installed product id'),
  /** Time by the gateway's clock. */
  time: deviceInstant,
  /** Counts up within the epoch. The highest sequence decides the current status, not the order of arrival. */
  sequence: z.union([
    z.number().int().min(0),
    z
      .string()
      .regex(/^\d{1,16}$/)
      .transform(Number),
  ]),
  datacontenttype: line(100).optional(),
}

/** An alarm. If it is raised again while its event is open and not cleared, it is latched onto that event. */
export const alarmRaised = z.object({
  ...envelope,
  type: z.literal('benchwatch.alarm.raised'),
  data: z.strictObject({
    alertId: text(100).min(1),
    templateId: z.string().regex(TEMPLATE_ID, 'must be <eisCode>-<errorCode>'),
    alertType: z.literal(alertTypes),
    componentName: text(200).min(1),
    logGeneratedAt: deviceInstant,
    /**
     * For this field and the next two: if absent or null, the template's value applies; without a template, severity
     * high and a plain sentence.
     */
    severity: z.enum(severities).nullish(),
    description: text(10_000).nullish(),
    userMessage: text(10_000).nullish(),
    /** Number of alarms that a gateway merged into this one, because they came too fast; each counts as a repeat. */
    count: z.number().int().min(1).max(1_000_000).optional(),
  }),
})

/** The instrument has returned to normal. This does not change the status of the event. */
export const alarmCleared = z.object({
  ...envelope,
  type: z.literal('benchwatch.alarm.cleared'),
  data: z.strictObject({ alertId: text(100).min(1) }),
})

/** The instrument's new status. */
export const statusChanged = z.object({
  ...envelope,
  type: z.literal('benchwatch.status.changed'),
  data: z.strictObject({
    instrumentStatus: z.enum(instrumentStatuses),
    /** A sentence that says why, such as why a gateway does not reach the instrument. */
    reason: text(500).nullish(),
    /**
     * When the status began by the clock that dates the alarms of the instrument; default: `time`. It places the status
     * in the history and bounds its run, so that an alarm belongs to its run even if that clock is wrong.
     */
    at: deviceInstant.optional(),
    /**
     * Id of the run in progress, which other makers call batch or lot; control characters become blanks. An empty text,
     * or no `run`, says that no run is in progress; with 'Unknown' or 'disconnected', a missing `run` says nothing.
     */
    run: text(limits.run)
      .transform((name) => name.replace(/\p{Cc}+/gu, ' ').trim())
      .nullish(),
  }),
})

/** Same as `text`, but NUL becomes U+FFFD, so that one bad line does not reject the 199 lines sent with it. */
const loggedText = (max: number) =>
  z
    .string()
    .max(max)
    .overwrite((value) => value.toWellFormed().replaceAll('\u0000', '\ufffd'))

/** One log line, with the time of the clock that wrote it. */
export const logLine = z.strictObject({
  timestamp: deviceInstant,
  message: loggedText(64_000),
  module: loggedText(200).nullish(),
  level: loggedText(40).nullish(),
  eventCode: loggedText(100).nullish(),
  userName: loggedText(200).nullish(),
  hostname: loggedText(200).nullish(),
})

/** Lines of one log of an instrument or its client computers. */
export const logAppended = z.object({
  ...envelope,
  type: z.literal('benchwatch.log.appended'),
  data: z.strictObject({ logType: z.enum(logTypes), lines: z.array(logLine).min(1).max(ingestLimits.logLines) }),
})

/** Empty text means no value and becomes null (wire 1). */
const measured = z.strictObject({
  metric: text(200).min(1),
  unit: text(40)
    .nullable()
    .transform((unit) => unit || null),
  /** A text for values that are not counted, such as a serial number. */
  value: z
    .union([z.number(), text(1000)])
    .nullable()
    .transform((value) => (value === '' ? null : value)),
})

/** Usage of one component, without the values that the server computes (wire 4). */
export const sampledComponent = z.strictObject({
  /** Ends with the module in parentheses. */
  componentName: text(200).min(1),
  usage: z
    .array(
      measured.extend({
        value: z.number().nullable(),
        thresholdRule: z.enum(thresholdRules),
        /** MAXIMUM_USAGE [max], HIGH_SAFE_USAGE [safe, max], COUNT_DOWN [soon, now]; empty if unknown. */
        thresholdValues: z.array(z.number()).max(10),
      }),
    )
    .max(100),
  info: z.array(measured).max(100),
  details: z.array(measured).max(100),
})
export type SampledComponent = z.output<typeof sampledComponent>

/** Usage of the components listed. The server shows the newest sample of each, by the gateway's sequence. */
export const usageSampled = z.object({
  ...envelope,
  type: z.literal('benchwatch.usage.sampled'),
  data: z.strictObject({ components: z.array(sampledComponent).min(1).max(ingestLimits.components) }),
})

/** Run time of one day. A later item for the same day replaces it. */
export const runtimeMeasured = z.object({
  ...envelope,
  type: z.literal('benchwatch.runtime.measured'),
  data: z.strictObject({
    /** Calendar day in the time zone of the instrument's site. */
    day: z.iso.date().refine((day) => day >= '1970-01-01', 'must be 1970-01-01 or later'),
    seconds: z.number().min(0).max(86_400).transform(Math.round),
  }),
})

/** The complete list of an instrument's computers and its UNICORN software; absent values are unknown. */
export const clientsChanged = z.object({
  ...envelope,
  type: z.literal('benchwatch.clients.changed'),
  data: z.strictObject({
    clientPcNames: z.array(text(200).min(1)).max(50),
    instrumentServerPcName: text(200).nullish(),
    unicornVersion: text(200).nullish(),
    unicornWinOs: text(200).nullish(),
    unicornPcName: text(200).nullish(),
    unicornServicePack: text(200).nullish(),
    unicornEmbeddedPcDomain: text(200).nullish(),
    unicornEmbeddedPcType: text(200).nullish(),
    unicornInstalledConfigFile: text(1000).nullish(),
    /** JSON text with a list of {name, ip, dhcpEnabled}. Stored as sent, even if it is not valid JSON. */
    unicornNetworkConfigurations: text(20_000).nullish(),
  }),
})

/** A message that no rule of a source matched, by the field that names it best. */
export const unmatchedName = z.strictObject({
  /** Field of the messages, such as `conditionName` or `topic`. */
  field: text(100).min(1),
  name: text(200).min(1),
  /** Messages since the start of the gateway. */
  count: z.number().int().min(1),
  lastAt: deviceInstant,
})

/** State of the connection of a gateway's source to what it listens to, such as a broker. */
export const gatewayLink = z.strictObject({
  name: text(100).min(1),
  /** Protocol, such as `mqtt`. */
  kind: text(40).min(1),
  state: z.enum(['up', 'down']),
  since: deviceInstant,
  /** A sentence that says why it is down. */
  reason: text(500).nullish(),
  /** Messages since the start of the gateway that no rule matched, and those that could not be read. */
  unmatched: z.number().int().min(0).default(0),
  faulty: z.number().int().min(0).default(0),
  /** A sentence about the last message that could not be read. */
  lastFault: text(500).nullish(),
  /** Reports since the start of the gateway, and the time of the last one; absent from older gateways. */
  items: z.number().int().min(0).nullish(),
  lastItemAt: deviceInstant.nullish(),
  /** Names of unmatched messages, those seen last. */
  unmatchedNames: z.array(unmatchedName).max(50).optional(),
})

/** The gateway is alive. Its subject is the gateway itself. */
export const heartbeat = z.object({
  ...envelope,
  type: z.literal('benchwatch.heartbeat'),
  data: z.strictObject({
    links: z.array(gatewayLink).max(100).optional(),
    /** Release of the gateway program, such as 3.0.0. */
    version: text(40).optional(),
    /** Items on the gateway's disk that the server has not acknowledged. */
    backlog: z.number().int().min(0).max(Number.MAX_SAFE_INTEGER).optional(),
  }),
})

export const ingestItem = z.discriminatedUnion('type', [
  alarmRaised,
  alarmCleared,
  statusChanged,
  logAppended,
  usageSampled,
  runtimeMeasured,
  clientsChanged,
  heartbeat,
])
export type IngestItem = z.output<typeof ingestItem>
/** An item as a gateway writes it, times as text. */
export type IngestItemInput = z.input<typeof ingestItem>

export const ingestItemTypes = ingestItem.options.map((option) => option.shape.type.value)

/** Codes of rejected items. The item is parked with this code and a reason. */
export const rejectionCodes = ['bad-item', 'unknown-type', 'unknown-instrument', 'other-gateway-instrument'] as const
export type RejectionCode = (typeof rejectionCodes)[number]

/**
 * Optional parts of items. Gateways send them only to a server that names them, because an older one would park the
 * item. `at` belongs to a status. `sources` belongs to a heartbeat: version and backlog, and of its links the items and
 * the names of unmatched messages.
 */
export const ingestKnows = ['at', 'count', 'links', 'reason', 'run', 'sources'] as const

export const ingestAnswer = z.object({
  accepted: z.number().int(),
  /** Items received before; repeats are ignored. */
  duplicates: z.number().int(),
  rejected: z.array(z.object({ id: z.string().nullable(), code: z.enum(rejectionCodes), reason: z.string() })),
  /** Highest sequence of this batch: all its items are stored, known or parked. Null for an empty batch. */
  ackSequence: z.number().int().nullable(),
  /** In the answer to a heartbeat: the optional parts of items that this server accepts. */
  knows: z.array(z.string()).optional(),
})
export type IngestAnswer = z.output<typeof ingestAnswer>

export const ingestBatch = route({
  ...paths.ingestBatch,
  summary: 'Store a batch of instrument reports from a gateway; answered after it is stored',
  params: z.object({ gateway: z.string().regex(GATEWAY_NAME) }),
  body: z.array(z.unknown(), { error: 'must be a JSON array of CloudEvents' }).max(ingestLimits.items),
  answer: ingestAnswer,
  errors: ['bad-gateway-key', 'other-gateway', 'payload-too-large', 'unsupported-media-type', 'too-many-requests'],
  access: { kind: 'gateway' },
})
