import { createInterface } from 'node:readline'
import { parseArgs } from 'node:util'
import { construct_demo_alarm_in_address_space as addDemoAlarms } from 'node-opcua-address-space/testHelpers.js'
import { OPCUACertificateManager } from 'node-opcua-certificate-manager'
import { DataType, SecurityPolicy } from 'node-opcua-client'
import { nodesets } from 'node-opcua-nodesets'
import { OPCUAServer } from 'node-opcua-server'
import { addLadsFreezer, addStormSource } from './devices.ts'

/**
 * An OPC UA server as a program of its own, so that tests can kill it: the alarm demo of node-opcua, a LADS freezer
 * built from the published nodesets, and a source of storms. It obeys the lines of its standard input, each a JSON
 * object, prints `ready` once it listens, and `done` after each line.
 */

let aheadMs = 0
const RealDate = Date
/** The clock of the device, which may be wrong. */
globalThis.Date = class extends RealDate {
  constructor(...given: ConstructorParameters<typeof RealDate> | []) {
    super(...((given.length === 0 ? [RealDate.now() + aheadMs] : given) as [number]))
  }

  static override now(): number {
    return RealDate.now() + aheadMs
  }
} as DateConstructor

const { values: options } = parseArgs({
  options: {
    port: { type: 'string' },
    folder: { type: 'string' },
    /** Fill level of the demo's tank at the start; above 0.8 its condition is active. */
    level: { type: 'string', default: '0.5' },
    /** Certificate of the server: days from today until it begins, and its days of validity. */
    begins: { type: 'string', default: '0' },
    valid: { type: 'string', default: '365' },
    lads: { type: 'boolean', default: false },
    /** Refuses clients whose certificate no one has trusted. */
    strict: { type: 'boolean', default: false },
  },
})
const folder = options.folder ?? ''
const certificates = new OPCUACertificateManager({
  rootFolder: folder,
  automaticallyAcceptUnknownCertificate: !options.strict,
  disableFileWatchers: true,
})
await certificates.initialize()
const certificateFile = `${folder}/server-${options.begins}-${options.valid}.pem`
await certificates.createSelfSignedCertificate({
  applicationUri: 'urn:benchwatch:test-server',
  subject: '/CN=Test server',
  dns: ['localhost'],
  startDate: new Date(Date.now() + Number(options.begins) * 86_400_000),
  validity: Number(options.valid),
  outputFile: certificateFile,
})

const { standard, di, ia, amb, machinery, lads } = nodesets
const server = new OPCUAServer({
  port: Number(options.port),
  hostname: '127.0.0.1',
  nodeset_filename: options.lads ? [standard, di, ia, amb, machinery, lads] : [standard],
  serverCertificateManager: certificates,
  userCertificateManager: certificates,
  certificateFile,
  securityPolicies: [SecurityPolicy.None, SecurityPolicy.Basic256Sha256],
  serverInfo: { applicationUri: 'urn:benchwatch:test-server' },
  userManager: { isValidUser: (name: string, password: string) => name === 'benchwatch' && password === 'secret' },
})
await server.initialize()
const { addressSpace } = server.engine
if (!addressSpace) throw new Error('The server has no address space.')
interface Demo {
  tankLevel: { setValueFromSource(value: { dataType: DataType; value: number }): void }
  tankLevelCondition: { currentBranch(): { setRetain(retain: boolean): void } }
}
const demo = {} as Demo
addDemoAlarms(demo as never, addressSpace)
const setLevel = (level: number) => demo.tankLevel.setValueFromSource({ dataType: DataType.Double, value: level })
setLevel(Number(options.level))
const freezer = options.lads ? addLadsFreezer(addressSpace) : null
const storm = addStormSource(addressSpace)
await server.start()

const commands: Record<string, (given: never) => unknown> = {
  level: setLevel,
  clock: (ms: number) => {
    aheadMs = ms
  },
  event: ({ message, severity }: { message: string; severity: number }) =>
    addressSpace.rootFolder.objects.server.raiseEvent('BaseEventType', {
      message: { dataType: DataType.LocalizedText, value: { text: message } },
      severity: { dataType: DataType.UInt16, value: severity },
    }),
  /** The condition of the tank ends without an event, as on a device that has lost its connection. */
  forget: () => demo.tankLevelCondition.currentBranch().setRetain(false),
  severity: (severity: number) => storm.setSeverity(severity),
  /** Ends the alarms of the tank and of `Severe`. */
  calm: () => {
    setLevel(0.5)
    storm.setSeverity(null)
  },
  refreshRequired: () => addressSpace.rootFolder.objects.server.raiseEvent('RefreshRequiredEventType', {}),
  storm: (given: Parameters<typeof storm.rage>[0]) => storm.rage(given),
  freezer: (given: Parameters<NonNullable<typeof freezer>['set']>[0]) => freezer?.set(given),
  value: (given: Parameters<typeof storm.setValue>[0]) => storm.setValue(given),
}
process.stdout.write('ready\n')
for await (const line of createInterface({ input: process.stdin })) {
  for (const [name, given] of Object.entries(JSON.parse(line) as object)) await commands[name]?.(given as never)
  process.stdout.write('done\n')
}
await server.shutdown()
