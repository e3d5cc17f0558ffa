import { appendFile, mkdir, mkdtemp, rename, rm, truncate, utimes, writeFile } from 'node:fs/promises'
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

describe('a source of files', () => {
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
  async function begin(more: object = {}, options: Parameters<typeof files>[1] = {}) {
    const config = filesSource.parse({
      kind: 'files',
      name: 'exports',
      folder,
      every: '100ms',
      format: 'csv',
      rules,
      ...more,
    })
    running = await files(config, options)(outbox.context())
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

  it('takes a last line without its end when the file was still for a minute by the clock of the gateway', async () => {
    let minutes = 0
    await writeFile(path('a.csv'), 'code,part\n1,pu')
    // The clock of the instrument is far behind.
    await utimes(path('a.csv'), new Date(0), new Date(0))
    await writeFile(path('z.csv'), 'code,part\n2,valve\n')
    await begin({}, { now: () => Date.now() + minutes * 60_001 })
    await untilRaised(1)
    await appendFile(path('a.csv'), 'mp')
    await utimes(path('a.csv'), new Date(0), new Date(0))
    await appendFile(path('z.csv'), '3,fan\n')
    await untilRaised(2)
    minutes = 1
    await untilRaised(3)
    expect([raised(), outbox.faults]).toEqual([['raised valve', 'raised fan', 'raised pump'], []])
  })

  it('takes numbers with a decimal comma where the source says so', async () => {
    const warm = {
      instrument: 'IP-1',
      raise: { template: 'F-1', component: '{row.part}', while: { 'row.temp': '> -60.5' } },
    }
    await writeFile(path('a.csv'), 'part;temp\nA 1,5;-79,5\nB 1,5;-12,5\n')
    await begin({ delimiter: ';', decimal: ',', rules: [warm] })
    await untilRaised(1)
    expect([raised(), outbox.faults]).toEqual([['raised B 1,5'], []])
  })

  it('says which setting does not fit the column names', async () => {
    await writeFile(path('a.csv'), 'code;part\n')
    await writeFile(path('b.csv'), Buffer.from('code,gerät\n', 'latin1'))
    await begin()
    await outbox.until(() => outbox.faults.length === 2)
    expect(outbox.faults.toSorted()).toEqual([
      "a.csv, byte 0: There is one column, 'code;part'. Set delimiter to what separates columns.",
      'b.csv, byte 0: The column names are not utf-8. Set encoding: windows-1252, or have the file written as utf-8.',
    ])
  })

  it('takes a quote within a field for a character', async () => {
    await writeFile(path('a.csv'), '\ufeff"code", "part"\n1,tube 3/4"\n2,"a ""big"" pump"\n3,valve\n')
    await begin()
    await untilRaised(3)
    expect([raised(), outbox.faults]).toEqual([['raised tube 3/4"', 'raised a "big" pump', 'raised valve'], []])
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
    expect(outbox.faults[0]).toBe("a.csv can't be read: its reports could not be stored. Check the gateway's disk.")
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

  it('reads a file that is written anew in place, with the same size or the same beginning', async () => {
    await writeFile(path('a.csv'), 'code,part\n1,pump\n')
    await begin()
    await untilRaised(1)
    await writeFile(path('a.csv'), 'code,part\n1,tube\n')
    await untilRaised(2)
    // Another file is read after this one, so the gateway has seen that it was empty.
    await truncate(path('a.csv'))
    await writeFile(path('z.csv'), 'code,part\n3,fan\n')
    await untilRaised(3)
    await writeFile(path('a.csv'), 'code,part\n1,tube\n2,valve\n')
    await untilRaised(5)
    expect(raised()).toEqual(['raised pump', 'raised tube', 'raised fan', 'raised tube', 'raised valve'])
  })

  it('continues in files that were renamed, as programs do that rotate them', async () => {
    await writeFile(path('a.csv'), 'code,part\n1,pump\n')
    await writeFile(path('a.csv.1'), 'code,part\n2,valve\n')
    await begin()
    await untilRaised(2)
    await rename(path('a.csv.1'), path('a.csv.2'))
    await rename(path('a.csv'), path('a.csv.1'))
    await appendFile(path('a.csv.1'), '3,fan\n')
    await writeFile(path('a.csv'), 'code,part\n4,tube\n')
    await untilRaised(4)
    await appendFile(path('a.csv.2'), '5,late\n')
    await untilRaised(5)
    expect(raised().toSorted()).toEqual(['raised fan', 'raised late', 'raised pump', 'raised tube', 'raised valve'])
  })

  it('stores how far it has read together with the reports, so that a crash repeats nothing', async () => {
    const ticks: string[] = []
    const noted = (name: string) => {
      ticks.push(name)
      queueMicrotask(() => ticks.push('tick'))
    }
    const context = outbox.context()
    await writeFile(path('a.csv'), 'code,part\n1,pump\n')
    running = await files(filesSource.parse({ kind: 'files', name: 'exports', folder, format: 'csv', rules }))({
      ...context,
      report: async (report, note) => {
        noted('report')
        await context.report(report, note)
      },
      keep: async (note) => {
        noted('keep')
        await context.keep(note)
      },
    })
    await outbox.until(() => outbox.notes.has('exports/file/a.csv'))
    expect(ticks.slice(0, ticks.indexOf('tick'))).toEqual(['report', 'report', 'keep'])
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

  it('reports that a share is no longer mounted, also after a restart, but not that its folder is empty', async () => {
    let isMounted = true
    const isMountPoint = async () => isMounted
    await writeFile(path('a.csv'), 'code,part\n1,pump\n')
    await begin({}, { isMountPoint })
    await untilRaised(1)
    await stop()
    await rm(path('a.csv'))
    outbox.links.clear()
    await begin({}, { isMountPoint })
    await outbox.until(() => outbox.links.get('exports') === 'up')
    isMounted = false
    await outbox.until(() => outbox.links.get('exports') !== 'up')
    expect(outbox.links.get('exports')).toBe(`down: The folder ${folder} can't be read: its share is not mounted.`)
    await writeFile(path('b.csv'), 'code,part\n2,valve\n')
    await untilRaised(2)
  })

  it('says that a file is UTF-16', async () => {
    const text = 'code,part\r\n1,pump\r\n'
    await writeFile(path('a.csv'), Buffer.from(`\ufeff${text}`, 'utf16le'))
    await begin({ encoding: 'windows-1252' })
    await outbox.until(() => outbox.faults.length > 1)
    expect(outbox.faults[1]).toBe('a.csv, byte 23: This is UTF-16. Have the file written as utf-8.')
    expect(outbox.counts.unmatched).toBe(0)
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
