import { mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { CreateMultipartUploadCommand, S3Client } from '@aws-sdk/client-s3'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { type S3Server, s3Credentials, startS3Server } from '../../testing/emulators/s3-server.ts'
import { createLog } from '../log.ts'
import { createDiskFiles, type FileStore, FilesUnavailable } from './file-store.ts'
import { createS3Files, type S3Settings } from './s3-files.ts'

/** Larger than a part of an upload, so that a store in the network begins to send it. */
const LARGE = 'x'.repeat(9 * 1024 * 1024)

let folder: string
let s3: S3Server
let bucket: S3Settings

beforeAll(async () => {
  for (const [key, value] of Object.entries(s3Credentials)) vi.stubEnv(key, value)
  // Neither files nor the network of the machine are asked for other credentials.
  vi.stubEnv('AWS_EC2_METADATA_DISABLED', 'true')
  vi.stubEnv('AWS_CONFIG_FILE', '/nowhere')
  vi.stubEnv('AWS_SHARED_CREDENTIALS_FILE', '/nowhere')
  s3 = await startS3Server()
  bucket = { bucket: s3.bucket, region: 'us-east-1', endpoint: s3.endpoint, prefix: 'exports/', isPathStyle: true }
})
afterAll(async () => {
  vi.unstubAllEnvs()
  await s3.stop()
})
beforeEach(async () => {
  folder = join(await mkdtemp(join(tmpdir(), 'benchwatch-files-')), 'exports')
})
afterEach(() => rm(join(folder, '..'), { recursive: true }))

async function* pieces(...all: string[]) {
  yield* all
}

async function contentOf(files: FileStore, name: string): Promise<string | undefined> {
  const file = await files.read(name)
  return file && text(file.content)
}

describe.each([
  {
    where: 'on disk',
    open: async () => createDiskFiles(folder),
    leaveBehind: async () => writeFile(join(folder, 'b.csv.0000.part'), 'half of it'),
  },
  {
    where: 'in S3',
    open: () => createS3Files(bucket, createLog('silent')),
    async leaveBehind() {
      const client = new S3Client({ region: bucket.region, endpoint: s3.endpoint, forcePathStyle: true })
      await client.send(new CreateMultipartUploadCommand({ Bucket: s3.bucket, Key: 'exports/b.csv' }))
      client.destroy()
    },
  },
])('files $where', ({ open, leaveBehind }) => {
  let files: FileStore

  beforeEach(async () => {
    files = await open()
  })
  afterEach(async () => {
    for (const name of await files.names()) await files.delete(name)
  })

  test('a file is read as it was written, with its length, also from another node', async () => {
    await files.write('a.csv', pieces('Größe,', '流量\r\n'))
    const other = await open()
    expect(await contentOf(other, 'a.csv')).toBe('Größe,流量\r\n')
    expect(await other.read('a.csv').then((file) => file?.content.destroy() && file.bytes)).toBe(16)
    await files.write('empty.csv', pieces())
    expect(await contentOf(other, 'empty.csv')).toBe('')
  })

  test('a file of several parts is whole', async () => {
    await files.write('a.csv', pieces(LARGE, 'the middle', LARGE, 'the end'))
    expect(await contentOf(files, 'a.csv')).toBe(`${LARGE}the middle${LARGE}the end`)
    expect(await files.names()).toEqual(['a.csv'])
    expect(s3.unfinished()).toBe(0)
  })

  test('nobody reads a file that is still being written, or a part of one that failed', async () => {
    async function* failing() {
      yield LARGE
      yield LARGE
      expect(await contentOf(files, 'a.csv')).toBeUndefined()
      for (const name of await files.names()) expect(name).toMatch(/^a\.csv/)
      throw new Error('no more')
    }
    await expect(files.write('a.csv', failing())).rejects.toThrow('no more')
    expect(await files.names()).toEqual([])
    expect(s3.unfinished()).toBe(0)
  })

  test('two writers of one name write two complete files, of which the last one stays', async () => {
    const both = Promise.withResolvers<void>()
    async function* slow() {
      yield 'first '
      await both.promise
      yield 'writer'
    }
    const first = files.write('a.csv', slow())
    await files.write('a.csv', pieces('second writer'))
    expect(await contentOf(files, 'a.csv')).toBe('second writer')
    both.resolve()
    await first
    expect(await contentOf(files, 'a.csv')).toBe('first writer')
  })

  test('the remains of a killed writer are listed under the name of its file, and deleted with it', async () => {
    await files.write('a.csv', pieces('x'))
    await leaveBehind()
    const names = (await files.names()).sort()
    expect(names).toEqual(['a.csv', expect.stringMatching(/^b\.csv/)])
    expect(await contentOf(files, 'b.csv')).toBeUndefined()
    await files.delete(names[1] ?? '')
    expect(await files.names()).toEqual(['a.csv'])
  })

  test('what is not there is no file, and to delete it does no harm', async () => {
    expect(await files.read('a.csv')).toBeUndefined()
    expect(await files.names()).toEqual([])
    await files.delete('a.csv')
    await files.write('a.csv', pieces('x'))
    expect(await files.names()).toEqual(['a.csv'])
    await files.delete('a.csv')
    expect(await files.names()).toEqual([])
  })
})

describe('on disk', () => {
  test('files are for the user of the server alone', async () => {
    await createDiskFiles(folder).write('a.csv', pieces('x'))
    expect((await stat(join(folder, 'a.csv'))).mode & 0o777).toBe(0o600)
    expect((await stat(folder)).mode & 0o777).toBe(0o700)
  })

  test('a file that is replaced while it is read is read to its end', async () => {
    const files = createDiskFiles(folder)
    await files.write('a.csv', pieces('old'))
    const open = await files.read('a.csv')
    await files.write('a.csv', pieces('new'))
    expect(open && (await text(open.content))).toBe('old')
    expect(await readdir(folder)).toEqual(['a.csv'])
  })

  test('a folder that can’t be made fails the writing', async () => {
    await writeFile(folder, 'a file in its place')
    await expect(createDiskFiles(folder).write('a.csv', pieces('x'))).rejects.toThrow()
  })
})

describe('in S3', () => {
  const start = (over: Partial<S3Settings> = {}, lines: string[] = []) =>
    createS3Files({ ...bucket, ...over }, createLog('info', { write: (line) => void lines.push(line) }))

  test('only what begins with the prefix is listed', async () => {
    const [ours, others] = [await start(), await start({ prefix: 'others/' })]
    await others.write('a.csv', pieces('x'))
    expect(await ours.names()).toEqual([])
    expect(await ours.read('a.csv')).toBeUndefined()
    await others.delete('a.csv')
  })

  test('a start with settings that do not fit the store says what to do', async () => {
    await expect(start({ bucket: 'elsewhere' })).rejects.toMatchObject({
      forOperator: true,
      message: `Export files can't be stored: ${s3.endpoint} has no bucket elsewhere. Create it, or correct EXPORT_S3_BUCKET.`,
    })
    vi.stubEnv('AWS_ACCESS_KEY_ID', 'unknown')
    await expect(start()).rejects.toMatchObject({
      forOperator: true,
      message: expect.stringMatching(/refuses the credentials \(InvalidAccessKeyId\)\. They need s3:PutObject/),
    })
    vi.stubEnv('AWS_ACCESS_KEY_ID', '')
    await expect(start()).rejects.toMatchObject({
      message: expect.stringContaining('there are no credentials. Set AWS_'),
    })
    for (const [key, value] of Object.entries(s3Credentials)) vi.stubEnv(key, value)
  })

  test('a store that is away does not keep the server from starting', async () => {
    const lines: string[] = []
    await start({ endpoint: 'http://127.0.0.1:1' }, lines)
    expect(lines.join()).toContain('the store of export files does not answer; exports fail until it does')
  })

  test('a store that falls silent is unavailable to readers within seconds, and serves them again afterwards', async () => {
    const files = await start()
    await files.write('a.csv', pieces('x'))
    s3.freeze(true)
    await expect(files.read('a.csv')).rejects.toThrow(FilesUnavailable)
    s3.freeze(false)
    expect(await contentOf(files, 'a.csv')).toBe('x')
    await files.delete('a.csv')
  })
})
