import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { outboxDirOf, typedFile } from '../config.ts'
import { ConnectionFault } from '../sources/opcua/certificates.ts'
import { connection, POLICIES } from '../sources/opcua/connection.ts'
import { firstMapping, surveyServer } from '../sources/opcua/first-mapping.ts'

/** `npm run gateway:browse -- opc.tcp://HOST:4840`: prints a first file of sources from what an OPC UA server shows. */

const USAGE = `npm run gateway:browse -- opc.tcp://HOST:4840 [--security none | Sign | SignAndEncrypt]
  [--policy ${POLICIES.join(' | ')}] [--user NAME --password-file FILE]`

try {
  process.stdout.write(firstMapping(await surveyServer(readArguments(), join(outboxDirOf(process.env), 'pki'))))
} catch (error) {
  if (!(error instanceof ConnectionFault)) throw error
  process.stderr.write(`${error.message}\n`)
  process.exitCode = 1
}

/** Throws ConnectionFault with the usage. */
function readArguments() {
  try {
    const { values, positionals } = parseArgs({
      allowPositionals: true,
      options: {
        /** `none`, `Sign` or `SignAndEncrypt`. */
        security: { type: 'string', default: 'SignAndEncrypt' },
        policy: { type: 'string', default: 'Basic256Sha256' },
        user: { type: 'string' },
        'password-file': { type: 'string' },
      },
    })
    const { security, policy, user, 'password-file': passwordFile } = values
    return connection.parse({
      endpoint: positionals[0] ?? '',
      security: security === 'none' ? security : { mode: security, policy },
      ...(user && { user: { name: user, passwordFile: passwordFile && typedFile(passwordFile) } }),
    })
  } catch (error) {
    throw new ConnectionFault(USAGE, { cause: error })
  }
}
