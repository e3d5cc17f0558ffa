import { mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createDiskFiles, type FileStore } from './file-store.ts'

let root: string
let folder: string
let files: FileStore

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'benchwatch-files-'))
  folder = join(root, 'exports')
  files = createDiskFiles(folder)
})
afterEach(() => rm(root, { recursive: true }))

async function* pieces(...all: string[]) {
  yield* all
}

async function contentOf(name: string): Promise<string | undefined> {
  const file = await files.read(name)
  return file && text(file.content)
}

test('a file is read as it was written, for the user of the server alone', async () => {
  await files.write('a.csv', pieces('Größe,', '流量\r\n'))
  expect(await contentOf('a.csv')).toBe('Größe,流量\r\n')
  expect(await files.read('a.csv').then((file) => file?.content.destroy() && file.bytes)).toBe(16)
  expect((await stat(join(folder, 'a.csv'))).mode & 0o777).toBe(0o600)
  expect((await stat(folder)).mode & 0o777).toBe(0o700)
})

test('nobody reads a file that is still being written, or a part of one that failed', async () => {
  async function* failing() {
    yield 'half of it'
    expect(await contentOf('a.csv')).toBeUndefined()
    expect(await readdir(folder)).toEqual([expect.stringMatching(/^a\.csv\..+\.part$/)])
    throw new Error('no more')
  }
  await expect(files.write('a.csv', failing())).rejects.toThrow('no more')
  expect(await readdir(folder)).toEqual([])
})

test('two writers of one name make two whole files, of which the last one stays', async () => {
  const both = Promise.withResolvers<void>()
  async function* slow() {
    yield 'first '
    await both.promise
    yield 'writer'
  }
  const first = files.write('a.csv', slow())
  await files.write('a.csv', pieces('second writer'))
  expect(await contentOf('a.csv')).toBe('second writer')
  both.resolve()
  await first
  expect(await contentOf('a.csv')).toBe('first writer')
})

test('a file that is replaced while it is read is read to its end', async () => {
  await files.write('a.csv', pieces('old'))
  const open = await files.read('a.csv')
  await files.write('a.csv', pieces('new'))
  expect(open && (await text(open.content))).toBe('old')
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

test('a folder that can’t be made fails the writing', async () => {
  await writeFile(folder, 'a file in its place')
  await expect(files.write('a.csv', pieces('x'))).rejects.toThrow()
})
