import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { MemoryOutbox } from '../testing/memory-outbox.ts'
import { hasMosquitto, Mosquitto } from '../testing/mosquitto.ts'
import { mqtt, mqttSource } from './mqtt.ts'

// Debian: apt-get install mosquitto mosquitto-clients
if (!hasMosquitto) process.stdout.write('The MQTT source is not tested: mosquitto is not installed.\n')

const rule = {
  instrument: '{topic2}',
  raise: { template: 'SKID-{json.code}', component: '{json.part}', key: '{json.part}', while: { 'json.on': true } },
}
const message = (part: string, on = true) => JSON.stringify({ part, code: 7, on })

it('stops also if the broker hangs', async () => {
  const hanging = createServer((socket) => {
    socket.once('data', () => socket.write(Buffer.from([0x20, 2, 0, 0])))
    socket.on('error', () => undefined)
  })
  await new Promise<void>((resolve) => hanging.listen(0, '127.0.0.1', resolve))
  const address = hanging.address()
  const port = typeof address === 'object' && address ? address.port : 0
  const connected = new Promise((resolve) => hanging.once('connection', resolve))
  const config = mqttSource.parse({
    kind: 'mqtt',
    name: 'skids',
    url: `mqtt://127.0.0.1:${port}`,
    topics: ['lab/+'],
    rules: [rule],
  })
  const source = await mqtt(config)(new MemoryOutbox().context())
  await connected
  await source.stop()
  await new Promise((resolve) => hanging.close(resolve))
})

it('refuses certificates for a connection without TLS', () => {
  const checked = mqttSource.safeParse({
    kind: 'mqtt',
    name: 'skids',
    url: 'mqtt://broker:1883',
    tls: { ca: 'ca.pem' },
    topics: ['lab/+'],
    rules: [rule],
  })
  expect(checked.error?.issues).toMatchObject([
    { path: ['tls'], message: 'is used only with mqtts:// or wss:// in url' },
  ])
})

describe.runIf(hasMosquitto)('a source of MQTT', () => {
  const broker = new Mosquitto()
  let outbox: MemoryOutbox
  let running: { stop(): Promise<void> }[]
  let sources = 0

  beforeAll(() => broker.start())
  afterAll(() => broker.remove())
  beforeEach(() => {
    outbox = new MemoryOutbox()
    running = []
    sources++
  })
  afterEach(async () => {
    await Promise.all(running.map((source) => source.stop()))
  })

  const configOf = (more: object = {}) =>
    mqttSource.parse({
      kind: 'mqtt',
      name: `skids-${sources}`,
      url: broker.url(),
      topics: [`lab${sources}/+/alarm`],
      rules: [rule],
      ...more,
    })
  async function begin(more: object = {}) {
    const source = await mqtt(configOf(more))(outbox.context())
    running.push(source)
    return source
  }
  const link = () => outbox.links.get(`skids-${sources}`)
  const topic = (id: string) => `lab${sources}/${id}/alarm`

  it.each(['3.1.1', 5] as const)('reports what a program publishes, MQTT %s', async (version) => {
    await begin({ version })
    await outbox.until(() => link() === 'up')
    await broker.publish(topic('IP-1'), message('pump'))
    await broker.publish(topic('IP-1'), message('pump'))
    await broker.publish(topic('IP-1'), message('pump', false))
    await outbox.until(() => outbox.reports.length === 2)
    expect(outbox.told()).toEqual(['raised pump', 'alarm.cleared'])
    expect(outbox.reports[0]).toMatchObject({ subject: 'IP-1', data: { templateId: 'SKID-7' } })
  })

  it('raises an alarm without an end once, although the broker repeats its retained message on each connection', async () => {
    const rules = [{ ...rule, raise: { ...rule.raise, while: undefined, autoClear: '0s' } }]
    await broker.publish(topic('IP-1'), message('door'), '--retain')
    const first = await begin({ rules })
    await outbox.until(() => outbox.told().includes('raised door'))
    await outbox.until(() => outbox.notes.has(`skids-${sources}/topics`))
    await first.stop()
    await broker.publish(topic('IP-2'), message('lid'), '--retain')
    const second = await begin({ rules })
    // The session has this one, and the broker repeats both.
    await outbox.until(() => outbox.told().includes('raised lid'))
    await broker.publish(topic('IP-3'), message('fan'))
    await outbox.until(() => outbox.told().includes('raised fan'))
    const raised = () => outbox.told().filter((type) => type.startsWith('raised'))
    expect(raised()).toEqual(['raised door', 'raised lid', 'raised fan'])
    await second.stop()
    // The gateway has never heard a message that is retained under a new topic.
    await begin({ rules, topics: [`lab${sources}/+/alarm`, `lab${sources}/+/+`] })
    await outbox.until(() => raised().length > 4)
  })

  it('counts a message once that several filters include, and leaves those that the file no longer has', async () => {
    const rules = [{ ...rule, raise: { ...rule.raise, while: undefined, autoClear: '0s' } }]
    const first = await begin({ rules, version: 5, topics: [`lab${sources}/IP-1/#`, `lab${sources}/+/alarm`] })
    await outbox.until(() => outbox.notes.has(`skids-${sources}/topics`))
    await first.stop()
    const noted = outbox.notes.get(`skids-${sources}/topics`)
    await begin({ rules, version: 5, topics: [`lab${sources}/+/alarm`, `lab${sources}/+/+`, `lab${sources}/IP-2/#`] })
    await outbox.until(() => outbox.notes.get(`skids-${sources}/topics`) !== noted)
    await broker.publish(topic('IP-1'), message('pump'))
    await broker.publish(`${topic('IP-1')}/late`, message('lid'))
    await broker.publish(topic('IP-3'), message('fan'))
    await outbox.until(() => outbox.told().includes('raised fan'))
    expect(outbox.told().filter((type) => type.startsWith('raised'))).toEqual(['raised pump', 'raised fan'])
  })

  it('counts what cannot be read, says why, and continues', async () => {
    await begin()
    await outbox.until(() => link() === 'up')
    await broker.publish(topic('IP-1'), '{"part": NaN}')
    await broker.publish(topic('IP-1'), '[]')
    await broker.publish(topic('IP-1'), message('x'.repeat(100_000)))
    await broker.publish(topic('no such id!'), message('pump'))
    await broker.publish(topic('IP-1'), message('pump'))
    await outbox.until(() => outbox.reports.length === 1)
    expect(outbox.faults).toEqual([
      expect.stringMatching(/is not JSON: \{"part": NaN\}$/),
      "Rule 1, raise: The message has no 'json.part'.",
      expect.stringMatching(/has 100\d\d\d bytes, more than maxBytes \(65536\)\.$/),
      "Rule 1, instrument: 'no such id!' is not an installed product id.",
    ])
    expect(outbox.told()).toEqual(['raised pump'])
  })

  it('acknowledges only what is on disk: the broker keeps the rest for the next start', async () => {
    const first = await begin()
    await outbox.until(() => link() === 'up')
    outbox.isFull = true
    await broker.publish(topic('IP-1'), message('pump'))
    await outbox.until(() => link()?.startsWith('down') === true)
    await first.stop()
    await broker.publish(topic('IP-1'), message('valve'))
    outbox.isFull = false
    await begin()
    await outbox.until(() => outbox.reports.length === 2)
    expect(outbox.told()).toEqual(['raised pump', 'raised valve'])
  })

  it('keeps the order of messages of which the first could not be stored', async () => {
    const first = await begin()
    await outbox.until(() => link() === 'up')
    await broker.publish(topic('IP-1'), message('pump'))
    await outbox.until(() => outbox.reports.length === 1)
    await first.stop()
    for (const on of [false, true]) await broker.publish(topic('IP-1'), message('pump', on))
    outbox.links.clear()
    outbox.isFull = true
    await begin()
    await outbox.until(() => link()?.startsWith('down') === true)
    outbox.isFull = false
    await broker.publish(topic('IP-1'), message('valve'))
    await outbox.until(() => outbox.told().includes('raised valve'))
    expect(outbox.told()).toEqual(['raised pump', 'alarm.cleared', 'raised pump', 'raised valve'])
  })

  it('reports that the broker is down, and recovers automatically with the published messages', async () => {
    await begin()
    await outbox.until(() => link() === 'up')
    await broker.publish(topic('IP-1'), message('pump'))
    await outbox.until(() => outbox.reports.length === 1)
    await broker.stop('SIGTERM')
    await outbox.until(() => link()?.startsWith('down') === true)
    expect(link()).toMatch(/^down: The (connection to the )?broker 127\.0\.0\.1:\d+ (is lost|can't be used)/)
    await broker.start()
    await broker.publish(topic('IP-1'), message('valve'))
    await outbox.until(() => outbox.reports.length === 2)
    expect(outbox.told()).toEqual(['raised pump', 'raised valve'])
    await outbox.until(() => link() === 'up')
  })

  it('is up again before it reports messages of the meantime', async () => {
    const order: string[] = []
    const context = outbox.context()
    const told = {
      ...context,
      link: (...given: Parameters<typeof context.link>) => {
        order.push(given[1])
        context.link(...given)
      },
      report: async (report: Parameters<typeof context.report>[0]) => {
        order.push(report.type)
        await context.report(report)
      },
    }
    const first = await begin()
    await outbox.until(() => link() === 'up')
    await first.stop()
    running.length = 0
    await broker.publish(topic('IP-1'), message('pump'))
    running.push(await mqtt(configOf())(told))
    await outbox.until(() => outbox.reports.length === 1)
    expect(order.slice(0, 2)).toEqual(['up', 'benchwatch.alarm.raised'])
  })

  it('says in one sentence that the password or a topic is refused', async () => {
    const directory = await mkdtemp(join(tmpdir(), 'mqtt-'))
    const strict = new Mosquitto()
    await strict.start('allow_anonymous false')
    await writeFile(join(directory, 'password'), 'wrong\n')
    const user = { name: 'benchwatch', passwordFile: join(directory, 'password') }
    await begin({ url: strict.url(), user })
    await outbox.until(() => link()?.includes('refused') === true)
    expect(link()).toMatch(/^down: The broker 127\.0\.0\.1:\d+ can't be used: Connection refused: Not authorized$/)
    await Promise.all(running.splice(0).map((source) => source.stop()))
    await strict.remove()
    await rm(directory, { recursive: true })
  })
})
