import { execFile } from 'node:child_process'
import { createSocket } from 'node:dgram'
import { existsSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { freePort } from '../testing/free-port.ts'
import { MemoryOutbox } from '../testing/memory-outbox.ts'
import { snmp, snmpSource, startTimeline } from './snmp.ts'

// Debian: apt-get install snmp
const hasSnmp = existsSync('/usr/bin/snmptrap') && existsSync('/usr/bin/snmpinform')
if (!hasSnmp) process.stdout.write('The SNMP source is not tested: snmp is not installed.\n')

const run = promisify(execFile)
const ALARM = '1.3.6.1.4.1.8072.2.3.0.1'
const TEXT = '1.3.6.1.4.1.8072.2.3.2.2'
const STATE = '1.3.6.1.4.1.8072.2.3.2.1'

const rules = [
  {
    when: { trap: 'alarm' },
    instrument: 'IP-1',
    raise: { template: 'UPS-7', component: '{values.text}', key: '{values.text}', while: { 'values.state': 1 } },
  },
  {
    when: { trap: '1.3.6.1.6.3.1.1.5.1' },
    instrument: 'IP-1',
    raise: { template: 'UPS-1', component: 'restart', autoClear: '0s' },
  },
]

describe.runIf(hasSnmp)('a source of SNMP', () => {
  let outbox: MemoryOutbox
  let directory: string
  let port: number
  let running: { stop(): Promise<void> } | undefined

  beforeEach(async () => {
    outbox = new MemoryOutbox()
    directory = await mkdtemp(join(tmpdir(), 'snmp-'))
    await writeFile(join(directory, 'auth'), 'authentication\n')
    await writeFile(join(directory, 'privacy'), 'confidential\n')
  })
  afterEach(async () => {
    await running?.stop()
    running = undefined
    await rm(directory, { recursive: true })
  })

  async function begin(context: object = {}) {
    port = await freePort()
    const config = snmpSource.parse({
      kind: 'snmp',
      name: 'ups',
      listen: `127.0.0.1:${port}`,
      communities: ['lab'],
      users: [
        {
          name: 'benchwatch',
          auth: 'sha',
          passwordFile: join(directory, 'auth'),
          privacy: 'aes',
          privacyPasswordFile: join(directory, 'privacy'),
        },
        { name: 'guest' },
      ],
      names: { alarm: ALARM, text: TEXT, state: STATE },
      rules,
    })
    running = await snmp(config)(outbox.context(context))
  }
  const VERSION_2 = ['-v', '2c', '-c', 'lab']
  const VERSION_3 = [
    '-v',
    '3',
    '-e',
    '0x8000000001020304',
    '-u',
    'benchwatch',
    '-l',
    'authPriv',
    '-a',
    'SHA',
    '-x',
    'AES',
  ]
  const right = [...VERSION_3, '-A', 'authentication', '-X', 'confidential']
  const values = (state: number, text: string) => [TEXT, 's', text, STATE, 'i', String(state)]
  const trap = (identity: string[], ...given: string[]) =>
    run('/usr/bin/snmptrap', [...identity, `127.0.0.1:${port}`, '', ...given])
  const inform = (given: string[], seconds = '0.2') =>
    run('/usr/bin/snmpinform', [...VERSION_2, '-t', seconds, '-r', '1', `127.0.0.1:${port}`, '', ...given])

  it.each([
    ['2c', VERSION_2],
    ['3', right],
    ['3 without a password', ['-v', '3', '-e', '0x8000000001020304', '-u', 'guest', '-l', 'noAuthNoPriv']],
  ])('raises and clears by the traps of version %s', async (_, identity) => {
    await begin()
    await trap(identity, ALARM, ...values(1, 'battery'))
    await trap(identity, ALARM, ...values(1, 'battery'))
    await trap(identity, ALARM, ...values(0, 'battery'))
    await outbox.until(() => outbox.reports.length === 2)
    expect(outbox.told()).toEqual(['raised battery', 'alarm.cleared'])
    expect(outbox.reports[0]).toMatchObject({ subject: 'IP-1', data: { templateId: 'UPS-7' } })
    expect(outbox.links.get('ups')).toBe('up')
  })

  it('ends no alarm by a recorded trap of version 3 that is sent again, but begins one by it', async () => {
    await begin()
    const at = (boots: number, seconds: number) => [...right, '-Z', `${boots},${seconds}`]
    await trap(at(3, 1000), ALARM, ...values(0, 'battery'))
    await trap(at(3, 2000), ALARM, ...values(1, 'battery'))
    await trap(at(3, 1000), ALARM, ...values(0, 'battery'))
    await trap(at(2, 9000), ALARM, ...values(1, 'fan'))
    await trap(at(4, 10), ALARM, ...values(0, 'fan'))
    await outbox.until(() => outbox.reports.length === 3)
    expect(outbox.told()).toEqual(['raised battery', 'raised fan', 'alarm.cleared'])
    expect(outbox.faults).toHaveLength(2)
    expect(outbox.faults[0]).toContain('A trap of 127.0.0.1 is older than the last one of its engine.')
  })

  it('ignores a trap of version 3 that somebody records and sends again at once', async () => {
    await begin()
    const recorder = createSocket('udp4')
    await new Promise<void>((resolve) => recorder.bind(0, '127.0.0.1', resolve))
    const recorded: Buffer[] = []
    const all = Promise.withResolvers<void>()
    recorder.on('message', (bytes) => {
      if (recorded.push(bytes) === 3) all.resolve()
    })
    const given = [...right, `127.0.0.1:${recorder.address().port}`, '', ALARM]
    for (const state of [1, 0, 1]) await run('/usr/bin/snmptrap', [...given, ...values(state, 'battery')])
    await all.promise
    const [first, end, second] = recorded
    for (const bytes of [first, end, second, end]) recorder.send(bytes ?? '', port, '127.0.0.1')
    await outbox.until(() => outbox.faults.length > 0)
    recorder.close()
    expect(outbox.told()).toEqual(['raised battery', 'alarm.cleared', 'raised battery'])
    expect(outbox.faults).toEqual(['A trap of 127.0.0.1 is ignored: it came before.'])
  })

  it('names the traps of version 1 as version 2c does', async () => {
    await begin()
    const version1 = ['-v', '1', '-c', 'lab', `127.0.0.1:${port}`]
    await run('/usr/bin/snmptrap', [...version1, '1.3.6.1.4.1.8072.2.3', '10.0.0.1', '6', '1', '', ...values(1, 'fan')])
    await run('/usr/bin/snmptrap', [...version1, '1.3.6.1.4.1.8072.2.3', '10.0.0.1', '0', '0', ''])
    await outbox.until(() => outbox.reports.length === 3)
    expect(outbox.told()).toEqual(['raised fan', 'raised restart', 'alarm.cleared'])
  })

  it('tells the address of the device whose trap of version 1 another program forwards', async () => {
    const seen: unknown[] = []
    await begin({ onMapped: (facts: object) => seen.push(facts) })
    const version1 = ['-v', '1', '-c', 'lab', `127.0.0.1:${port}`, '1.3.6.1.4.1.8072.2.3']
    await run('/usr/bin/snmptrap', [...version1, '10.0.0.1', '6', '1', '', ...values(1, 'fan')])
    await outbox.until(() => outbox.reports.length === 1)
    expect(seen).toMatchObject([{ address: '127.0.0.1', values: { '1.3.6.1.6.3.18.1.3.0': '10.0.0.1', text: 'fan' } }])
  })

  it('counts forged and broken messages, says who sent them, and continues', async () => {
    await begin()
    await trap(['-v', '2c', '-c', 'guessed'], ALARM, ...values(1, 'forged'))
    await trap([...VERSION_3, '-A', 'wrong password', '-X', 'confidential'], ALARM, ...values(1, 'forged'))
    await trap(
      ['-v', '3', '-e', '0x8000000001020304', '-u', 'stranger', '-l', 'noAuthNoPriv'],
      ALARM,
      ...values(1, 'forged'),
    )
    await trap(
      ['-v', '3', '-e', '0x8000000001020304', '-u', 'benchwatch', '-l', 'noAuthNoPriv'],
      ALARM,
      ...values(1, 'forged'),
    )
    const socket = createSocket('udp4')
    for (const bytes of [Buffer.alloc(60_000, 0x30), Buffer.from('not a trap'), Buffer.alloc(0)])
      await new Promise((resolve) => socket.send(bytes, port, '127.0.0.1', resolve))
    await new Promise<void>((resolve) => socket.close(() => resolve()))
    await trap(VERSION_2, ALARM, STATE, 's', 'text')
    await trap(VERSION_2, '1.3.6.1.4.1.9.9')
    await trap(VERSION_2, ALARM, ...values(1, 'battery'))
    await outbox.until(() => outbox.reports.length === 1)
    expect(outbox.told()).toEqual(['raised battery'])
    expect(outbox.faults).toHaveLength(8)
    expect(outbox.faults[0]).toBe('A message of 127.0.0.1 is refused: its community is not in communities.')
    expect(outbox.faults.join()).not.toContain('guessed')
    expect(outbox.counts.unmatched).toBe(1)
  })

  it('answers an inform only when it is on disk, and takes the repeated one once', async () => {
    await begin()
    outbox.isFull = true
    await expect(inform([ALARM, ...values(1, 'battery')])).rejects.toThrow()
    outbox.isFull = false
    await inform([ALARM, ...values(1, 'battery')], '10')
    expect(outbox.told()).toEqual(['raised battery'])
  })

  it('counts informs that it refuses', async () => {
    await begin()
    const given = ['-v', '3', '-l', 'noAuthNoPriv', '-r', '0', '-t', '10', `127.0.0.1:${port}`, '', ALARM]
    for (const user of ['stranger', 'benchwatch'])
      await expect(run('/usr/bin/snmpinform', ['-u', user, ...given])).rejects.toThrow()
    expect(outbox.faults).toEqual([
      'A message of 127.0.0.1 is refused: its user is unknown.',
      'A message of 127.0.0.1 is refused: it lacks the password or the privacy of its user.',
    ])
  })

  it('leaves an inform that arrives while it stops unanswered', async () => {
    let release = () => {}
    const held = new Promise<void>((resolve) => {
      release = resolve
    })
    let told = () => {}
    const writing = new Promise<void>((resolve) => {
      told = resolve
    })
    const reports: unknown[] = []
    await begin({
      report: async (report: unknown) => {
        reports.push(report)
        told()
        await held
      },
    })
    const first = inform([ALARM, ...values(1, 'battery')]).catch(() => 'not answered')
    await writing
    const stopped = running?.stop()
    await expect(inform([ALARM, ...values(1, 'fan')])).rejects.toThrow()
    release()
    await Promise.all([stopped, first])
    running = undefined
    expect(reports).toHaveLength(1)
  })

  it('answers no inform in a trial', async () => {
    await begin({ isTrial: true })
    await expect(inform([ALARM, ...values(1, 'battery')])).rejects.toThrow()
  })

  it('says in one sentence that its port is taken', async () => {
    await begin()
    const config = snmpSource.parse({ kind: 'snmp', name: 'twice', listen: `127.0.0.1:${port}`, communities: ['lab'] })
    await expect(snmp(config)(outbox.context())).rejects.toThrow(/can't be listened to \(EADDRINUSE\)\. Choose another/)
  })

  it('needs at least one permitted sender', () => {
    const checked = snmpSource.safeParse({ kind: 'snmp', name: 'ups', listen: '0.0.0.0:162' })
    expect(checked.error?.issues[0]?.message).toContain('needs communities or users')
  })
})

describe('the times of an engine', () => {
  it.each([
    ['the same time again', 3, 1000, false],
    ['150 seconds earlier', 3, 850, false],
    ['151 seconds earlier', 3, 849, true],
    ['an earlier start', 2, 5000, true],
    ['a later start', 4, 1, false],
  ])('take %s for what it is', (_, boots, time, expected) => {
    const isOlder = startTimeline()
    const message = (engine: string, starts: number, seconds: number) => ({
      msgAuthoritativeEngineID: Buffer.from(engine),
      msgAuthoritativeEngineBoots: starts,
      msgAuthoritativeEngineTime: seconds,
    })
    expect(isOlder(message('one', 3, 1000))).toBe(false)
    expect(isOlder(message('another', 1, 1))).toBe(false)
    expect(isOlder(message('one', boots, time))).toBe(expected)
  })
})
