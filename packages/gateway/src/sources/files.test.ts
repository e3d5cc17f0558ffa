import { appendFile, mkdir, mkdtemp, rename, rm, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { MemoryOutbox } from '../testing/memory-outbox.ts'
import { files, filesSource } from './files.ts'

const raise = (from: string) => ({
  when: { [`${from}.part`]: '*' },
  instrument: 'IP-1',
  raise: { template: `F-{${from}.code}`, component: `{${from}.part}`, autoClear: '0s' },
})
const rules = [raise('row'), raise('json')]

describe('a source of files', { timeout: 30_000 }, () => {
  let outbox: MemoryOutbox
  let folder: string
  let running: { stop(): Promise<void> } | undefined

  beforeEach(async () => {
    outbox = new MemoryOutbox()
    folder = await mkdtemp(join(tmpdir(), 'files-'))
  })
  afterEach(async () => {
    await stop()
    await rm(folder, { recursive: true, force: true })
  })
  async function stop() {
    await running?.stop()
    running = undefined
  }
  async function begin(more: object = {}) {
    const config = filesSource.parse({
      kind: 'files',
      name: 'exports',
      folder,
      every: '100ms',
      format: 'csv',
      rules,
      ...more,
    })
    running = await files(config)(outbox.context())
  }
  const path = (name: string) => join(folder, name)
  const raised = () => outbox.told().filter((type) => type !== 'alarm.cleared')
  const untilRaised = (count: number) => outbox.until(() => raised().length === count)

  it('reports each line once, as the file grows and over restarts', async () => {
    await writeFile(path('a.csv'), '\ufeffcode,part\r\n1,pump\r\n2,"a ""big"" part,\nin two lines"\r\n3,half')
    await begin({ match: '*.csv' })
    await writeFile(path('other.txt'), 'code,part\n9,nobody\n')
    await untilRaised(2)
    await appendFile(path('a.csv'), ' a line\n')
    await untilRaised(3)
    await stop()
    await appendFile(path('a.csv'), '4,valve\n')
    await begin({ match: '*.csv' })
    await untilRaised(4)
    expect(raised()).toEqual([
      'raised pump',
      'raised a "big" part,\nin two lines',
      'raised half a line',
      'raised valve',
    ])
  })

  it('reads lines of JSON', async () => {
    await writeFile(path('a.jsonl'), '{"code": 1, "part": "pump"}\n\n{"code": 2, "part": "valve"}\n')
    await begin({ format: 'jsonl' })
    await untilRaised(2)
    expect(outbox.faults).toEqual([])
  })

  it('takes a last line without its end when the file is still', async () => {
    await writeFile(path('a.csv'), 'code,part\n1,pump')
    await utimes(path('a.csv'), new Date(0), new Date(0))
    await begin()
    await untilRaised(1)
  })

  it('counts what cannot be read, says where, and continues', async () => {
    await writeFile(path('a.csv'), `code,part\n1\n2,"open\n3,${'x'.repeat(100_000)},7\n4,pump\n`)
    await writeFile(
      path('b.csv'),
      Buffer.concat([Buffer.from('code,part\n'), Buffer.alloc(500, 0xff), Buffer.from('\n5,valve\n')]),
    )
    await begin()
    await untilRaised(2)
    expect(raised()).toEqual(['raised pump', 'raised valve'])
    expect(outbox.faults).toEqual([
      'a.csv, byte 10: The line has 1 columns instead of 2.',
      expect.stringMatching(/^a\.csv, byte 12: A record has more than maxBytes \(65536\), or an open quote\.$/),
      expect.stringMatching(/^a\.csv, byte 20: A record has more than maxBytes/),
      'b.csv, byte 10: The line has 1 columns instead of 2.',
    ])
  })

  it('repeats what could not be stored, and raises it once', async () => {
    outbox.isFull = true
    await writeFile(path('a.csv'), 'code,part\n1,pump\n')
    await begin()
    await outbox.until(() => outbox.faults.length > 0)
    outbox.isFull = false
    await untilRaised(1)
    await appendFile(path('a.csv'), '2,valve\n')
    await untilRaised(2)
  })

  it('reads a replaced file from the beginning', async () => {
    await writeFile(path('a.csv'), 'code,part\n1,pump\n')
    await begin()
    await untilRaised(1)
    await writeFile(path('new'), 'part,code\nvalve,2\nfan,3\n')
    await rename(path('new'), path('a.csv'))
    await untilRaised(3)
    expect(raised()).toEqual(['raised pump', 'raised valve', 'raised fan'])
  })

  it('continues where it was after the folder was empty, like the mount point of a share that is not mounted', async () => {
    await writeFile(path('a.csv'), 'code,part\n1,pump\n')
    await begin()
    await untilRaised(1)
    await stop()
    const away = await mkdtemp(join(tmpdir(), 'files-'))
    await rename(path('a.csv'), join(away, 'a.csv'))
    await begin()
    await outbox.until(() => outbox.links.get('exports') === 'up')
    await stop()
    await appendFile(join(away, 'a.csv'), '2,valve\n')
    await rename(join(away, 'a.csv'), path('a.csv'))
    await rm(away, { recursive: true })
    await begin()
    await untilRaised(2)
    expect(raised()).toEqual(['raised pump', 'raised valve'])
  })

  it('reports that the folder is missing, and recovers', async () => {
    await rm(folder, { recursive: true })
    await begin()
    await outbox.until(() => outbox.links.get('exports') !== undefined)
    expect(outbox.links.get('exports')).toBe(`down: The folder ${folder} can't be read: ENOENT.`)
    await mkdir(folder)
    await writeFile(path('a.csv'), 'code,part\n1,pump\n')
    await untilRaised(1)
    expect(outbox.links.get('exports')).toBe('up')
  })
})
