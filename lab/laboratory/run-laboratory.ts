import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { type CallInput, type Client, createClient } from '@benchwatch/client/client'
import { passwordCredentials } from '@benchwatch/client/password-credentials'
import { startProgram } from '../../scripts/program.ts'
import { readLaboratoryArguments } from '../arguments.ts'
import { runCommand } from '../faults/product/fleet.ts'
import { freePort, Product } from '../faults/product/product.ts'
import { Workplace } from '../faults/script/workplace.ts'
import { buildConsole } from '../product/browser.ts'
import { refuseTakenPort } from '../product/taken-port.ts'
import { repositoryRoot } from '../repository.ts'
import { type Instrument, installedPrograms, type Ports, startInstruments } from './instruments.ts'

const GATEWAY_GRACE_MS = 5000
const REPORT_MS = 60_000

/** Runs the product, a gateway and four simulated instruments until Ctrl-C, which also deletes their data. */
export async function runLaboratory(args: readonly string[]): Promise<void> {
  const { port, every } = readLaboratoryArguments(args)
  installedPrograms()
  if (port !== 0) await refuseTakenPort(port)
  buildConsole()
  const workplace = new Workplace('laboratory')
  try {
    console.log('Starting the product, a gateway and four instruments: half a minute …')
    const product = await Product.start(workplace, { ...(port !== 0 && { port }) })
    const { api, ...registered } = await registerLaboratory(product)
    const [freezer, bioreactor, broker, informs] = [
      await freePort(),
      await freePort(),
      await freePort(),
      await freePort(),
    ]
    const ports = { freezer, bioreactor, broker, informs }
    const instruments = await startInstruments(workplace, ports)
    startGateway(workplace, { url: product.url, ...registered, ports })
    await Promise.all(instruments.map(({ setAlarm }) => setAlarm(true)))
    await untilAllReported(api)
    console.log(
      [
        '',
        `  The laboratory is ready: ${product.url}`,
        `  Sign in as ${administrator.login} with the password ${administrator.password}`,
        '',
        `  All four instruments raised an alarm. Every ${every} s one of them clears or raises its own.`,
        '  The gateway follows lab/laboratory/gateway.yaml, with free ports instead of those of the file.',
        `  Logs and data: ${workplace.folder}`,
        '  Ctrl-C stops everything and deletes the data.',
        '',
      ].join('\n'),
    )
    changeInTurn(workplace, instruments, every * 1000)
  } catch (error) {
    await workplace.end()
    throw error
  }
}

/** Waits until each instrument has an event, so that a user who signs in finds all of them. */
async function untilAllReported(api: Client): Promise<void> {
  const limit = Date.now() + REPORT_MS
  for (;;) {
    const { instruments } = (await api.call('listServiceEvents', { body: {} })).total
    if (instruments === equipment.length) return
    if (Date.now() > limit) throw new Error(`Only ${instruments} of ${equipment.length} instruments have reported.`)
    await pause(200)
  }
}

interface GatewayInput {
  url: string
  gateway: string
  key: string
  ports: Ports
}

function startGateway(workplace: Workplace, { url, gateway, key, ports }: GatewayInput): void {
  const sources = join(workplace.folder, 'gateway.yaml')
  const example = readFileSync(join(import.meta.dirname, 'gateway.yaml'), 'utf8')
  const actual = new Map([
    ['4840', ports.freezer],
    ['4841', ports.bioreactor],
    ['1883', ports.broker],
    ['1162', ports.informs],
  ])
  writeFileSync(
    sources,
    example.replace(/(?<=127\.0\.0\.1:)\d+/g, (port) => String(actual.get(port) ?? port)),
  )
  const program = startProgram({
    name: 'gateway',
    script: join(repositoryRoot, 'packages/gateway/src/main.ts'),
    logFile: join(workplace.folder, 'gateway.log'),
    env: {
      ...process.env,
      BENCHWATCH_URL: url,
      GATEWAY_NAME: gateway,
      GATEWAY_KEY: key,
      GATEWAY_SOURCES: sources,
      OUTBOX_DIR: join(workplace.folder, 'outbox'),
    },
  })
  workplace.atEnd(() => program.stop(GATEWAY_GRACE_MS))
}

/** Changes the alarm of one instrument after the other: the first round clears them, the next raises them. */
function changeInTurn(workplace: Workplace, instruments: readonly Instrument[], everyMs: number): void {
  let turn = 0
  const timer = setInterval(() => {
    const instrument = instruments[turn % instruments.length]
    const isActive = Math.floor(turn / instruments.length) % 2 === 1
    turn += 1
    if (instrument) void change(instrument, isActive)
  }, everyMs)
  workplace.atEnd(() => clearInterval(timer))
}

async function change({ name, setAlarm }: Instrument, isActive: boolean): Promise<void> {
  try {
    await setAlarm(isActive)
    console.log(`  ${name}: the alarm is ${isActive ? 'raised' : 'cleared'}.`)
  } catch (error) {
    console.error(`${name} can't send: ${(error as Error).message}`)
  }
}

const administrator = { login: 'ada@benchwatch.example', name: 'Ada Admin', password: 'Benchwatch-2026!' }

const gateway = 'GW-LAB-01'
const customer = 'laboratory'

type Kind = CallInput<'importRegistry'>['query']['kind']

/** The instruments of gateway.yaml; each has a type and a family of its own, which no installation knows beforehand. */
const equipment = [
  { id: 'IP-FREEZER', type: 'ULT-freezer', label: 'ULT freezer', family: 'Freezers', product: 'ULT 80 (simulated)' },
  { id: 'IP-BIOREACTOR', type: 'Bioreactor', label: 'Bioreactor', family: 'Bioreactors', product: 'Tank (simulated)' },
  { id: 'IP-SKID', type: 'Skid', label: 'Skid', family: 'Skids', product: 'Buffer skid (simulated)' },
  { id: 'IP-CHILLER', type: 'Chiller', label: 'Chiller', family: 'Chillers', product: 'Chiller (simulated)' },
]

/** Creates an administrator, and through the registry a customer with a site, a gateway and the four instruments. */
async function registerLaboratory(product: Product): Promise<{ api: Client; gateway: string; key: string }> {
  const { login, name, password } = administrator
  await runCommand(product, {
    name: 'admin-create',
    args: [login, '--name', name, '--password-stdin'],
    input: `${password}\n`,
  })
  const { url } = product
  const api = createClient({ url, credentials: passwordCredentials(url, { userId: login, password }) })
  const file = (kind: Kind, objects: readonly object[]) =>
    ({ kind, format: 'ndjson', text: objects.map((object) => JSON.stringify(object)).join('\n') }) as const
  const files = [
    file('customers', [{ key: customer, name: 'Laboratory' }]),
    file('sites', [{ key: customer, customer, city: 'Uppsala', country: 'Sweden', timeZone: 'Europe/Stockholm' }]),
    file('gateways', [{ key: gateway, site: customer }]),
    file(
      'instrument-families',
      equipment.map(({ family }, at) => ({ key: family, label: family, position: 1000 + at })),
    ),
    file(
      'instrument-types',
      equipment.map(({ type, label, family }) => ({ key: type, label, family })),
    ),
    file(
      'instruments',
      equipment.map(({ id, type, label, product: productDescription }) => ({
        ...{ key: id, type, productDescription, systemName: label, site: customer, gateway },
      })),
    ),
  ]
  const { errors } = await api.call('applyRegistry', { body: { files } })
  if (errors.length > 0) throw new Error(`The registry refused the laboratory: ${JSON.stringify(errors)}`)
  const { key } = await api.call('createGatewayKey', { params: { gateway } })
  return { api, gateway, key }
}
