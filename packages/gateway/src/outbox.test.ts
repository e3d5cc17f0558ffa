import { spawn } from 'node:child_process'
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { ingestItem } from '@benchwatch/contract/ingest'
import { ClassicLevel } from 'classic-level'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { type Batch, Outbox } from './outbox.ts'
import { lanes } from './report.ts'
import { aLog, anAlarm, aStatus } from './testing/reports.ts'

let directory: string
let outbox: Outbox
const everything = { items: 100_000, bytes: 1e9 }
const open = ({ maxBytes = 1e9, machineRun = 'run-1' }: { maxBytes?: number; machineRun?: string | null } = {}) =>
  Outbox.open({ directory, gateway: 'GW-UPP-01', maxBytes, machineRun })
const itemsOf = ({ items }: Batch) => items.map((text) => ingestItem.parse(JSON.parse(text)))
const textsOf = (batch: Batch) =>
  itemsOf(batch).map((item) => {
    if (item.type === 'benchwatch.log.appended') return item.data.lines.map(({ message }) => message).join()
    return item.type === 'benchwatch.alarm.raised' ? item.data.alertId : item.type
  })

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'outbox-'))
  outbox = await open()
})
afterEach(async () => {
  await outbox.close()
  await rm(directory, { recursive: true })
})

describe('the outbox', () => {
  it('returns alarms before statuses before logs, each oldest first', async () => {
    for (const report of [aLog('l1'), aStatus(), anAlarm('a1'), aLog('l2'), anAlarm('a2')]) await outbox.append(report)
    const one = { items: 1, bytes: 1e6 }
    const order: string[] = []
    for (let count = 0; count < 5; count++) {
      const batch = await outbox.read(lanes, one)
      order.push(...textsOf(batch))
      await outbox.remove(batch)
    }
    expect(order).toEqual(['a1', 'a2', 'benchwatch.status.changed', 'l1', 'l2'])
  })

  it('sends what it has chosen in the order in which it happened', async () => {
    for (const report of [aStatus('ready'), anAlarm('a1'), aStatus('method run')]) await outbox.append(report)
    const batch = await outbox.read(lanes, everything)
    expect(itemsOf(batch).map(({ sequence }) => sequence)).toEqual([1, 2, 3])
  })

  it('creates items that ingest accepts, with an id of epoch and sequence', async () => {
    await outbox.append(anAlarm('a1'))
    const [item] = itemsOf(await outbox.read(lanes, everything))
    // Version 7, so that later lives of an outbox sort after earlier ones.
    expect(outbox.epoch).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7/)
    expect(item).toMatchObject({ id: `${outbox.epoch}-1`, source: '/gateways/GW-UPP-01', subject: 'IP-20431187' })
  })

  it('keeps an item until it is removed', async () => {
    await outbox.append(anAlarm('a1'))
    outbox.giveBack(await outbox.read(lanes, everything))
    const batch = await outbox.read(lanes, everything)
    expect(textsOf(batch)).toEqual(['a1'])
    await outbox.remove(batch)
    expect((await outbox.read(lanes, everything)).items).toEqual([])
    expect(outbox.size()).toBe(0)
  })

  it('fills a batch up to its limit in bytes, and sends a larger item alone', async () => {
    for (const text of ['x'.repeat(5_000), 'small 1', 'small 2']) await outbox.append(aLog(text))
    const first = await outbox.read(['logs'], { items: 10, bytes: 1_000 })
    expect(first.items).toHaveLength(1)
    await outbox.remove(first)
    expect((await outbox.read(['logs'], { items: 10, bytes: 1_000 })).items).toHaveLength(2)
  })

  it('continues after a restart: same epoch, same items, later sequences', async () => {
    const before = await outbox.append(anAlarm('a1'))
    const { epoch } = outbox
    const size = outbox.size()
    await outbox.close()
    outbox = await open()
    expect(outbox.epoch).toBe(epoch)
    expect(outbox.size()).toBe(size)
    expect(await outbox.append(anAlarm('a2'))).toBeGreaterThan(before)
    expect(textsOf(await outbox.read(lanes, everything))).toEqual(['a1', 'a2'])
  })

  it('never uses a sequence twice, not even that of a heartbeat before a restart', async () => {
    const sequences = [await outbox.append(aLog('l1')), await outbox.takeSequence()]
    await outbox.remove(await outbox.read(lanes, everything))
    await outbox.close()
    outbox = await open()
    sequences.push(await outbox.takeSequence(), await outbox.append(aLog('l2')))
    expect(new Set(sequences).size).toBe(4)
    expect([...sequences].sort((a, b) => a - b)).toEqual(sequences)
  })

  it('returns unused numbers when it is closed, and no append takes one of them', async () => {
    const before = await outbox.append(aLog('l1'))
    const heartbeat = await outbox.takeSequence()
    const closed = outbox.close()
    const late = outbox.append(aLog('while it closes')).catch(() => null)
    await closed
    await expect(outbox.takeSequence()).rejects.toThrow('The outbox is closed.')
    outbox = await open()
    const taken = (await late) ?? heartbeat
    expect(heartbeat).toBe(before + 1)
    expect(await outbox.append(aLog('l2'))).toBe(taken + 1)
  })

  it('finds the notes of its last life again, which count neither as items nor as waiting bytes', async () => {
    await outbox.append(anAlarm('a1'), { name: 'IP-20431187', value: 'first' })
    const size = outbox.size()
    await outbox.append(anAlarm('a2'), { name: 'IP-20431187', value: 'second' })
    expect(outbox.size()).toBe(2 * size)
    await outbox.close()
    outbox = await open()
    expect([...outbox.notes]).toEqual([['IP-20431187', 'second']])
    expect((await outbox.read(lanes, everything)).items).toHaveLength(2)
  })

  it('counts the waiting items, even after a restart', async () => {
    for (const report of [anAlarm('a1'), aLog('l1'), aStatus()]) await outbox.append(report)
    await outbox.remove(await outbox.read(['alarms'], everything))
    expect(outbox.pending).toBe(2)
    await outbox.close()
    outbox = await open()
    expect(outbox.pending).toBe(2)
  })

  it('accepts an append at the moment in which the last write ends', async () => {
    for (let count = 1; count <= 50; count++) await outbox.append(count % 2 ? aLog(`l${count}`) : anAlarm(`a${count}`))
    expect((await outbox.read(lanes, everything)).items).toHaveLength(50)
  })

  it('announces appended items once they are on disk', async () => {
    const notified: string[] = []
    const stop = outbox.onAppend((lane) => notified.push(lane))
    await Promise.all([outbox.append(aLog('l1')), outbox.append(anAlarm('a1')), outbox.append(aLog('l2'))])
    stop()
    await outbox.append(aLog('l3'))
    expect(notified.sort()).toEqual(['alarms', 'logs'])
  })

  it('says in one sentence that another process has it open', async () => {
    await expect(open()).rejects.toThrow(/Another gateway process uses the outbox .* Stop that process/)
  })
})

describe('an outbox whose disk fails', () => {
  it('accepts items again when the disk is back, and has those from before', async () => {
    await outbox.append(anAlarm('before'))
    // LevelDB numbers its files: it can't create one where a directory has its name.
    const names = ['trial', ...Array.from({ length: 50 }, (_, number) => `${String(number).padStart(6, '0')}.ldb`)]
    const taken = names.map((name) => join(directory, name))
    await Promise.all(taken.map((name) => mkdir(name)))
    const untilItFails = async (): Promise<void> => {
      await outbox.append(aStatus())
      await Promise.all(
        Array.from({ length: 100 }, (_, line) => outbox.append(aLog(`line ${line} ${'x'.repeat(20_000)}`))),
      )
      await untilItFails()
    }
    await expect(untilItFails()).rejects.toThrow()
    await expect(outbox.append(anAlarm('meanwhile'))).rejects.toThrow()
    // Items that the server has taken are not read again, although they can't be deleted.
    const first = await outbox.read(lanes, { items: 2, bytes: 1e9 })
    await expect(outbox.remove(first)).rejects.toThrow()
    const second = await outbox.read(lanes, { items: 2, bytes: 1e9 })
    expect([first.keys.length, new Set([...first.keys, ...second.keys]).size]).toEqual([2, 4])
    await Promise.all(taken.map((name) => rm(name, { recursive: true })))
    await outbox.append(anAlarm('after'))
    const alarms = await outbox.read(['alarms'], everything)
    expect(textsOf(alarms)).toEqual(['after'])
    const waiting = outbox.pending
    await outbox.remove(alarms)
    expect(outbox.pending).toBe(waiting - 1 - first.keys.length)
    await outbox.close()
    outbox = await open()
    expect([outbox.pending, textsOf(await outbox.read(['alarms'], everything))]).toEqual([waiting - 3, []])
  })
})

describe('a full outbox', () => {
  const fill = async (count: number) => {
    for (let line = 0; line < count; line++) await outbox.append(aLog(`line ${line} ${'x'.repeat(500)}`, line))
  }

  beforeEach(async () => {
    await outbox.close()
    outbox = await open({ maxBytes: 30_000 })
  })

  it('drops the oldest logs, keeps alarms and statuses, and stays below its limit', async () => {
    await outbox.append(anAlarm('a1'))
    await outbox.append(aStatus())
    await fill(100)
    expect(outbox.size()).toBeLessThanOrEqual(30_000)
    const texts = textsOf(await outbox.read(lanes, everything))
    expect(texts.slice(0, 2)).toEqual(['a1', 'benchwatch.status.changed'])
    expect(texts.some((text) => text.startsWith('line 99 '))).toBe(true)
    expect(texts.some((text) => text.startsWith('line 0 '))).toBe(false)
  })

  it('tells of what it dropped as one line in the log in which it is missing', async () => {
    await fill(100)
    const batch = await outbox.read(['logs'], everything)
    const [kept, [gap]] = [textsOf(batch).slice(0, -1), textsOf(batch).slice(-1)]
    expect(gap).toBe(
      `${100 - kept.length} log lines from 2026-11-20T14:02:23.000Z to ${second(99 - kept.length)} were dropped: the gateway's disk limit was reached before they were sent.`,
    )
    expect(itemsOf(batch).at(-1)).toMatchObject({ subject: 'IP-20431187', data: { logType: 'VID' } })
  })

  it('remembers a gap over a restart, and counts on when the line that tells of it is dropped itself', async () => {
    await fill(60)
    outbox.giveBack(await outbox.read(['logs'], everything))
    await fill(120)
    await outbox.close()
    outbox = await open({ maxBytes: 30_000 })
    const texts = textsOf(await outbox.read(['logs'], everything))
    const kept = texts.filter((text) => text.startsWith('line')).length
    const dropped = texts.flatMap((text) => /^(\d+) log lines/.exec(text)?.[1] ?? []).map(Number)
    expect(dropped.reduce((sum, lines) => sum + lines, 0)).toBe(180 - kept)
  })

  const countDropped = async (): Promise<[dropped: number, kept: number]> => {
    // The lines about gaps may take the room of others.
    outbox.giveBack(await outbox.read(['logs'], everything))
    const texts = textsOf(await outbox.read(['logs'], everything))
    const dropped = texts.flatMap((text) => /^(\d+) log lines?/.exec(text)?.[1] ?? []).map(Number)
    return [dropped.reduce((sum, lines) => sum + lines, 0), texts.filter((text) => text.startsWith('line')).length]
  }

  it('still tells of a gap whose line could not be written', async () => {
    await fill(60)
    vi.spyOn(ClassicLevel.prototype, 'batch').mockRejectedValueOnce(new Error('No space left on device'))
    await expect(outbox.read(['logs'], everything)).rejects.toThrow('No space')
    vi.restoreAllMocks()
    await fill(60)
    const [dropped, kept] = await countDropped()
    expect(dropped).toBe(120 - kept)
  })

  it('counts a line once that could be dropped only at the second try', async () => {
    await fill(40)
    const batch = vi.spyOn(ClassicLevel.prototype, 'batch')
    batch.mockResolvedValueOnce(undefined as never).mockRejectedValueOnce(new Error('No space left on device'))
    await expect(outbox.append(aLog('x'.repeat(20_000)))).rejects.toThrow('No space')
    vi.restoreAllMocks()
    await fill(40)
    const [dropped, kept] = await countDropped()
    expect(dropped).toBe(80 - kept)
  })

  it('leaves alone what is just being sent', async () => {
    await outbox.append(aLog('being sent'))
    const batch = await outbox.read(['logs'], everything)
    await fill(100)
    outbox.giveBack(batch)
    expect(textsOf(await outbox.read(['logs'], everything))[0]).toBe('being sent')
  })

  it('never drops an alarm, even above its limit', async () => {
    for (let count = 0; count < 150; count++) await outbox.append(anAlarm(`a${count}`))
    expect((await outbox.read(['alarms'], everything)).items).toHaveLength(150)
  })

  function second(line: number): string {
    return new Date(Date.UTC(2026, 10, 20, 14, 2, 23 + line)).toISOString()
  }
})

describe('an outbox whose process is killed', () => {
  it('has everything that it said was on disk, each time, with all sequences different and none left out', async () => {
    await outbox.close()
    const promised = new Set<number>()
    for (let life = 0; life < 3; life++) await killAfter(150 * (life + 1), promised)
    outbox = await open()
    const sequences = itemsOf(await outbox.read(lanes, everything)).map(({ sequence }) => sequence)
    expect(promised.size).toBeGreaterThan(500)
    expect([...promised].filter((sequence) => !sequences.includes(sequence))).toEqual([])
    expect(sequences.sort((a, b) => a - b)).toEqual(sequences.map((_, index) => index + 1))
  })

  it.each(['run-2', null])('leaves out what a power cut may have taken of its numbers (run %s)', async (machineRun) => {
    await outbox.close()
    const promised = new Set<number>()
    await killAfter(50, promised)
    outbox = await open({ machineRun })
    expect(await outbox.append(aLog('l'))).toBeGreaterThan(10_000)
    await outbox.close()
    outbox = await open({ machineRun })
    expect(await outbox.append(aLog('m'))).toBeLessThan(20_000)
  })

  /** Lets the writer confirm this many items, then kills it in the middle of its work. */
  async function killAfter(count: number, promised: Set<number>): Promise<void> {
    const writer = spawn(process.execPath, [
      fileURLToPath(new URL('./testing/outbox-writer.ts', import.meta.url)),
      directory,
    ])
    const ended = new Promise<NodeJS.Signals | null>((resolve) =>
      writer.once('exit', (_code, signal) => resolve(signal)),
    )
    let left = count
    for await (const line of createInterface({ input: writer.stdout })) {
      promised.add(Number(line))
      if (--left === 0) writer.kill('SIGKILL')
    }
    expect(await ended).toBe('SIGKILL')
  }
})
