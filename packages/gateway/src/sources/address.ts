import { z } from 'zod'

/** An address with a port, such as `127.0.0.1:8090` or `[::]:2525`; the example is shown in the error. */
export function addressWithPort(example: string) {
  const error = `must be an address and a port, such as ${example}`
  return z.string({ error }).regex(/^(\[[0-9a-fA-F:]+\]|[\w.-]+):\d{1,5}$/, error)
}

/** Splits an address for `listen` and `connect`. */
export function hostAndPort(address: string): { host: string; port: number } {
  const colon = address.lastIndexOf(':')
  return { host: address.slice(0, colon).replace(/^\[|\]$/g, ''), port: Number(address.slice(colon + 1)) }
}

/** Returns the error of a source whose port is taken or not allowed. */
export function cannotListen(address: string, error: unknown): Error {
  const reason = error instanceof Error && 'code' in error ? String(error.code) : String(error)
  return new Error(
    `${address} can't be listened to (${reason}). Choose another address or port; ports below 1024 need a right.`,
  )
}
