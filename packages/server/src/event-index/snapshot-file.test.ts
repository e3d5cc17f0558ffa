import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { crc32 } from 'node:zlib'
import { beforeAll, beforeEach, expect, test } from 'vitest'
import { EventArrays } from './event-arrays.ts'
import type { IndexedEvent } from './index-rows.queries.ts'
import { readSnapshot, writeSnapshot } from './snapshot-file.ts'

const identity = { system: '7', database: 5, events: 3, timeline: '00000001' }
const locations = new Map([[2, 'Street 1']])
const database = { identity, nextXid: '900' }
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
    ...{ id, created_at: new Date(1_000_000 + id), customer_id: 1, site_id: 2, instrument_id: 3, component_id: id % 4 },
    ...{ gateway_id: null, severity: 1, alert_type: 1, alert_status: 1 + (id % 3), reason_closed: null },
    ...{ claimed_by: id % 5 || null, full_support: true, last_action_at: new Date(id), emailed_at: new Date(id % 2) },
    ...{ text_folded: `text ${id % 10}`, description_bytes: 6, run_id: id % 3 || null },
    ...over,
  }
}

function arraysOfEvents(): EventArrays {
  const arrays = new EventArrays()
  for (let id = 1; id <= 100; id += 1) arrays.put(event(id))
  arrays.put(event(200_000, { claimed_by: 70_000, created_at: new Date(1e13) }))
  arrays.put(event(200_001))
  return arrays
}

test('what is written is read again, and events that follow go into the same texts and kinds', async () => {
  const arrays = arraysOfEvents()
  // As beside an external database, nothing else has made the folder.
  file = join(dirname(file), 'data', 'event-index.bin')
  await writeSnapshot(file, { identity, snapshotXid: '800', arrays, locations })
  const read = readSnapshot(file, database)
  expect(read?.snapshotXid).toBe('800')
  expect(read?.locations).toEqual(locations)
  expect(read?.arrays.chunks).toEqual(arrays.chunks)
  expect(read?.arrays.ownerCount).toBe(arrays.ownerCount)
  for (const both of [arrays, read?.arrays as EventArrays]) {
    both.put(event(101))
    both.put(event(102, { site_id: 9, text_folded: 'another text', description_bytes: 12 }))
    both.texts.sort()
  }
  expect(read?.arrays.chunks).toEqual(arrays.chunks)
  expect(read?.arrays.kinds.size).toBe(arrays.kinds.size)
  expect(read?.arrays.texts.sorted).toEqual(arrays.texts.sorted)
})

test('an empty index is read again, and takes its first kinds', async () => {
  const arrays = new EventArrays()
  await writeSnapshot(file, { identity, snapshotXid: '800', arrays, locations })
  const read = readSnapshot(file, database)?.arrays as EventArrays
  for (const both of [arrays, read]) for (const id of [1, 2]) both.put(event(id, { site_id: 6 + id }))
  const sites = ({ kinds }: EventArrays) => [...kinds.columns.site.slice(0, kinds.size)]
  expect(sites(read)).toEqual([7, 8])
  expect(sites(read)).toEqual(sites(arrays))
})

test('a file with chunks of another size is not used', async () => {
  await writeSnapshot(file, { identity, snapshotXid: '800', arrays: new EventArrays(64), locations })
  expect(() => readSnapshot(file, database)).toThrow('was written by another version')
})

test('no file is no fault', () => expect(readSnapshot(file, database)).toBeNull())

test.each([
  ['belongs to another database', { ...database, identity: { ...identity, system: '8' } }],
  ['belongs to another database', { ...database, identity: { ...identity, database: 6 } }],
  // A backup was restored into the database after it had been emptied.
  ['belongs to another database', { ...database, identity: { ...identity, events: 4 } }],
  ['belongs to another history of the database', { ...database, identity: { ...identity, timeline: '00000002' } }],
  // A copy of the database that is older than the file.
  ['belongs to another history of the database', { ...database, nextXid: '700' }],
])('a file that %s is not used', async (why, found) => {
  await writeSnapshot(file, { identity, snapshotXid: '800', arrays: arraysOfEvents(), locations })
  expect(() => readSnapshot(file, found)).toThrow(why)
})

test('a damaged file and a short one are not used', async () => {
  await writeSnapshot(file, { identity, snapshotXid: '800', arrays: arraysOfEvents(), locations })
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

test('a file of another version is not used', async () => {
  await writeSnapshot(file, { identity, snapshotXid: '800', arrays: arraysOfEvents(), locations })
  const content = readFileSync(file)
  const [head, end] = [24, 24 + content.readUInt32LE(16)]
  const version = content.indexOf('version', head) + 'version'.length + 1
  content[version] = (content[version] as number) + 2
  content.writeUInt32LE(crc32(content.subarray(head, end)), 20)
  writeFileSync(file, content)
  expect(() => readSnapshot(file, database)).toThrow('was written by another version')
})

test.runIf(process.platform === 'linux')('a full disk leaves the old file and no other', async () => {
  await writeSnapshot(file, { identity, snapshotXid: '800', arrays: arraysOfEvents(), locations })
  const { symlinkSync } = await import('node:fs')
  symlinkSync('/dev/full', `${file}.tmp`)
  await expect(
    writeSnapshot(file, { identity, snapshotXid: '801', arrays: arraysOfEvents(), locations }),
  ).rejects.toThrow('ENOSPC')
  expect(readdirSync(join(file, '..'))).toEqual(['event-index.bin'])
  expect(readSnapshot(file, database)?.snapshotXid).toBe('800')
})
