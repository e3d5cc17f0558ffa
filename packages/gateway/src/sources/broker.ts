import { randomUUID } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { setTimeout as pauseFor } from 'node:timers/promises'
import type { IClientOptions, MqttClient } from 'mqtt'
import { z } from 'zod'
import type { SourceContext } from '../source.ts'
import { readSecret } from './secret.ts'

/** The settings of every source that connects to an MQTT broker. */
export const brokerSettings = {
  url: z.url({ protocol: /^(mqtts?|wss?)$/, error: 'must be an address such as mqtts://broker:8883' }),
  user: z.strictObject({ name: z.string(), passwordFile: z.string() }).optional(),
  tls: z
    .strictObject({ ca: z.string().optional(), certificate: z.string().optional(), key: z.string().optional() })
    .optional(),
  maxBytes: z.number().int().min(100).max(1_000_000).default(65_536),
}
const settings = z.strictObject(brokerSettings)

type BrokerConfig = z.output<typeof settings>

const RECONNECT_MS = 5000
/** A broker that hangs is noticed after one and a half times this. */
const KEEPALIVE_S = 15
/** Time for the last acknowledgements and the farewell when the program ends. */
const FAREWELL_MS = 2000

/** A refinement: certificates would silently not be used on a connection without TLS. */
export function checkTls({ url, tls }: BrokerConfig, context: z.RefinementCtx): void {
  if (tls && !/^(mqtts|wss):/.test(url))
    context.addIssue({ code: 'custom', path: ['tls'], message: 'is used only with mqtts:// or wss:// in url' })
}

/** Reads the password and the certificates, and lets the client reconnect without limit. */
export async function brokerOptions({ user, tls }: Pick<BrokerConfig, 'user' | 'tls'>): Promise<IClientOptions> {
  return {
    ...(user && { username: user.name, password: await readSecret(user.passwordFile) }),
    ...(tls?.ca && { ca: await readFile(tls.ca) }),
    ...(tls?.certificate && { cert: await readFile(tls.certificate) }),
    ...(tls?.key && { key: await readFile(tls.key) }),
    reconnectPeriod: RECONNECT_MS,
    keepalive: KEEPALIVE_S,
    // A wrong password or a broker that is starting: an operator may repair it in the meantime.
    reconnectOnConnackError: true,
    resubscribe: false,
  }
}

/** Returns the client id of a trial, which must not end the connection of the gateway or of another trial. */
export function trialClientId(): string {
  return `benchwatch-trial-${randomUUID().slice(0, 8)}`
}

/** Reports the state of the link to the broker. Returns the way to subscribe on each connection. */
export function watchBroker(
  client: MqttClient,
  { config: { name, url }, context }: { config: { name: string; url: string }; context: SourceContext },
): (topics: readonly string[], onUp?: () => void) => void {
  const broker = new URL(url).host
  let reason = ''
  const down = (sentence: string) => context.link(name, 'down', sentence)
  client.on('error', (error) => {
    reason = `The broker ${broker} can't be used: ${error.message || String(error)}`
    down(reason)
  })
  client.on('close', () => {
    down(reason || `The connection to the broker ${broker} is lost or can't be made.`)
  })
  client.on('connect', () => {
    reason = ''
  })
  return (topics, onUp) => {
    client.subscribe([...topics], { qos: 1 }, (error, granted = []) => {
      const refused = granted.filter(({ qos }) => Number(qos) >= 128).map(({ topic }) => topic)
      if (error) down(`The broker ${broker} refuses the subscription: ${error.message}`)
      else if (refused.length > 0)
        down(`The broker ${broker} refuses the subscription to ${refused.join(', ')}. Check its access list.`)
      else {
        context.link(name, 'up')
        onUp?.()
      }
    })
  }
}

/** Ends the client in order, or without the broker if that does not answer. */
export async function endClient(client: MqttClient): Promise<void> {
  await Promise.race([client.endAsync(), pauseFor(FAREWELL_MS, undefined, { ref: false })])
  client.stream.destroy()
}
