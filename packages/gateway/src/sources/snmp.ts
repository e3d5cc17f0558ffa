import { createSocket, type Socket } from 'node:dgram'
import type { User } from 'net-snmp'
import { z } from 'zod'
import { type RunningMapping, startMapping } from '../mapping/mapping.ts'
import { checkEnds, checkTemplates, mappedSource } from '../mapping/rules.ts'
import type { Facts } from '../mapping/templates.ts'
import type { Source, SourceContext } from '../source.ts'
import { addressWithPort, cannotListen, hostAndPort } from './address.ts'
import { readSecret } from './secret.ts'

/**
 * Takes SNMP traps and informs, versions 1, 2c and 3. A trap has no answer; the sender of an inform gets its answer when
 * the report is on disk, and repeats it otherwise.
 */

const oid = z.string().regex(/^\d+(\.\d+)+$/, 'must be an object id such as 1.3.6.1.4.1.318.0.5')

const user = z
  .strictObject({
    name: z.string().min(1).max(32),
    auth: z.enum(['md5', 'sha', 'sha224', 'sha256', 'sha384', 'sha512']).optional(),
    passwordFile: z.string().optional(),
    /** `aes256r` is the AES-256 of Cisco, `aes256b` that of the draft of Blumenthal. */
    privacy: z.enum(['aes', 'aes256b', 'aes256r']).optional(),
    privacyPasswordFile: z.string().optional(),
  })
  .refine(({ auth, passwordFile }) => (auth === undefined) === (passwordFile === undefined), {
    error: 'needs auth and passwordFile together',
  })
  .refine(({ privacy, privacyPasswordFile }) => (privacy === undefined) === (privacyPasswordFile === undefined), {
    error: 'needs privacy and privacyPasswordFile together',
  })
  .refine(({ auth, privacy }) => privacy === undefined || auth !== undefined, { error: 'needs auth to use privacy' })

export const snmpSource = z
  .strictObject({
    kind: z.literal('snmp'),
    ...mappedSource,
    listen: addressWithPort('0.0.0.0:162'),
    /** Versions 1 and 2c. Anyone on the network can read them. */
    communities: z.array(z.string().min(1).max(200)).max(100).default([]),
    /** Version 3. */
    users: z.array(user).max(100).default([]),
    /** Names for object ids, which then stand for them in `trap` and `values`. */
    names: z.record(z.string().regex(/^\w+$/), oid).default({}),
  })
  .refine(({ communities, users }) => communities.length + users.length > 0, {
    error: 'needs communities or users, otherwise it accepts nothing',
  })
  .superRefine(checkTemplates)
  .superRefine(checkEnds)
export type SnmpConfig = z.output<typeof snmpSource>

/** Reasons by the counters of RFC 3414 that the answer to a refused inform contains. */
const REFUSALS: Readonly<Record<string, string>> = {
  '1.3.6.1.6.3.15.1.1.3.0': 'its user is unknown',
  '1.3.6.1.6.3.15.1.1.5.0': 'it lacks the password or the privacy of its user',
}

/** Notifications that are being written. UDP has no way to slow a sender down. */
const MOST_IN_FLIGHT = 1000
/** Signed notifications that are recognised when somebody has recorded them and sends them again. */
const MOST_SIGNED = 10_000
/** About 5,000 traps of a usual size. */
const RECEIVE_BYTES = 4_000_000

export function snmp(config: SnmpConfig): Source {
  return async (context) => {
    const { createReceiver } = await import('net-snmp')
    const users = await Promise.all(config.users.map(userOf))
    const mapping = startMapping(config, context)
    const intake = new Intake(config, { context, mapping })
    const { host, port } = hostAndPort(config.listen)
    const transport = host.includes(':') ? 'udp6' : 'udp4'
    const socket = createSocket(transport)
    const bound = new Promise<void>((resolve, reject) => {
      socket.once('listening', resolve).once('error', reject)
    })
    // The library answers an inform before it passes it on.
    const send = socket.send.bind(socket) as (...given: unknown[]) => void
    const later = { send: (...answer: unknown[]) => intake.answer(() => send(...answer)) }
    const receiver = createReceiver(
      {
        transport,
        address: host,
        port,
        includeAuthentication: true,
        dgramModule: { createSocket: (): Socket => Object.assign(socket, later) },
      },
      (error: SnmpError | null, data: unknown) => {
        if (error) intake.refuse(error)
        else intake.take(data)
      },
    ) as Receiver
    // The library answers an inform that it refuses, and says no more.
    const { listener } = receiver
    const reply = listener.send.bind(listener)
    listener.send = (message, to, ...rest) => {
      const refusal = REFUSALS[message.pdu.varbinds[0]?.oid ?? '']
      if (refusal) context.fault(`A message of ${to.address} is refused: ${refusal}.`)
      reply(message, to, ...rest)
    }
    const isOlder = startTimeline()
    const format = receiver.formatCallbackData.bind(receiver)
    receiver.formatCallbackData = (message, from) => {
      const given = format(message, from)
      const engine = message.msgSecurityParameters
      if (!engine || !message.hasAuthentication()) return given
      const isDoubtful = message.pdu.type === TRAP && isOlder(engine)
      if (isDoubtful)
        context.fault(
          `A trap of ${from.address} is older than the last one of its engine. It may be recorded, so it only begins alarms. If the device was reset, restart the gateway.`,
        )
      return { ...given, isDoubtful, signature: engine.msgAuthenticationParameters.toString('hex') }
    }
    const authorizer = receiver.getAuthorizer()
    for (const community of config.communities) authorizer.addCommunity(community)
    for (const one of users) authorizer.addUser(one)
    await bound.catch(async (error: unknown) => {
      socket.close()
      await mapping.stop()
      throw cannotListen(config.listen, error)
    })
    // Room for a storm while the gateway is busy. Linux grants what net.core.rmem_max allows; other systems may refuse.
    try {
      socket.setRecvBufferSize(RECEIVE_BYTES)
    } catch (error) {
      context.log.warn({ err: error }, 'The system gives no more room for traps. A storm of them may lose some.')
    }
    context.link(config.name, 'up')
    return {
      async stop() {
        await intake.stop()
        await new Promise<void>((resolve) => socket.close(() => resolve()))
        await mapping.stop()
      },
    }
  }
}

/** The part of net-snmp's receiver that its types leave out. */
interface Receiver {
  formatCallbackData(
    message: {
      pdu: { type: number }
      hasAuthentication(): number | undefined
      msgSecurityParameters?: EngineTime & { msgAuthenticationParameters: Buffer }
    },
    from: { address: string },
  ): object
  getAuthorizer(): { addCommunity(community: string): void; addUser(user: User): void }
  listener: { send(message: { pdu: { varbinds: { oid: string }[] } }, to: { address: string }, socket: Socket): void }
}
type SnmpError = Error & { rinfo?: { address: string } }

/** The engine that sent a trap of version 3, with its clock: the number of its starts, and the seconds since the last one. */
interface EngineTime {
  msgAuthoritativeEngineID: Buffer
  msgAuthoritativeEngineBoots: number
  msgAuthoritativeEngineTime: number
}

const TIME_WINDOW_S = 150

/**
 * Returns a function that tells whether a message is older than the newest of its engine (RFC 3414, section 3.2.7 b). The
 * time since then does not count, because small agents have clocks that stand still.
 */
export function startTimeline(): (message: EngineTime) => boolean {
  const newest = new Map<string, { boots: number; time: number }>()
  return ({ msgAuthoritativeEngineID, msgAuthoritativeEngineBoots: boots, msgAuthoritativeEngineTime: time }) => {
    const engine = msgAuthoritativeEngineID.toString('hex')
    const known = newest.get(engine) ?? { boots, time }
    const isNewest = boots > known.boots || (boots === known.boots && time >= known.time)
    newest.set(engine, isNewest ? { boots, time } : known)
    return boots < known.boots || (boots === known.boots && time < known.time - TIME_WINDOW_S)
  }
}

async function userOf({ name, auth, passwordFile, privacy, privacyPasswordFile }: SnmpConfig['users'][number]) {
  const { AuthProtocols, PrivProtocols, SecurityLevel } = await import('net-snmp')
  const level = privacy ? 'authPriv' : auth ? 'authNoPriv' : 'noAuthNoPriv'
  return {
    name,
    level: SecurityLevel[level],
    ...(auth && passwordFile && { authProtocol: AuthProtocols[auth], authKey: await readSecret(passwordFile) }),
    ...(privacy &&
      privacyPasswordFile && { privProtocol: PrivProtocols[privacy], privKey: await readSecret(privacyPasswordFile) }),
  }
}

class Intake {
  readonly #config: SnmpConfig
  readonly #context: SourceContext
  readonly #mapping: RunningMapping
  readonly #inFlight = new Set<Promise<boolean>>()
  /** Signatures of what is on disk. */
  readonly #signed = new Set<string>()
  #isStopping = false
  /** The notification that the library answers in this tick. */
  #answered: Promise<boolean> | null = null

  constructor(config: SnmpConfig, { context, mapping }: { context: SourceContext; mapping: RunningMapping }) {
    this.#config = config
    this.#context = context
    this.#mapping = mapping
  }

  take(data: unknown): void {
    // An inform that comes now gets no answer, so its sender repeats it.
    if (this.#isStopping) return
    const parsed = notification.safeParse(data)
    if (!parsed.success) {
      this.#context.fault('A message is neither a trap nor an inform.')
      return
    }
    const writing = this.#write(parsed.data)
    this.#answered = writing
    this.#inFlight.add(writing)
    void writing.then(() => this.#inFlight.delete(writing))
  }

  async #write(given: Notification): Promise<boolean> {
    if (this.#inFlight.size >= MOST_IN_FLIGHT) {
      this.#context.fault(`Traps come faster than they can be stored. One of ${given.rinfo.address} was dropped.`)
      return false
    }
    const { signature } = given
    if (signature !== undefined && this.#signed.has(signature)) {
      if (given.pdu.type !== INFORM) this.#context.fault(`A trap of ${given.rinfo.address} is ignored: it came before.`)
      return true
    }
    const facts: Facts = snmpFacts(given, this.#config.names)
    try {
      await this.#mapping.take([facts])
      if (signature !== undefined) this.#signed.add(signature)
      const [oldest] = this.#signed
      if (this.#signed.size > MOST_SIGNED && oldest !== undefined) this.#signed.delete(oldest)
      return true
    } catch (error) {
      this.#context.log.error(
        { err: error },
        'A trap could not be stored and is lost; an inform is repeated. Check the disk.',
      )
      this.#context.fault(`A trap of ${given.rinfo.address} could not be stored. Check the disk.`)
      return false
    }
  }

  refuse({ name, message, rinfo }: SnmpError): void {
    const from = rinfo ? ` of ${rinfo.address}` : ''
    // The community that was tried may be a password of something else.
    const reason = message.startsWith('Local community not found')
      ? ': its community is not in communities'
      : ` (${name}): ${message.slice(0, 200)}`
    this.#context.fault(`A message${from} is refused${reason}.`)
  }

  /** Sends the answer of an inform when it is on disk. A trial keeps nothing, so its sender must repeat it. */
  answer(send: () => void): void {
    queueMicrotask(() => {
      const writing = this.#answered
      this.#answered = null
      // Other answers belong to the discovery of version 3.
      if (writing === null) {
        if (!this.#isStopping) send()
      } else void writing.then((isKept) => isKept && !this.#context.isTrial && send())
    })
  }

  async stop(): Promise<void> {
    this.#isStopping = true
    await Promise.all(this.#inFlight)
  }
}

const varbind = z.object({ oid: z.string(), type: z.number(), value: z.unknown() })
const notification = z.object({
  rinfo: z.object({ address: z.string(), port: z.number() }),
  /** These two belong to version 3 with a password. */
  isDoubtful: z.boolean().optional(),
  signature: z.string().optional(),
  pdu: z.object({
    type: z.number(),
    id: z.number().optional(),
    user: z.string().optional(),
    varbinds: z.array(varbind),
    /** Version 1 names a trap by these three. */
    enterprise: z.string().optional(),
    /** Version 1: the device, also where another program forwards its trap. */
    agentAddr: z.string().optional(),
    generic: z.number().optional(),
    specific: z.number().optional(),
  }),
})
type Notification = z.output<typeof notification>

const UPTIME = '1.3.6.1.2.1.1.3.0'
const TRAP_OID = '1.3.6.1.6.3.1.1.4.1.0'
const TRAP_ADDRESS = '1.3.6.1.6.3.18.1.3.0'
const STANDARD_TRAPS = '1.3.6.1.6.3.1.1.5'
const INFORM = 0xa6
const TRAP = 0xa7
const COUNTER64 = 0x46

/** Returns the facts `trap`, `address`, `user`, `inform` and `values`. Object ids with a name are replaced by it. */
function snmpFacts({ rinfo, pdu, isDoubtful }: Notification, names: Readonly<Record<string, string>>): Facts {
  const nameOf = (oid: string) => Object.entries(names).find(([, known]) => isBelow(oid, known))?.[0] ?? oid
  const values: Record<string, unknown> = {}
  // RFC 3584, section 3.1.
  if (pdu.agentAddr !== undefined) values[nameOf(TRAP_ADDRESS)] = pdu.agentAddr
  let trap = trapOfVersion1(pdu)
  let uptime: unknown
  for (const { oid, type, value } of pdu.varbinds) {
    if (oid === TRAP_OID) trap = String(value)
    else if (oid === UPTIME) uptime = value
    else values[nameOf(oid)] = plain(type, value)
  }
  return {
    trap: nameOf(trap ?? ''),
    address: rinfo.address,
    ...(pdu.user !== undefined && { user: pdu.user }),
    inform: pdu.type === INFORM,
    ...(isDoubtful === true && { isDoubtful }),
    values,
    // Small agents number all their informs alike; a repeated one keeps its uptime.
    id: [rinfo.address, rinfo.port, pdu.id, uptime, trap, JSON.stringify(values)].join(' '),
    // Traps are never repeated. Without its uptime, an inform may have the id of another one.
    repeated: pdu.type === INFORM && Number(uptime) > 0,
  }
}

/** An object of a table has its index at the end. */
function isBelow(oid: string, known: string): boolean {
  return oid === known || oid.startsWith(`${known}.`)
}

/** RFC 3584, section 3.1. */
function trapOfVersion1({ enterprise, generic, specific }: Notification['pdu']): string | null {
  if (enterprise === undefined || generic === undefined) return null
  return generic === 6 ? `${enterprise}.0.${specific ?? 0}` : `${STANDARD_TRAPS}.${generic + 1}`
}

/** Texts that are no UTF-8, such as addresses of network cards, are hexadecimal. */
function plain(type: number, value: unknown): unknown {
  if (!Buffer.isBuffer(value)) return value
  if (type === COUNTER64) return Number(BigInt(`0x${value.toString('hex') || '0'}`))
  const text = value.toString('utf8')
  return /\p{Cc}|\ufffd/u.test(text.replaceAll(/[\t\r\n]/g, '')) ? value.toString('hex') : text
}
