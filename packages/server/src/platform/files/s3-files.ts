import { Readable } from 'node:stream'
import { setTimeout as pause } from 'node:timers/promises'
import {
  AbortMultipartUploadCommand,
  DeleteObjectCommand,
  GetObjectCommand,
  ListMultipartUploadsCommand,
  NoSuchKey,
  NoSuchUpload,
  paginateListObjectsV2,
  S3Client,
  S3ServiceException,
} from '@aws-sdk/client-s3'
import { Upload } from '@aws-sdk/lib-storage'
import type { Log } from '../log.ts'
import { type FileStore, FilesUnavailable } from './file-store.ts'

export interface S3Settings {
  bucket: string
  region: string
  /** Null: Amazon's. */
  endpoint: string | null
  /** Begins every key; ends with a slash. */
  prefix: string
  /** True: the bucket is in the path of the address, and not in the name of the host. */
  isPathStyle: boolean
}

/** A part that is sent at a time, the smallest that stores take: 10,000 of them, so a file may have 50 GB. */
const PART_BYTES = 5 * 1024 * 1024
/** While one is sent, the next is read. */
const PARTS_AT_ONCE = 2
const CONNECT_TIMEOUT_MS = 3000
/** The time for an answer, also to a whole part. */
const ANSWER_TIMEOUT_MS = 20_000
/** A user waits for the beginning of a file no longer than this, tries included. */
const READ_TIMEOUT_MS = 4000
const PROBE = 'probe'
const PROBE_TIMEOUT_MS = 10_000

/** The store was reached, but the settings don't fit it. The message tells the operator what to do. */
class RefusedByStore extends Error {
  readonly forOperator = true
}

/**
 * Stores files in a bucket of an S3-compatible server, which several servers share. The credentials are those of the
 * AWS environment. Throws an error for the operator if the bucket is missing or refuses; a store that does not answer
 * is only logged, because alarms must be taken in the meantime.
 */
export async function createS3Files(settings: S3Settings, log: Log): Promise<FileStore> {
  const { bucket: Bucket, prefix } = settings
  const client = new S3Client({
    region: settings.region,
    ...(settings.endpoint !== null && { endpoint: settings.endpoint }),
    forcePathStyle: settings.isPathStyle,
    requestHandler: {
      connectionTimeout: CONNECT_TIMEOUT_MS,
      requestTimeout: ANSWER_TIMEOUT_MS,
      throwOnRequestTimeout: true,
    },
    // Not every compatible server knows the newer checksums.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
  })
  const keyOf = (name: string) => prefix + name
  const nameOf = (key = '') => key.slice(prefix.length)

  /** Returns up to 1,000 uploads that were begun and not completed, which are invisible but cost money. */
  async function unfinished(startingWith: string) {
    try {
      const { Uploads = [] } = await client.send(new ListMultipartUploadsCommand({ Bucket, Prefix: startingWith }))
      return Uploads
    } catch (error) {
      // Such a server forgets them on its own, or its operator sees to it.
      if (error instanceof S3ServiceException && /^(?:NotImplemented|MethodNotAllowed)$/.test(error.name)) return []
      throw error
    }
  }

  const files: FileStore = {
    async write(name, content) {
      const upload = new Upload({
        client,
        params: { Bucket, Key: keyOf(name), Body: Readable.from(content) },
        partSize: PART_BYTES,
        queueSize: PARTS_AT_ONCE,
      })
      await upload.done()
    },

    async read(name) {
      // The signal would end the content, too, so it is withdrawn once that begins.
      const tooLong = new AbortController()
      const timer = setTimeout(() => tooLong.abort(), READ_TIMEOUT_MS)
      try {
        const command = new GetObjectCommand({ Bucket, Key: keyOf(name) })
        const { Body, ContentLength = 0 } = await client.send(command, { abortSignal: tooLong.signal })
        return { bytes: ContentLength, content: Body as Readable }
      } catch (error) {
        if (error instanceof NoSuchKey) return undefined
        throw new FilesUnavailable(`The bucket ${Bucket} does not hand out a file.`, { cause: error })
      } finally {
        clearTimeout(timer)
      }
    },

    async names() {
      const names = new Set((await unfinished(prefix)).map(({ Key }) => nameOf(Key)))
      for await (const { Contents = [] } of paginateListObjectsV2({ client }, { Bucket, Prefix: prefix })) {
        for (const { Key } of Contents) names.add(nameOf(Key))
      }
      return [...names]
    },

    async delete(name) {
      const Key = keyOf(name)
      await client.send(new DeleteObjectCommand({ Bucket, Key }))
      for (const upload of await unfinished(Key)) {
        if (upload.Key !== Key) continue
        const abort = new AbortMultipartUploadCommand({ Bucket, Key, UploadId: upload.UploadId })
        // Its writer may have given it up in the meantime.
        await client.send(abort).catch((error: unknown) => {
          if (!(error instanceof NoSuchUpload)) throw error
        })
      }
    },
  }

  /** Does everything once that files will need, so that missing rights are found at the start. */
  async function probe() {
    await files.write(PROBE, Readable.from(['']))
    await files.names()
    await files.read(PROBE).then((file) => file?.content.destroy())
    await files.delete(PROBE)
  }
  const started = new AbortController()
  const silence = pause(PROBE_TIMEOUT_MS, undefined, { signal: started.signal }).then(
    () => Promise.reject(new Error('There was no answer within ten seconds.')),
    () => undefined,
  )
  await Promise.race([probe(), silence]).catch((error: unknown) => {
    const cause = error instanceof FilesUnavailable ? error.cause : error
    const why = refusal(cause, settings)
    if (why !== null) throw new RefusedByStore(`Export files can't be stored: ${why}`, { cause })
    log.error({ err: cause }, 'the store of export files does not answer; exports fail until it does')
  })
  started.abort()
  return files
}

/** Returns what the operator has to change; null if the store only has to be reached again. */
function refusal(error: unknown, { bucket, region, endpoint }: S3Settings): string | null {
  const place = endpoint ?? `region ${region}`
  const { name, message } = error as Error
  if (name === 'CredentialsProviderError')
    return 'there are no credentials. Set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or another source that the AWS SDK reads.'
  const status = error instanceof S3ServiceException ? (error.$metadata.httpStatusCode ?? 500) : 500
  if (status >= 500 || status === 429) return null
  if (name === 'NoSuchBucket') return `${place} has no bucket ${bucket}. Create it, or correct EXPORT_S3_BUCKET.`
  if (status === 403)
    return `the bucket ${bucket} at ${place} refuses the credentials (${name}). They need s3:PutObject, s3:GetObject, s3:DeleteObject, s3:AbortMultipartUpload, s3:ListBucket and s3:ListBucketMultipartUploads.`
  return `the bucket ${bucket} at ${place} answers ${name}: ${message}. Check EXPORT_S3_ENDPOINT, EXPORT_S3_REGION and EXPORT_S3_PATH_STYLE.`
}
