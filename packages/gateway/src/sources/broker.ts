import { readFile } from 'node:fs/promises'
import type { IClientOptions } from 'mqtt'
import { z } from 'zod'
import { readSecret } from './read-secret.ts'

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

const RECONNECT_MS = 5000

/** Reads the password and the certificates, and lets the client connect again for ever. */
export async function brokerOptions({
  user,
  tls,
}: Pick<z.output<typeof settings>, 'user' | 'tls'>): Promise<IClientOptions> {
  return {
    ...(user && { username: user.name, password: await readSecret(user.passwordFile) }),
    ...(tls?.ca && { ca: await readFile(tls.ca) }),
    ...(tls?.certificate && { cert: await readFile(tls.certificate) }),
    ...(tls?.key && { key: await readFile(tls.key) }),
    reconnectPeriod: RECONNECT_MS,
    // A wrong password or a broker that is starting: an operator may repair it meanwhile.
    reconnectOnConnackError: true,
    resubscribe: false,
  }
}
