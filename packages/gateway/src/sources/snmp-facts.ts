import { z } from 'zod'
import type { Facts } from '../mapping/templates.ts'

/** Turns traps and informs into the facts of a mapping. Pure. */

const varbind = z.object({ oid: z.string(), type: z.number(), value: z.unknown() })
export const notification = z.object({
  rinfo: z.object({ address: z.string(), port: z.number() }),
  pdu: z.object({
    type: z.number(),
    id: z.number().optional(),
    user: z.string().optional(),
    varbinds: z.array(varbind),
    /** Version 1 names a trap by these three. */
    enterprise: z.string().optional(),
    generic: z.number().optional(),
    specific: z.number().optional(),
  }),
})
export type Notification = z.output<typeof notification>

const UPTIME = '1.3.6.1.2.1.1.3.0'
const TRAP_OID = '1.3.6.1.6.3.1.1.4.1.0'
const STANDARD_TRAPS = '1.3.6.1.6.3.1.1.5'
const INFORM = 0xa6
const COUNTER64 = 0x46

/** Returns the facts `trap`, `address`, `user`, `inform` and `values`. Object ids with a name are replaced by it. */
export function snmpFacts({ rinfo, pdu }: Notification, names: Readonly<Record<string, string>>): Facts {
  const nameOf = (oid: string) => Object.entries(names).find(([, known]) => isBelow(oid, known))?.[0] ?? oid
  const values: Record<string, unknown> = {}
  let trap = trapOfVersion1(pdu)
  for (const { oid, type, value } of pdu.varbinds) {
    if (oid === TRAP_OID) trap = String(value)
    else if (oid !== UPTIME) values[nameOf(oid)] = plain(type, value)
  }
  return {
    trap: nameOf(trap ?? ''),
    address: rinfo.address,
    ...(pdu.user !== undefined && { user: pdu.user }),
    inform: pdu.type === INFORM,
    values,
    id: [rinfo.address, rinfo.port, pdu.id, trap, JSON.stringify(values)].join(' '),
    // Traps are never repeated.
    repeated: pdu.type === INFORM,
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
