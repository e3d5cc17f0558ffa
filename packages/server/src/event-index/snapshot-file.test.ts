import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeAll, beforeEach, expect, test } from 'vitest'
import { EventArrays, type IndexedEvent } from './event-arrays.ts'
import { readSnapshot, writeSnapshot } from './snapshot-file.ts'

const identity = { system: '7', database: 5, timeline: '00000001' }
const database = { ...identity, nextXid: '900' }
let folder: string
let file: string

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'snapshot-'))
  return () => rmSync(folder, { recursive: true })
})
beforeEach(() => {
  file = join(mkdtempSync(join(folder, 'of-a-test-')), 'event-index.bin')
})

function event(id: number, over: Partial<IndexedEvent> = {}): IndexedEvent {
  return {
    ...{
      id,
      createdAt: 1_000_000 + id,
      customer: 1,
      site: 2,
      instrument: 3,
      component: id % 4,
      gateway: 0,
      severity: 1,
    },
    ...{ alertType: 1, status: 1 + (id % 3), reason: 0, owner: id % 5 || null, fullSupport: true, lastActionAt: id },
    ...{ emailedAt: id % 2, text: Buffer.from(`text ${id % 10}`) },
    ...over,
  }
}

function arraysOfEvents(): EventArrays {
  const arrays = new EventArrays()
  for (let id = 1; id <= 100; id += 1) arrays.put(event(id))
  arrays.put(event(200_000, { owner: 70_000, createdAt: 1e13 }))
  arrays.put(event(200_001))
  return arrays
}

test('what is written is read again, and events that follow go into the same texts and kinds', async () => {
  const arrays = arraysOfEvents()
  await writeSnapshot(file, { identity, snapshotXid: '800', arrays })
  const read = readSnapshot(file, database)
  expect(read?.snapshotXid).toBe('800')
  expect(read?.arrays.chunks).toEqual(arrays.chunks)
  expect(read?.arrays.ownerCount).toBe(arrays.ownerCount)
  for (const both of [arrays, read?.arrays as EventArrays]) {
    both.put(event(101))
    both.put(event(102, { site: 9, text: Buffer.from('another text') }))
    both.texts.sort()
  }
  expect(read?.arrays.chunks).toEqual(arrays.chunks)
  expect(read?.arrays.kinds.size).toBe(arrays.kinds.size)
  expect(read?.arrays.texts.sorted).toEqual(arrays.texts.sorted)
})

test('no file is no fault', () => expect(readSnapshot(file, database)).toBeNull())

test.each([
  ['belongs to another database', { ...database, system: '8' }],
  ['belongs to another database', { ...database, database: 6 }],
  ['belongs to another history of the database', { ...database, timeline: '00000002' }],
  // A copy of the database that is older than the file.
  ['belongs to another history of the database', { ...database, nextXid: '700' }],
])('a file that %s is not used', async (why, found) => {
  await writeSnapshot(file, { identity, snapshotXid: '800', arrays: arraysOfEvents() })
  expect(() => readSnapshot(file, found)).toThrow(why)
})

test('a file of another version, a damaged one and a short one are not used', async () => {
  await writeSnapshot(file, { identity, snapshotXid: '800', arrays: arraysOfEvents() })
  const content = readFileSync(file)
  for (const at of [3, 17, 40, content.length / 2, content.length - 2].map(Math.floor)) {
    const damaged = Buffer.from(content)
    damaged[at] = (damaged[at] as number) ^ 1
    writeFileSync(file, damaged)
    expect(() => readSnapshot(file, database), `byte ${at}`).toThrow('is damaged')
  }
  writeFileSync(file, content.subarray(0, content.length - 1))
  expect(() => readSnapshot(file, database)).toThrow('is damaged')
})

test.runIf(process.platform === 'linux')('a full disk leaves the old file and no other', async () => {
  await writeSnapshot(file, { identity, snapshotXid: '800', arrays: arraysOfEvents() })
  const { symlinkSync } = await import('node:fs')
  symlinkSync('/dev/full', `${file}.tmp`)
  await expect(writeSnapshot(file, { identity, snapshotXid: '801', arrays: arraysOfEvents() })).rejects.toThrow(
    'ENOSPC',
  )
  expect(readdirSync(join(file, '..'))).toEqual(['event-index.bin'])
  expect(readSnapshot(file, database)?.snapshotXid).toBe('800')
})
