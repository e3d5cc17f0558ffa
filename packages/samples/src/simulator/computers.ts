import { traitsByType } from '../equipment/traits.ts'
import { seededRandom } from '../seeded-random.ts'
import type { EmissionOf } from './emission.ts'
import type { Posting } from './postings.ts'

/** The computers of an instrument and its UNICORN software, as reported by a gateway. */
export type Computers = EmissionOf<'benchwatch.clients.changed'>['data'] & { clientPcNames: string[] }

const DAY = 86_400_000
/** Changes are counted from here, when the first instruments were connected. */
const FIRST_CHANGES = Date.parse('2024-01-01T00:00:00.000Z')

const versions = ['7.2', '7.3', '7.4', '7.5', '7.6', '7.7', '7.8', '7.9', '7.10', '7.11'] as const
const systems = [
  'Windows 10 Enterprise LTSC 2019',
  'Windows 10 Enterprise LTSC 2021',
  'Windows 10 Enterprise 22H2',
  'Windows 11 Enterprise 23H2',
  'Windows Server 2019',
  'Windows Server 2022',
] as const

interface Known {
  everyDays: number
  firstDay: number
  change: number
  computers: Computers
}
/** Read at every simulation step, changed twice a year. */
const remembered = new WeakMap<Posting, Known>()

/**
 * Returns the computers at a time, derived from the posting alone. Every few months a client PC is replaced or UNICORN
 * is upgraded. Fields that do not exist without UNICORN are left out.
 */
export function computersAt(posting: Posting, at: number): Computers {
  const known = remembered.get(posting) ?? beginning(posting)
  const change = Math.max(0, Math.floor(((at - FIRST_CHANGES) / DAY - known.firstDay) / known.everyDays))
  if (change !== known.change) {
    known.computers = computersAfter(posting, change)
    known.change = change
  }
  return known.computers
}

function beginning(posting: Posting): Known {
  const random = seededRandom(`computers/${posting.installedProductId}`)
  const everyDays = random.integer(150, 520)
  const known = {
    everyDays,
    firstDay: random.integer(0, everyDays),
    change: 0,
    computers: computersAfter(posting, 0),
  }
  remembered.set(posting, known)
  return known
}

function computersAfter(posting: Posting, changes: number): Computers {
  const random = seededRandom(`computers/${posting.installedProductId}/first`)
  const name = namesAt(posting)
  // A laboratory has a few PCs, and each instrument is linked to some of them.
  const numbers = new Set(Array.from({ length: random.integer(1, 3) }, () => random.integer(1, 9)))
  const clients = [...numbers].sort((a, b) => a - b)
  let version = random.integer(0, 4)
  let servicePack = random.integer(0, 2)
  for (let change = 1; change <= changes; change++) {
    const draw = seededRandom(`computers/${posting.installedProductId}/${change}`)
    if (draw.chance(0.5)) clients[draw.integer(0, clients.length - 1)] = 10 + (change % 90)
    else {
      version = Math.min(versions.length - 1, version + draw.integer(1, 2))
      servicePack = draw.integer(0, 2)
    }
  }
  const clientPcNames = clients.map((number) => name('PC', number))
  const { led, unicorn } = traitsByType[posting.instrument.type]
  if (led === 'culture') return { clientPcNames: [] }
  if (!unicorn) return { clientPcNames: clientPcNames.slice(0, 1), instrumentServerPcName: name('IC', 1) }
  const server = name('IS', Number(posting.installedProductId.slice(-3)) % 100)
  return {
    clientPcNames,
    instrumentServerPcName: server,
    unicornVersion: versions[version] ?? null,
    unicornWinOs: random.pick(systems),
    unicornPcName: server,
    unicornServicePack: servicePack === 0 ? null : `SP${servicePack}`,
    unicornEmbeddedPcDomain: random.chance(0.3) ? 'WORKGROUP' : `${posting.customer.split('-')[0]}.local`,
    unicornEmbeddedPcType: unicorn.unit,
    unicornInstalledConfigFile: `${unicorn.config} ${1 + (version >> 2)}.${version}.0.${random.integer(2, 40)}.iconfig`,
    unicornNetworkConfigurations: networks(posting.installedProductId),
  }
}

/** Returns a name generator: `PC-012` for some companies, `HELIX-UPP-PC012` for others. */
function namesAt({ customer, place }: Posting): (kind: string, number: number) => string {
  const isShort = seededRandom(`computer names/${customer}`).chance(0.3)
  const company = (customer.split('-')[0] ?? customer).toUpperCase()
  return (kind, number) => {
    const digits = String(number).padStart(3, '0')
    return isShort ? `${kind}-${digits}` : `${company}-${place}-${kind}${digits}`
  }
}

/**
 * Returns JSON text with a list of {name, ip, dhcpEnabled}. For one instrument in sixty it is truncated, as old agents
 * send it.
 */
function networks(installedProductId: string): string {
  const random = seededRandom(`networks/${installedProductId}`)
  const cards = [
    {
      name: 'Instrument network',
      ip: `192.168.${random.integer(1, 9)}.${random.integer(2, 250)}`,
      dhcpEnabled: false,
    },
    {
      name: random.pick(['Ethernet', 'Corporate LAN', 'LAN 2']),
      ip: `10.${random.integer(10, 60)}.${random.integer(0, 255)}.${random.integer(2, 250)}`,
      dhcpEnabled: random.chance(0.7),
    },
  ]
  const text = JSON.stringify(cards.slice(0, random.chance(0.85) ? 2 : 1))
  return random.chance(1 / 60) ? text.slice(0, -9) : text
}
