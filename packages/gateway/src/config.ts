import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { errorCode, readEnvironment } from '@benchwatch/contract/environment'
import { GATEWAY_NAME } from '@benchwatch/contract/patterns'
import { z } from 'zod'

/**
 * The only reader of the environment in this program. A bad configuration stops the start with a list of every bad
 * key.
 */

const environment = z.object({
  /** Base URL of the server; the gateway appends `/api/ingest/v1/…`. */
  BENCHWATCH_URL: z
    .url({ protocol: /^https?$/, error: 'must look like https://host or http://host:port' })
    .default('http://127.0.0.1:8080'),
  /** Runs one gateway: its name and the key that `npm run gateway:key -- <name>` printed. */
  GATEWAY_NAME: z.string().regex(GATEWAY_NAME).optional(),
  GATEWAY_KEY: z.string().min(1).optional(),
  /** Runs several gateways in one process: a JSON file `[{"gateway": name, "key": key}]`, as the demo writes it. */
  DEMO_GATEWAYS: z.string().optional(),
  /** Each gateway keeps its outbox in its own subdirectory. */
  OUTBOX_DIR: z.string().default('./data/outbox'),
  /** When an outbox is larger than this, its oldest log lines are dropped. */
  OUTBOX_MAX_MB: z
    .string()
    .regex(/^[1-9]\d{0,5}$/, 'must be a whole number from 1 to 999999')
    .transform(Number)
    .default(256),
  /** YAML file that says where reports come from: brokers, ports, servers of instruments. */
  GATEWAY_SOURCES: z.string().optional(),
  /** Simulated instruments; on by default with DEMO_GATEWAYS, otherwise off. */
  SIMULATOR: z.enum(['on', 'off']).optional(),
  SIMULATOR_SEED: z.string().min(1).default('benchwatch'),
  SIMULATOR_SPEED: z.coerce.number().positive().max(1000).default(1),
  LOG_LEVEL: z.enum(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent']).default('info'),
  /** Set by the start command: the program ends when standard input closes, so that no process is orphaned. */
  BENCHWATCH_PARENT: z.enum(['stdin']).optional(),
})

export interface GatewayConfig {
  serverUrl: string
  /** The one gateway of this process, or the file that lists several. */
  gateways: { kind: 'one'; name: string; key: string } | { kind: 'file'; path: string }
  outboxDir: string
  outboxMaxBytes: number
  /** Path of the file of sources. */
  sourcesFile: string | null
  simulator: { seed: string; speed: number } | null
  logLevel: z.output<typeof environment>['LOG_LEVEL']
  endWithParent: boolean
}

/** An invalid configuration; the message names every bad key. */
export class ConfigurationError extends Error {}

/** Reads and validates the configuration from an environment such as process.env. Throws ConfigurationError. */
export function readConfig(variables: Record<string, string | undefined>): GatewayConfig {
  const { given, faults } = readEnvironment(variables, ['GATEWAY_KEY'])
  const parsed = environment.safeParse(given)
  const bad = [...faults, ...(parsed.error?.issues ?? []).map(({ path, message }) => `${path.join('.')}: ${message}`)]
  if (!parsed.success || bad.length > 0)
    throw new ConfigurationError(
      `The gateway's configuration can't be used:\n${bad.map((fault) => `  ${fault}`).join('\n')}`,
    )
  const env = parsed.data
  return {
    serverUrl: env.BENCHWATCH_URL.replace(/\/+$/, ''),
    gateways: gatewaysOf(env),
    outboxDir: resolve(env.OUTBOX_DIR),
    outboxMaxBytes: env.OUTBOX_MAX_MB * 1_000_000,
    sourcesFile: env.GATEWAY_SOURCES ? resolve(env.GATEWAY_SOURCES) : null,
    simulator:
      (env.SIMULATOR ?? (env.DEMO_GATEWAYS ? 'on' : 'off')) === 'on'
        ? { seed: env.SIMULATOR_SEED, speed: env.SIMULATOR_SPEED }
        : null,
    logLevel: env.LOG_LEVEL,
    endWithParent: env.BENCHWATCH_PARENT === 'stdin',
  }
}

/** Returns the folder of outboxes and certificates, for commands beside a running gateway. */
export function outboxDirOf(variables: Record<string, string | undefined>): string {
  return resolve(environment.shape.OUTBOX_DIR.parse(variables['OUTBOX_DIR'] || undefined))
}

/**
 * Resolves a file named in a command against the directory where the command was typed; npm runs it in the root of the
 * repository.
 */
export function typedFile(path: string): string {
  return resolve(process.env['INIT_CWD'] || '.', path)
}

function gatewaysOf(env: z.output<typeof environment>): GatewayConfig['gateways'] {
  if (env.DEMO_GATEWAYS) return { kind: 'file', path: resolve(env.DEMO_GATEWAYS) }
  if (env.GATEWAY_NAME && env.GATEWAY_KEY) return { kind: 'one', name: env.GATEWAY_NAME, key: env.GATEWAY_KEY }
  throw new ConfigurationError(
    'No gateway is configured. Set GATEWAY_NAME and GATEWAY_KEY or GATEWAY_KEY_FILE (npm run gateway:key -- <name> prints a new key), or DEMO_GATEWAYS to the file that lists several.',
  )
}

/** Name of a gateway and the key that authenticates it at the server. */
export interface GatewayKey {
  name: string
  key: string
}

const keyFile = z
  .array(z.object({ gateway: z.string().regex(GATEWAY_NAME), key: z.string().min(1) }))
  .min(1, 'names no gateway')

/** Returns the gateways that this process runs. Throws ConfigurationError if the file is missing or invalid. */
export async function readGatewayKeys(gateways: GatewayConfig['gateways']): Promise<GatewayKey[]> {
  if (gateways.kind === 'one') return [{ name: gateways.name, key: gateways.key }]
  const { path } = gateways
  const expected = 'It must contain [{"gateway": "<name>", "key": "<key>"}].'
  try {
    const parsed = keyFile.safeParse(JSON.parse(await readFile(path, 'utf8')))
    if (!parsed.success)
      throw new ConfigurationError(`${path} is not a list of gateways: ${z.prettifyError(parsed.error)}\n${expected}`)
    return parsed.data.map(({ gateway, key }) => ({ name: gateway, key }))
  } catch (error) {
    if (error instanceof ConfigurationError) throw error
    // The message of the cause may quote a part of the file, including a key.
    const reason = error instanceof SyntaxError ? 'is not JSON' : `can't be read (${errorCode(error)})`
    throw new ConfigurationError(`${path} ${reason}. ${expected}`)
  }
}
