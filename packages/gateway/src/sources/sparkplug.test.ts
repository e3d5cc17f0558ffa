import { connectAsync, type MqttClient } from 'mqtt'
import { newClient, type UPayload } from 'sparkplug-client'
import generated from 'sparkplug-payload/lib/sparkplugPayloadProto.js'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { MemoryOutbox } from '../testing/memory-outbox.ts'
import { hasMosquitto, Mosquitto } from '../testing/mosquitto.ts'
import { sparkplug, sparkplugSource } from './sparkplug.ts'

// Debian: apt-get install mosquitto mosquitto-clients
if (!hasMosquitto) process.stdout.write('The Sparkplug source is not tested: mosquitto is not installed.\n')

const rules = [
  {
    when: { metric: 'Alarm/*', value: '*' },
    raise: { template: 'SPB-{metric}', component: '{metric}', key: '{metric}', while: { value: true } },
  },
  { when: { metric: 'State' }, status: '{value}' },
  {
    when: { metric: 'Hours' },
    usage: { component: 'Pump', metric: 'Operating time', unit: 'h', value: '{value}' },
  },
  { when: {}, ignore: true },
]

/** Parts of Eclipse Tahu's client that its types hide. */
interface EdgeInside {
  seq: number
  client: MqttClient
}
type Metrics = NonNullable<UPayload['metrics']>
const alarm = (value: boolean) => ({ name: 'Alarm/Warm', type: 'Boolean', value }) as const
const status = (value: string) => ({ name: 'State', type: 'String', value }) as const

/** An edge node of Eclipse Tahu with one device, whose births tell the metrics that it has at the time. */
function startEdge(broker: Mosquitto, device: string, metrics: { now: Metrics }) {
  const edge = newClient({
    serverUrl: broker.url(),
    username: '',
    password: '',
    groupId: 'lab',
    edgeNode: `node-of-${device}`,
    clientId: `edge-${device}`,
  })
  const commands: string[] = []
  const bear = () => {
    edge.publishNodeBirth({ timestamp: Date.now(), metrics: [] })
    edge.publishDeviceBirth(device, { timestamp: Date.now(), metrics: metrics.now })
  }
  edge.on('birth', bear)
  edge.on('error', () => undefined)
  edge.on('ncmd', (payload) => {
    commands.push(...(payload.metrics ?? []).map(({ name }) => name ?? ''))
    bear()
  })
  const inside = edge as unknown as EdgeInside
  return {
    commands,
    inside,
    bear,
    tell: (...told: Metrics) => edge.publishDeviceData(device, { timestamp: Date.now(), metrics: told }),
    die: () => edge.publishDeviceDeath(device, { timestamp: Date.now() }),
    /** Ends as a power failure does: the broker publishes the will. */
    async fail() {
      const closed = new Promise<void>((resolve) => inside.client.once('close', () => resolve()))
      inside.client.options.reconnectPeriod = 0
      inside.client.stream.destroy()
      await closed
    },
    stop: () => edge.stop(),
  }
}

describe.runIf(hasMosquitto)('a source of Sparkplug B', () => {
  const broker = new Mosquitto()
  let outbox: MemoryOutbox
  let ends: (() => unknown)[]
  let tests = 0
  let id: string

  beforeAll(() => broker.start())
  afterAll(() => broker.remove())
  beforeEach(() => {
    outbox = new MemoryOutbox()
    ends = []
    tests++
    id = `IP-${tests}`
  })
  afterEach(async () => {
    for (const end of ends.reverse()) await end()
  })

  const link = () => outbox.links.get('plant')
  async function begin(more: object = {}, context: object = {}) {
    const config = { kind: 'sparkplug', name: 'plant', url: broker.url(), hostId: `host-${tests}`, rules, ...more }
    const source = await sparkplug(sparkplugSource.parse(config))(outbox.context(context))
    let isStopped = false
    const stop = async () => {
      if (!isStopped) await source.stop()
      isStopped = true
    }
    ends.push(stop)
    await outbox.until(() => link() === 'up')
    return stop
  }
  function edgeWith(...metrics: Metrics) {
    const state = { now: metrics }
    const edge = startEdge(broker, id, state)
    ends.push(edge.stop)
    return { ...edge, state }
  }
  /** Reports about the instrument of this test, as text; edge nodes of other tests may still speak. */
  const told = () =>
    outbox.reports.flatMap(({ subject, type, data }) => {
      if (subject !== id) return []
      if (type === 'benchwatch.status.changed') return [data.instrumentStatus]
      if (type === 'benchwatch.alarm.raised') return [`raised ${data.componentName}`]
      return [type.slice('benchwatch.'.length)]
    })
  const until = (last: string) => outbox.until(() => told().at(-1) === last)

  it('reports births, data and deaths of devices and nodes', async () => {
    await begin()
    const edge = edgeWith(alarm(true), status('ready'), { name: 'Hours', type: 'Double', value: 12.5 })
    await until('usage.sampled')
    expect(told()).toEqual(['raised Alarm/Warm', 'ready', 'usage.sampled'])
    edge.tell(alarm(true), status('wash'))
    edge.tell(alarm(false))
    await until('alarm.cleared')
    edge.die()
    await until('disconnected')
    edge.bear()
    await until('usage.sampled')
    expect(told().slice(3)).toEqual([
      'wash',
      'alarm.cleared',
      'disconnected',
      'Unknown',
      'raised Alarm/Warm',
      'ready',
      'usage.sampled',
    ])
    await edge.fail()
    await until('disconnected')
  })

  it('takes what a node has kept as past: afterwards alarm and status are those of now', async () => {
    await begin()
    const past = { timestamp: Date.now() - 60_000, isHistorical: true }
    const edge = edgeWith(alarm(true), status('method run'))
    await until('method run')
    edge.tell({ ...alarm(false), ...past }, { ...status('ready'), ...past })
    await outbox.until(() => told().length > 5)
    expect(told().slice(2)).toEqual(['alarm.cleared', 'ready', 'raised Alarm/Warm', 'method run'])
  })

  it('requests a rebirth when a message is missing, and for an unknown node', async () => {
    const edge = edgeWith(alarm(false))
    await new Promise<void>((resolve) => edge.inside.client.once('connect', () => resolve()))
    edge.state.now = [alarm(true)]
    await begin()
    edge.tell(status('ready'))
    await until('raised Alarm/Warm')
    expect(edge.commands).toEqual(['Node Control/Rebirth'])
    edge.state.now = [alarm(false)]
    edge.inside.seq += 2
    edge.tell(status('wash'))
    await until('alarm.cleared')
    expect(edge.commands).toHaveLength(2)
    expect(outbox.faults).toEqual([
      `A message of lab/node-of-${id} is missing: 4 came instead of 2. A rebirth is asked for.`,
    ])
  })

  it('informs nodes by STATE whether it accepts their data', async () => {
    const states: unknown[] = []
    const watcher = await connectAsync(broker.url())
    ends.push(() => watcher.endAsync())
    const arrived = (count: number) =>
      new Promise<void>((resolve) => {
        const look = () => states.length >= count && resolve()
        watcher.on('message', look)
        look()
      })
    watcher.on('message', (_topic, payload) => states.push((JSON.parse(String(payload)) as { online: boolean }).online))
    await watcher.subscribeAsync(`spBv1.0/STATE/host-${tests}`, { qos: 1 })
    const stop = await begin()
    await arrived(1)
    // A disk that can't be written is a host that is not there.
    outbox.isFull = true
    const edge = edgeWith(alarm(true))
    await arrived(2)
    outbox.isFull = false
    await until('raised Alarm/Warm')
    expect(edge.commands.length).toBeLessThanOrEqual(1)
    await stop()
    await arrived(4)
    expect(states).toEqual([true, false, true, false])
  })

  it('shows a device as disconnected that died while the gateway was away', async () => {
    const stop = await begin()
    const edge = edgeWith(status('ready'))
    await until('ready')
    await stop()
    await edge.fail()
    await begin({ lostAfter: '100ms' })
    await until('disconnected')
    const back = edgeWith(status('ready'))
    await until('ready')
    expect(told()).toEqual(['ready', 'disconnected', 'Unknown', 'ready'])
    expect(back.commands).toEqual([])
  })

  it('loses no state when the broker is killed, and raises nothing twice', async () => {
    await begin()
    const edge = edgeWith(alarm(true))
    await until('raised Alarm/Warm')
    await broker.stop('SIGKILL')
    await outbox.until(() => link()?.startsWith('down') === true)
    edge.state.now = [alarm(true), { ...alarm(true), name: 'Alarm/Door' }]
    await broker.start()
    await until('raised Alarm/Door')
    expect(told().filter((one) => one.startsWith('raised'))).toEqual(['raised Alarm/Warm', 'raised Alarm/Door'])
  })

  it('counts what it cannot read, says why, and continues', async () => {
    await begin()
    const edge = edgeWith({ name: 'Hours', type: 'Double', value: 1, alias: 7 })
    await until('usage.sampled')
    const topic = `spBv1.0/lab/DDATA/node-of-${id}/${id}`
    await broker.publish(topic, 'this is no protobuf')
    await broker.publish(topic, 'x'.repeat(100_000))
    const { Payload } = generated.org.eclipse.tahu.protobuf
    const publish = (metric: object) => {
      const payload = { timestamp: Date.now(), seq: edge.inside.seq++, metrics: [metric] }
      edge.inside.client.publish(topic, Buffer.from(Payload.encode(payload).finish()))
    }
    publish({ alias: 7, datatype: 10, doubleValue: Number.NaN })
    publish({ name: 'Hours', datatype: 12, stringValue: 'many' })
    publish({ name: 'Hours', datatype: 10, stringValue: '3' })
    publish({ name: 'Hours', datatype: 10, isNull: true })
    edge.tell({ name: 'Hours', type: 'Double', value: 2 })
    await outbox.until(() => told().length === 2)
    expect(outbox.faults).toEqual([
      `A message of ${topic} is not a payload of Sparkplug B.`,
      `A message of ${topic} has 100000 bytes, more than maxBytes (65536).`,
      "Rule 3, usage: 'NaN' is not a number.",
      "Rule 3, usage: 'many' is not a number.",
      `The metric Hours of lab/node-of-${id}/${id} has type 10 and a stringValue.`,
      "Rule 3, usage: The message has no 'value'.",
    ])
    expect(told()).toEqual(['usage.sampled', 'usage.sampled'])
  })
})
