import { join } from 'node:path'
import { outboxDirOf } from '../config.ts'
import { trustCertificate } from '../sources/opcua/certificates.ts'

/** `npm run gateway:trust -- THUMBPRINT`: trusts the certificate of an OPC UA server that was refused. */

const [thumbprint = ''] = process.argv.slice(2)
const folder = join(outboxDirOf(process.env), 'pki')
const subject = await trustCertificate(folder, thumbprint)
if (subject === null) {
  process.stderr.write(
    `No certificate with the thumbprint '${thumbprint}' was refused in ${folder}. Set OUTBOX_DIR as for the gateway, and copy the thumbprint from its log or the feed page.\n`,
  )
  process.exitCode = 1
} else process.stdout.write(`Trusted: ${subject}. The gateway connects within seconds.\n`)
