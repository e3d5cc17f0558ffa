import { X509Certificate } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir, readdir, readFile } from 'node:fs/promises'
import { hostname } from 'node:os'
import { join } from 'node:path'
import type { OPCUACertificateManager } from 'node-opcua-certificate-manager'

/**
 * The certificates of the gateway: one of its own, which servers must trust, and those of servers that an operator has
 * trusted by thumbprint. The folder has the layout of OPC UA (`own`, `trusted`, `rejected`, `issuers`).
 */

/** An OPC UA server that can't be used; the message is a sentence for the operator. */
export class ConnectionFault extends Error {}

export interface OwnCertificate {
  manager: OPCUACertificateManager
  applicationName: string
  applicationUri: string
  certificateFile: string
}

const APPLICATION = 'Benchwatch gateway'

/** The certificate that servers must trust. */
export function certificateFileOf(folder: string): string {
  return join(folder, 'own', 'certs', 'gateway.pem')
}

/** Opens the folder, and makes the gateway's key and certificate if there are none. */
export async function openCertificates(folder: string): Promise<OwnCertificate> {
  const { OPCUACertificateManager } = await import('node-opcua-certificate-manager')
  await mkdir(folder, { recursive: true, mode: 0o700 })
  // Without watchers: each attempt to connect reads the folder again, with newly trusted certificates.
  const manager = new OPCUACertificateManager({ rootFolder: folder, disableFileWatchers: true })
  await manager.initialize()
  const certificateFile = certificateFileOf(folder)
  if (!existsSync(certificateFile))
    await manager.createSelfSignedCertificate({
      applicationUri: `urn:${hostname()}:benchwatch:gateway`,
      subject: `/CN=${APPLICATION} ${hostname()}`,
      dns: [hostname()],
      // No date of this machine, whose clock may be at 1970 or ahead of the server's.
      startDate: new Date('2026-01-01'),
      validity: 20 * 365,
      outputFile: certificateFile,
    })
  // From the certificate, because servers compare them and the host may have another name by now.
  const { subjectAltName = '' } = new X509Certificate(await readFile(certificateFile))
  const applicationUri = /URI:([^,]+)/.exec(subjectAltName)?.[1] ?? ''
  return { manager, applicationName: APPLICATION, applicationUri, certificateFile }
}

/**
 * Returns if the certificate of a server is trusted and valid. Throws ConnectionFault otherwise, and keeps an unknown
 * certificate where `trustCertificate` finds it. `known` is the thumbprint of the last connection.
 */
export async function requireTrust(
  manager: OPCUACertificateManager,
  certificate: Buffer,
  { endpoint, known }: { endpoint: string; known: string | null },
): Promise<string> {
  const { validFrom, validTo } = new X509Certificate(certificate)
  const thumbprint = thumbprintOf(certificate)
  const status = await manager.verifyCertificate(certificate, {
    acceptCertificateWithValidIssuerChain: true,
    acceptOutdatedCertificate: true,
    acceptPendingCertificate: true,
  })
  if (status === 'BadCertificateUntrusted' || status === 'BadCertificateChainIncomplete') {
    await manager.rejectCertificate(certificate)
    const what =
      known === null || known === thumbprint
        ? `The certificate of ${endpoint} is not trusted.`
        : `The certificate of ${endpoint} has changed from thumbprint ${known}.`
    throw new ConnectionFault(
      `${what} Compare the thumbprint ${thumbprint} with the server's, then run: npm run gateway:trust -- ${thumbprint}`,
    )
  }
  if (status !== 'Good')
    throw new ConnectionFault(`The certificate ${thumbprint} of ${endpoint} is not valid (${status}).`)
  if (Date.parse(validTo) < Date.now())
    throw new ConnectionFault(
      `The certificate ${thumbprint} of ${endpoint} expired on ${dayOf(validTo)}. Install a new one at the server.`,
    )
  if (Date.parse(validFrom) > Date.now())
    throw new ConnectionFault(
      `The certificate ${thumbprint} of ${endpoint} is only valid from ${dayOf(validFrom)}. Check the clocks of the server and the gateway.`,
    )
  return thumbprint
}

/** Trusts a certificate that was refused before. Returns its subject; null if none with this thumbprint was refused. */
export async function trustCertificate(folder: string, thumbprint: string): Promise<string | null> {
  const wanted = thumbprint.replaceAll(/[^0-9a-f]/gi, '').toLowerCase()
  const rejected = join(folder, 'rejected')
  const files = await readdir(rejected).catch(() => [])
  for (const file of files) {
    const { raw, subject } = new X509Certificate(await readFile(join(rejected, file)))
    if (thumbprintOf(raw) !== wanted) continue
    const { manager } = await openCertificates(folder)
    await manager.trustCertificate(raw)
    return subject.replaceAll('\n', ', ')
  }
  return null
}

/** SHA-1 of the certificate in hexadecimal: the thumbprint that OPC UA servers and their tools show. */
export function thumbprintOf(certificate: Buffer): string {
  return new X509Certificate(certificate).fingerprint.replaceAll(':', '').toLowerCase()
}

function dayOf(date: string): string {
  return new Date(date).toISOString().slice(0, 10)
}
