import { execFile, spawn } from 'node:child_process'
import { promisify } from 'node:util'
import { findInstalledProgram } from '../../scripts/installed/installed-program.ts'
import { UsageError } from '../arguments.ts'
import { untilOpen } from '../cluster/nats-process.ts'
import type { Workplace } from '../faults/script/workplace.ts'
import { opcUaServer } from '../opcua-server.ts'

/** An instrument, simulated by programs that know nothing of the product. */
export interface Instrument {
  name: string
  /** Raises or clears its alarm. Rejects if the gateway or the broker does not take the message. */
  setAlarm(isActive: boolean): Promise<unknown>
}

/** The ports of gateway.yaml, as the free ones that this run uses. */
export interface Ports {
  freezer: number
  bioreactor: number
  broker: number
  informs: number
}

const packageOf = { mosquitto: 'mosquitto', mosquitto_pub: 'mosquitto-clients', snmpinform: 'snmp' } as const
type ProgramName = keyof typeof packageOf

/** Returns the paths of the programs. Throws UsageError that names each missing one with its package. */
export function installedPrograms(): Record<ProgramName, string> {
  const names = Object.keys(packageOf) as ProgramName[]
  const found = names.map((name) => [name, findInstalledProgram(name)] as const)
  const missing = found.filter(([, path]) => path === null).map(([name]) => name)
  if (missing.length > 0) {
    const packages = missing.map((name) => packageOf[name]).join(' ')
    const verb = missing.length === 1 ? 'is' : 'are'
    throw new UsageError(`${missing.join(', ')} ${verb} not installed. On Debian: apt-get install ${packages}`)
  }
  return Object.fromEntries(found) as Record<ProgramName, string>
}

const run = promisify(execFile)

/** Starts the four instruments with their alarms off; resolves when their servers listen. */
export async function startInstruments(workplace: Workplace, ports: Ports): Promise<Instrument[]> {
  const programs = installedPrograms()
  const broker = spawn(programs.mosquitto, ['-p', String(ports.broker)], { stdio: 'ignore', detached: true })
  workplace.atEnd(() => broker.kill())
  const freezer = opcUaServer(workplace, { name: 'freezer', port: ports.freezer, options: () => ['--lads'] })
  const bioreactor = opcUaServer(workplace, { name: 'bioreactor', port: ports.bioreactor, options: () => [] })
  await Promise.all([freezer.start('ready'), bioreactor.start('ready'), untilOpen(ports.broker, 'mosquitto')])
  freezer.tell({ freezer: { device: 'Operate', unit: 'Running', run: 'R-2026-7' } })
  return [
    { name: 'Freezer (LADS)', setAlarm: async (isWarm) => freezer.tell({ freezer: { isWarm } }) },
    // The condition of its tank is active above 0.8.
    {
      name: 'Bioreactor (OPC UA)',
      setAlarm: async (isActive) => bioreactor.tell({ level: isActive ? 0.95 : 0.5 }),
    },
    {
      name: 'Skid (MQTT)',
      setAlarm(isActive) {
        const alarm = { code: 1042, part: 'Pump B', text: 'Pressure 6.4 MPa, limit 6.0 MPa', on: isActive }
        // Retained, so that a gateway that subscribes later gets the present state.
        const message = ['-r', '-q', '1', '-t', 'lab/IP-SKID/alarm', '-m', JSON.stringify(alarm)]
        return run(programs.mosquitto_pub, ['-h', '127.0.0.1', '-p', String(ports.broker), ...message])
      },
    },
    {
      name: 'Chiller (SNMP)',
      setAlarm(isActive) {
        const example = '1.3.6.1.4.1.8072.2.3'
        const state = [`${example}.2.1`, 'i', isActive ? '1' : '0']
        const text = [`${example}.2.2`, 's', 'Coolant level low']
        // It repeats the inform each second until the gateway has answered.
        const sender = ['-v', '2c', '-c', 'lab', '-t', '1', '-r', '60', `127.0.0.1:${ports.informs}`]
        return run(programs.snmpinform, [...sender, '', `${example}.0.1`, ...state, ...text])
      },
    },
  ]
}
