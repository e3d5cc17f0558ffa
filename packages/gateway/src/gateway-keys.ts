import { readFile } from 'node:fs/promises'
import { GATEWAY_NAME } from '@benchwatch/contract/patterns'
import { z } from 'zod'
import { ConfigurationError, type GatewayConfig } from './config.ts'

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

function errorCode(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : 'unknown error'
}
