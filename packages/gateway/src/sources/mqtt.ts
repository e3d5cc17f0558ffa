import { callbackify } from 'node:util'
import type { IClientOptions, IPublishPacket } from 'mqtt'
import { z } from 'zod'
import { type RunningMapping, startMapping } from '../mapping/mapping.ts'
import { checkEnds, checkTemplates, duration, mappedSource } from '../mapping/rules.ts'
import type { Facts } from '../mapping/templates.ts'
import type { Source, SourceContext } from '../source.ts'
import { brokerOptions, brokerSettings, checkTls, endClient, trialClientId, watchBroker } from './broker.ts'

/**
 * Subscribes to topics of a broker, MQTT 3.1.1 or 5, with QoS 1 and a persistent session. The broker gets its PUBACK
 * only when the report is on disk, and keeps messages while the gateway is away.
 */

export const mqttSource = z
  .strictObject({
    kind: z.literal('mqtt'),
    ...mappedSource,
    ...brokerSettings,
    version: z.union([z.literal('3.1.1'), z.literal(5)]).default('3.1.1'),
    topics: z.array(z.string().min(1).max(1000)).min(1).max(100),
    /** Names the session at the broker; without it, `benchwatch-<gateway>-<name>`. */
    clientId: z.string().min(1).max(200).optional(),
    /** `text`: the payload is the field `text`. `json`: it is parsed into the field `json`. */
    format: z.enum(['json', 'text']).default('json'),
    /** How long the broker keeps messages for an absent gateway. MQTT 3.1.1 leaves this to the broker. */
    sessionExpiry: duration.default(7 * 86_400_000),
  })
  .superRefine(checkTemplates)
  .superRefine(checkEnds)
  .superRefine(checkTls)
export type MqttConfig = z.output<typeof mqttSource>

export function mqtt(config: MqttConfig): Source {
  return async (context) => {
    const { connect } = await import('mqtt')
    const options = await optionsOf(config, context)
    const client = connect(config.url, options)
    const mapping = startMapping(config, context)
    const filters = distinct(config.topics)
    const topics = { name: `${config.name}/topics`, value: JSON.stringify(filters) }
    const before = context.notes.get(topics.name)
    let isSubscribed = before === topics.value
    const gone = filtersIn(before).filter((filter) => !filters.includes(filter))
    /** The broker has kept what was published meanwhile, so a retained message is not the first of its kind. */
    let isContinued = false
    client.handleMessage = callbackify(async (packet: IPublishPacket) => {
      // The end of an alarm must not be taken before its beginning, which will be delivered again.
      if (client.stream.destroyed) throw new Error('A message before this one could not be stored.')
      try {
        await take(packet, { config, context, mapping, isContinued })
      } catch (error) {
        context.log.error({ err: error }, 'A message could not be stored and stays at the broker. Check the disk.')
        // The client sends no PUBACK after an error, and the broker sends the message again on the next connection.
        client.stream.destroy()
        throw error
      }
    })
    const subscribe = watchBroker(client, { config, context })
    client.on('connect', ({ sessionPresent }) => {
      // Up before the first message: a status from the time of the outage must follow the `Unknown` of the link's return.
      if (sessionPresent) context.link(config.name, 'up')
      isContinued = sessionPresent && isSubscribed
      subscribe(filters, () => {
        if (isSubscribed) return
        isSubscribed = true
        // The session at the broker keeps every filter that it ever had.
        const leaving = gone.length > 0 ? client.unsubscribeAsync(gone) : Promise.resolve()
        leaving
          .then(() => context.keep(topics))
          .catch((error: unknown) =>
            context.log.warn(
              { err: error },
              'The change of topics could not be completed. The next start of the gateway tries it again.',
            ),
          )
      })
    })
    return {
      async stop() {
        await endClient(client)
        await mapping.stop()
      },
    }
  }
}

const filtersIn = (note: string | undefined) => z.array(z.string()).parse(JSON.parse(note ?? '[]'))

/** Leaves out filters whose topics another one includes: a broker of MQTT 5 sends a message once for each filter. */
export function distinct(filters: readonly string[]): string[] {
  const all = [...new Set(filters)]
  return all.filter((filter) => !all.some((other) => other !== filter && includes(other, filter)))
}

/** Returns true if each topic of a filter is one of a wider filter. */
function includes(wide: string, filter: string): boolean {
  const [wanted, given] = [wide.split('/'), filter.split('/')]
  // Wildcards at the beginning leave out the topics of the broker itself, such as $SYS.
  if (filter.startsWith('$') && wanted[0] !== given[0]) return false
  const end = wanted.indexOf('#')
  if (end === -1 ? wanted.length !== given.length : given.length < end) return false
  return wanted.slice(0, end === -1 ? undefined : end).every((level, at) => {
    return level === given[at] || (level === '+' && given[at] !== '#')
  })
}

async function optionsOf(config: MqttConfig, { name, isTrial }: SourceContext): Promise<IClientOptions> {
  const { version, clientId, sessionExpiry } = config
  return {
    // A trial must not take messages from the session of the gateway.
    clientId: isTrial ? trialClientId() : (clientId ?? `benchwatch-${name}-${config.name}`),
    clean: isTrial,
    protocolVersion: version === 5 ? 5 : 4,
    ...(version === 5 && !isTrial && { properties: { sessionExpiryInterval: Math.round(sessionExpiry / 1000) } }),
    ...(await brokerOptions(config)),
  }
}

interface Taking {
  config: MqttConfig
  context: SourceContext
  mapping: RunningMapping
  isContinued: boolean
}

async function take(
  { topic, payload, retain, messageId, dup }: IPublishPacket,
  { config, context, mapping, isContinued }: Taking,
): Promise<void> {
  const size = typeof payload === 'string' ? Buffer.byteLength(payload) : payload.length
  if (size > config.maxBytes) {
    context.fault(`A message of ${topic} has ${size} bytes, more than maxBytes (${config.maxBytes}).`)
    return
  }
  const text = payload.toString()
  const levels = Object.fromEntries(topic.split('/').map((level, index) => [`topic${index + 1}`, level]))
  // A message that is delivered again after a crash has its old message id.
  const id = messageId === undefined ? {} : { id: `${messageId} ${topic} ${text}`, repeated: dup }
  const facts: Facts = {
    topic,
    ...levels,
    retain,
    text,
    ...(retain && !dup && isContinued && { isHeard: true }),
    ...id,
  }
  if (config.format === 'text') {
    await mapping.take([facts])
    return
  }
  let json: unknown
  try {
    json = JSON.parse(text)
  } catch {
    context.fault(`A message of ${topic} is not JSON: ${text.slice(0, 80)}`)
    return
  }
  await mapping.take([{ ...facts, json }])
}
