import { Client, type ClientConfig } from 'pg'

/** One server of an address with several: a name, an IP address or the folder of a socket, and its port. */
export interface Host {
  host: string
  port: number
}

/** The driver's configuration. With `hosts`, the connection goes to that one which accepts writes. */
export type ServerConfig = ClientConfig & { hosts?: readonly Host[] | undefined }

type Connected = ((error: Error) => void) | ((error: null, client: Client) => void)

/** Shorter than the wait for a connection of a pool, whose timer can't break off a search. */
const SEARCH_MS = 3000
/** PostgreSQL's own code for a server that can't be used at the moment, so callers are asked to retry. */
const CANNOT_CONNECT_NOW = '57P03'

/**
 * A connection of the driver, which knows one host only. With several, all are asked at once before each connection: a
 * primary that is frozen or cut off then costs no time, and a pool follows a failover by the connections that it opens
 * anew.
 */
export class ServerClient extends Client {
  readonly #config: ServerConfig

  constructor(config: ServerConfig = {}) {
    super(config)
    this.#config = config
    // A connection that breaks fails its next query. Without a listener, the error itself would end the process: also one
    // that arrives together with the greeting of a server which is shutting down.
    this.on('error', () => undefined)
  }

  override connect(): Promise<Client>
  override connect(callback: Connected): void
  override connect(callback?: Connected): Promise<Client> | undefined {
    const connected = this.#connect()
    if (!callback) return connected
    const done = callback as (error: Error | null, client?: Client) => void
    // oxlint-disable-next-line promise/no-callback-in-promise -- the pool of the driver takes a callback.
    connected.then((client) => done(null, client), done)
    return undefined
  }

  async #connect(): Promise<Client> {
    const { hosts } = this.#config
    if (hosts) Object.assign(this, await findWritable(this.#config, hosts))
    return super.connect()
  }
}

/** Throws an error that says of each host why it can't be used. */
async function findWritable(config: ServerConfig, hosts: readonly Host[]): Promise<Host> {
  try {
    return await Promise.any(hosts.map((host) => requireWritable(config, host)))
  } catch (error) {
    const reasons = (error as AggregateError).errors.map(({ message }: Error) => message).join(', ')
    throw Object.assign(new Error(`no host accepts writes: ${reasons}`), { code: CANNOT_CONNECT_NOW })
  }
}

/** Since version 14, PostgreSQL says while it greets whether it accepts writes, so no query is needed. */
async function requireWritable(config: ServerConfig, { host, port }: Host): Promise<Host> {
  const client = Object.assign(new Client({ ...config, connectionTimeoutMillis: SEARCH_MS }), { host, port })
  client.on('error', () => undefined)
  const parameters = new Map<string, string>()
  client.connection.on(
    'parameterStatus',
    ({ parameterName, parameterValue }: Record<'parameterName' | 'parameterValue', string>) =>
      parameters.set(parameterName, parameterValue),
  )
  try {
    await client.connect()
  } catch (error) {
    const { message, code } = error as Error & { code?: string }
    throw new Error(`${host}:${port} ${message || code}`, { cause: error })
  }
  client.end().catch(() => undefined)
  if (parameters.get('in_hot_standby') === 'on') throw new Error(`${host}:${port} is a standby`)
  if (parameters.get('default_transaction_read_only') === 'on') throw new Error(`${host}:${port} is read-only`)
  return { host, port }
}
