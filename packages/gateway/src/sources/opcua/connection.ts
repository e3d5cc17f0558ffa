import { readFile } from 'node:fs/promises'
import { setTimeout as pauseFor } from 'node:timers/promises'
import type {
  ClientSession,
  ClientSubscription,
  EndpointDescription,
  OPCUAClient,
  UserIdentityInfo,
} from 'node-opcua-client'
import type { Logger } from 'pino'
import { z } from 'zod'
import {
  ConnectionFault,
  certificateFileOf,
  type OwnCertificate,
  openCertificates,
  requireTrust,
} from './certificates.ts'

/**
 * Keeps a session with an OPC UA server for as long as the source runs. The library repairs a broken network
 * connection and fetches what the server kept in the meantime. Everything else starts again: a restarted server, a
 * session that it forgot, a certificate that changed. So there is one way to a session that works, and it is taken at
 * every start.
 */

export const POLICIES = ['Basic256Sha256', 'Aes128_Sha256_RsaOaep', 'Aes256_Sha256_RsaPss'] as const

export const connectionConfig = {
  endpoint: z.string().regex(/^opc\.tcp:\/\/[^\s/]+/, 'must be an address such as opc.tcp://10.1.2.3:4840'),
  /** `none` sends alarms and passwords in clear text. */
  security: z
    .union([
      z.literal('none'),
      z.strictObject({ mode: z.enum(['Sign', 'SignAndEncrypt']), policy: z.enum(POLICIES).default('Basic256Sha256') }),
    ])
    .default({ mode: 'SignAndEncrypt', policy: 'Basic256Sha256' }),
  /** Without it, the gateway signs in anonymously. */
  user: z
    .union([
      z.strictObject({ name: z.string().min(1), passwordFile: z.string().min(1) }),
      z.strictObject({ certificateFile: z.string().min(1), keyFile: z.string().min(1) }),
    ])
    .optional(),
}
export const connection = z.object(connectionConfig)
export type ConnectionConfig = z.output<typeof connection>

const FIRST_RETRY_MS = 500
const LONGEST_RETRY_MS = 5_000
const CLOSE_MS = 2_000
const LONGEST_STOP_MS = 5_000
/** The library asks the server for its state this often; a server that hangs is noticed after two of them. */
const KEEP_ALIVE_MS = 5_000
/** A subscription whose keep-alives fail to come this often is over. */
const MOST_SILENCE = 3
const PUBLISHING = {
  requestedPublishingInterval: 500,
  // 60 s without the gateway: as long as the session.
  requestedLifetimeCount: 120,
  requestedMaxKeepAliveCount: 10,
  maxNotificationsPerPublish: 1_000,
  publishingEnabled: true,
  priority: 10,
}

export interface Connected {
  session: ClientSession
  subscription: ClientSubscription
}

export interface ConnectionOptions {
  config: ConnectionConfig
  /** Folder of certificates. */
  folder: string
  /** Prepares a new session, and reports that the link is up. */
  begin(connected: Connected): Promise<void>
  /** The same session and subscription work again after a broken connection; reports that the link is up. */
  resume(connected: Connected): Promise<void>
  isDown(reason: string): void
  /** Thumbprint of the server's certificate at the last connection, kept over restarts. */
  known: { read(): string | null; write(thumbprint: string): Promise<void> }
  log: Logger
}

export interface RunningConnection {
  stop(): Promise<void>
}

/** Connects and stays connected until stopped. Never rejects: a server that can't be used is a link that is down. */
export function keepConnected(options: ConnectionOptions): RunningConnection {
  const { isDown, log } = options
  const stopping = new AbortController()
  async function run(): Promise<void> {
    await sendMessagesTo((text) => log.debug(text))
    let failed = 0
    while (!stopping.signal.aborted) {
      try {
        await visit(options, stopping.signal, () => {
          failed = 0
        })
      } catch (error) {
        if (stopping.signal.aborted) break
        const reason = sentenceOf(error, options)
        isDown(reason)
        if (failed === 0) log.warn({ err: error }, reason)
      }
      await pauseFor(Math.min(LONGEST_RETRY_MS, FIRST_RETRY_MS * 2 ** failed++), undefined, {
        signal: stopping.signal,
      }).catch(() => undefined)
    }
  }
  const running = run()
  return {
    async stop() {
      stopping.abort()
      // A server that hangs while a session begins does not hold up the end of the gateway.
      await Promise.race([running, pauseFor(LONGEST_STOP_MS, undefined, { ref: false })])
    },
  }
}

/** The library prints warnings for what is not a fault here, such as each attempt to repair. */
export async function sendMessagesTo(take: (text: string) => void): Promise<void> {
  const { setErrorLogger, setWarningLogger } = await import('node-opcua-client')
  const print = (...parts: unknown[]) => take(parts.map(String).join(' '))
  setErrorLogger(print)
  setWarningLogger(print)
}

/** One session from its beginning until it can't be repaired. Returns when it is over; throws if it never began. */
async function visit(options: ConnectionOptions, stopping: AbortSignal, onUp: () => void): Promise<void> {
  const { config, begin, resume, isDown, log } = options
  const { client, session } = await openSession(options)
  const ended = new AbortController()
  try {
    const subscription = await session.createSubscription2(PUBLISHING)
    const connected = { session, subscription }
    const over = Promise.withResolvers<string>()
    const firstSession = session.sessionId.toString()
    let hasBegun = false
    client.on('connection_lost', () => isDown(`The connection to ${config.endpoint} is lost.`))
    client.on('reconnection_attempt_has_failed', (error: Error) => {
      // The certificate decides whether this is still the server that was trusted.
      if (/certificate|security/i.test(error.message)) over.resolve(error.message)
    })
    session.on('session_restored', () => {
      const isSame = hasBegun && session.sessionId.toString() === firstSession
      if (isSame) resume(connected).catch((error: unknown) => over.resolve(String(error)))
      else over.resolve('The server has a new session.')
    })
    session.on('session_closed', () => over.resolve('The server has closed the session.'))
    subscription.on('terminated', () => over.resolve('The server has ended the subscription.'))
    // The library counts by the clock of the machine: once that is set, it may neither publish nor notice.
    let silence = 0
    const numbered = subscription as ClientSubscription & { lastSequenceNumber: number }
    let received = 0
    subscription.on('raw_notification', ({ sequenceNumber, notificationData }) => {
      silence = 0
      // A keep-alive has the number of the next message, which the library then would not ask for after a break.
      if (notificationData?.length) received = sequenceNumber
      else numbered.lastSequenceNumber = received
    })
    const listening = setInterval(
      () => {
        if (client.isReconnecting) silence = 0
        else if (++silence > MOST_SILENCE) over.resolve(`${config.endpoint} is silent.`)
      },
      Math.max(KEEP_ALIVE_MS, subscription.publishingInterval * subscription.maxKeepAliveCount),
    )
    ended.signal.addEventListener('abort', () => clearInterval(listening))
    stopping.addEventListener('abort', () => over.resolve('The gateway ends.'), { signal: ended.signal })
    await begin(connected)
    hasBegun = true
    onUp()
    const reason = await over.promise
    if (stopping.aborted) return
    log.info(`${reason} Connecting again.`)
    isDown(`The connection to ${config.endpoint} is lost.`)
  } finally {
    ended.abort()
    await close(client)
  }
}

/** Connects and signs in. Throws ConnectionFault with a sentence for the operator. */
export async function openSession(
  options: Pick<ConnectionOptions, 'config' | 'folder' | 'known'>,
): Promise<{ client: OPCUAClient; session: ClientSession }> {
  const { config } = options
  let client: OPCUAClient | null = null
  try {
    const user = await userOf(config)
    client = await clientOf(options)
    await client.connect(config.endpoint)
    return { client, session: await client.createSession(user) }
  } catch (error) {
    if (client) await close(client)
    throw new ConnectionFault(sentenceOf(error, options), { cause: error })
  }
}

async function clientOf({
  config,
  folder,
  known,
}: Pick<ConnectionOptions, 'config' | 'folder' | 'known'>): Promise<OPCUAClient> {
  const { OPCUAClient, MessageSecurityMode, SecurityPolicy } = await import('node-opcua-client')
  const own = await openCertificates(folder)
  const { security } = config
  return OPCUAClient.create({
    applicationName: own.applicationName,
    applicationUri: own.applicationUri,
    clientName: own.applicationName,
    clientCertificateManager: own.manager,
    certificateFile: own.certificateFile,
    endpointMustExist: false,
    keepSessionAlive: true,
    keepAliveInterval: KEEP_ALIVE_MS,
    requestedSessionTimeout: 60_000,
    defaultTransactionTimeout: 10_000,
    transportTimeout: 20_000,
    // Refused connections are retried by `keepConnected`; this is for connections that break.
    connectionStrategy: { maxRetry: 1, initialDelay: FIRST_RETRY_MS, maxDelay: 3_000 },
    ...(security === 'none'
      ? { securityMode: MessageSecurityMode.None, securityPolicy: SecurityPolicy.None }
      : {
          securityMode: MessageSecurityMode[security.mode],
          securityPolicy: SecurityPolicy[security.policy],
          serverCertificate: await trustedCertificate(own, { config, known }),
        }),
  })
}

/** Asks the server for its endpoints, without security as the standard provides, and checks the certificate. */
async function trustedCertificate(
  { manager }: OwnCertificate,
  { config, known }: Pick<ConnectionOptions, 'config' | 'known'>,
): Promise<Buffer> {
  const { endpoint, security } = config
  if (security === 'none') throw new Error('Without security there is no certificate.')
  const { MessageSecurityMode, SecurityPolicy, crypto_utils } = await import('node-opcua-client')
  const offered = await endpointsOf(config.endpoint, manager)
  const wanted = offered.find(
    ({ securityMode, securityPolicyUri }) =>
      securityMode === MessageSecurityMode[security.mode] && securityPolicyUri === SecurityPolicy[security.policy],
  )
  if (!wanted) {
    const list = [...new Set(offered.map(securityWords))].join(', ') || 'nothing'
    throw new ConnectionFault(
      `${endpoint} does not offer ${security.mode} with ${security.policy}. It offers: ${list}. Set security to one of them.`,
    )
  }
  const [certificate] = crypto_utils.split_der(wanted.serverCertificate)
  if (!certificate) throw new ConnectionFault(`${endpoint} has no certificate.`)
  const before = known.read()
  const thumbprint = await requireTrust(manager, certificate, { endpoint, known: before })
  if (thumbprint !== before) await known.write(thumbprint)
  return wanted.serverCertificate
}

/** Returns what a server offers. */
export async function endpointsOf(
  endpoint: string,
  manager: OwnCertificate['manager'],
): Promise<EndpointDescription[]> {
  const { OPCUAClient } = await import('node-opcua-client')
  const client = OPCUAClient.create({
    clientCertificateManager: manager,
    endpointMustExist: false,
    connectionStrategy: { maxRetry: 0 },
  })
  try {
    await client.connect(endpoint)
    return await client.getEndpoints()
  } finally {
    await close(client)
  }
}

/** Mode and policy of an endpoint as the file of sources writes them. */
export function securityWords({ securityMode, securityPolicyUri }: EndpointDescription): string {
  const policy = securityPolicyUri?.split('#').at(-1) ?? ''
  return policy === 'None'
    ? 'none'
    : `${['', 'None', 'Sign', 'SignAndEncrypt'][securityMode] ?? securityMode} with ${policy}`
}

async function userOf({ user }: ConnectionConfig): Promise<UserIdentityInfo> {
  const { UserTokenType, crypto_utils } = await import('node-opcua-client')
  if (!user) return { type: UserTokenType.Anonymous }
  if ('name' in user)
    return { type: UserTokenType.UserName, userName: user.name, password: await secret(user.passwordFile) }
  return {
    type: UserTokenType.Certificate,
    certificateData: crypto_utils.convertPEMtoDER(await secret(user.certificateFile)),
    privateKey: await secret(user.keyFile),
  }
}

async function secret(file: string): Promise<string> {
  return (
    await readFile(file, 'utf8').catch((error: unknown) => {
      throw new ConnectionFault(`${file} can't be read (${(error as NodeJS.ErrnoException).code}).`)
    })
  ).trim()
}

/** Closes with the server's sessions and subscriptions; a server that does not answer is left alone. */
export async function close(client: OPCUAClient): Promise<void> {
  await Promise.race([client.disconnect(), pauseFor(CLOSE_MS, undefined, { ref: false })]).catch(() => undefined)
}

/** Returns the sentence that an operator reads when a server can't be used. */
function sentenceOf(error: unknown, { config, folder }: Pick<ConnectionOptions, 'config' | 'folder'>): string {
  if (error instanceof ConnectionFault) return error.message
  const text = error instanceof Error ? error.message : String(error)
  const { endpoint, user } = config
  if (/ECONNREFUSED|ECONNRESET|EHOSTUNREACH|ENOTFOUND|ETIMEDOUT|EAI_AGAIN|not be established|timeout/i.test(text))
    return `No OPC UA server answers at ${endpoint}. Check the address and that the server runs.`
  if (/BadIdentityToken|BadUserAccessDenied|BadUserSignature/.test(text)) {
    const who = user && 'name' in user ? `the user ${user.name}. Check the name and its password file.` : 'this user.'
    return `${endpoint} does not accept ${user ? who : 'anonymous sessions. Set user.'}`
  }
  if (/BadSecurityChecksFailed|BadCertificate/.test(text))
    return `${endpoint} does not trust this gateway. Trust ${certificateFileOf(folder)} at the server.`
  return `${endpoint} can't be used: ${text.split('\n')[0]?.trim()}`
}
