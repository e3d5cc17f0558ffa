import { once } from 'node:events'
import { readdirSync, readFileSync, rmSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer, type IncomingMessage } from 'node:http'
import { createRequire } from 'node:module'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** The part of a Koa application and its context that is used here. */
interface Application {
  middleware: ((context: Context, next: () => Promise<void>) => Promise<void>)[]
  configureBuckets(): Promise<void>
  callback(): (request: IncomingMessage, response: unknown) => void
}
interface Context {
  method: string
  query: Record<string, string | undefined>
  status: number
  type: string
  body: string
}

const require = createRequire(import.meta.url)
const S3rver = require('@20minutes/s3rver') as new (options: object) => Application

export interface S3Server {
  endpoint: string
  bucket: string
  /** The number of uploads that were begun and neither completed nor aborted. */
  unfinished(): number
  /** Lets the server be silent, or answer again. */
  freeze(isFrozen: boolean): void
  stop(): Promise<void>
}

/** The credentials that the server knows, as the AWS SDK reads them. */
export const s3Credentials = { AWS_ACCESS_KEY_ID: 'S3RVER', AWS_SECRET_ACCESS_KEY: 'S3RVER' }

/** Starts s3rver on a free port of this machine, with the two operations of S3 that it lacks: to list and to abort uploads. */
export async function startS3Server(): Promise<S3Server> {
  const folder = await mkdtemp(join(tmpdir(), 's3-'))
  const bucket = 'benchwatch-exports'
  const application = new S3rver({
    directory: folder,
    silent: true,
    configureBuckets: [{ name: bucket }],
    // It signs the address of a list without the slash at its end. Unknown keys are refused all the same.
    allowMismatchedSignatures: true,
  })
  await application.configureBuckets()
  const uploads = join(folder, bucket, '._S3rver_uploads')
  application.middleware.unshift(async (context, next) => {
    const { method, query } = context
    if (method === 'GET' && 'uploads' in query) {
      context.type = 'application/xml'
      context.body = listOf(begun(uploads).filter(({ key }) => key.startsWith(query['prefix'] ?? '')))
    } else if (method === 'DELETE' && query['uploadId'] !== undefined) {
      rmSync(join(uploads, query['uploadId']), { recursive: true })
      context.status = 204
    } else await next()
  })
  let isFrozen = false
  const answer = application.callback()
  const server = createServer((request, response) => {
    if (!isFrozen) answer(request, response)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    bucket,
    unfinished: () => begun(uploads).length,
    freeze: (is) => {
      isFrozen = is
    },
    async stop() {
      server.close()
      server.closeAllConnections()
      await rm(folder, { recursive: true })
    },
  }
}

interface Begun {
  id: string
  key: string
}

function begun(uploads: string): Begun[] {
  try {
    return readdirSync(uploads).map((id) => ({ id, key: readFileSync(join(uploads, id, 'key'), 'utf8') }))
  } catch {
    return []
  }
}

function listOf(uploads: readonly Begun[]): string {
  const entries = uploads.map(({ id, key }) => `<Upload><Key>${key}</Key><UploadId>${id}</UploadId></Upload>`)
  return `<?xml version="1.0"?><ListMultipartUploadsResult>${entries.join('')}</ListMultipartUploadsResult>`
}
