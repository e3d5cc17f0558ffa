import type { ContactInput, ContractInput, InstrumentInput } from '@benchwatch/contract/administration/registry'
import { daysFrom } from '../clock.ts'
import type { InstrumentType } from '../equipment/instrument-type.ts'
import type { Keyed } from '../registry-objects.ts'
import type { SeededRandom } from '../seeded-random.ts'
import { serviceCalendar } from './service-calendar.ts'
import type { SiteSketch } from './sites.ts'

/** An instrument of a type that the simulator knows. */
export type FleetInstrument = InstrumentInput & { type: InstrumentType }

/** Names that laboratories use instead of numbers. */
const nicknames = [
  'mAb line 2',
  'Purification left',
  'Polishing',
  'Old faithful',
  'Viral vector 1',
  'PD screening',
  'Seed train B',
]

/** The registry objects that instruments of one customer can refer to. */
export interface CustomerRecords {
  /** Each contract covers the sites of a sub-region. */
  contracts: readonly (Keyed<ContractInput> & { subRegion: string })[]
  /** Each contact works in the country of some sites. */
  people: readonly (Keyed<ContactInput> & { country: string })[]
  it: readonly Keyed<ContactInput>[]
}

/**
 * Returns one instrument of a site. `index` counts within the fleet, `place` within the site; `start` offsets the
 * spread of models.
 */
export function instrumentAt(
  { key, sketch }: { key: string; sketch: SiteSketch },
  position: { index: number; place: number; start: number; gateways: readonly string[] },
  { random, now, records }: { random: SeededRandom; now: Date; records: CustomerRecords },
): Keyed<FleetInstrument> {
  const contracts = records.contracts.filter(({ subRegion }) => subRegion === sketch.subRegion)
  const people = records.people.filter(({ country }) => country === sketch.country)
  const model = modelAt(position.index, position.start)
  const number = String(position.place + 1).padStart(2, '0')
  const systemName = `${model.prefix}-${sketch.code}-${number}`
  const named = random.chance(0.07) ? random.pick(nicknames) : random.chance(0.04) ? null : systemName
  // Leaves gaps between the numbers, as in a register that has grown over years. Each index keeps its own range.
  const installedProductId = `IP-${20_400_000 + position.index * 103 + random.integer(0, 102)}`
  const calendar = serviceCalendar(installedProductId)
  const installed = new Date(calendar.installedAt)
  const lastService = new Date(calendar.instantOf(calendar.numberAt(now.getTime())))
  const isNew = lastService <= installed
  const lastMaintenance = daysFrom(lastService, -random.integer(0, 180))
  const gateway = position.gateways[position.place % position.gateways.length] ?? null
  return {
    key: installedProductId,
    input: {
      type: model.type,
      productDescription: model.product,
      systemName: named,
      qualifiedSystem: random.chance(0.3),
      site: key,
      // Some are registered but not yet connected.
      gateway: random.chance(0.015) ? null : gateway,
      contract: random.chance(0.1) ? null : random.pick(contracts).key,
      contact: random.chance(0.1) ? null : random.pick(people).key,
      itContact: random.chance(0.5) ? null : random.pick(records.it).key,
      building: random.chance(0.05) ? null : `B${random.integer(1, 12)}`,
      room: random.chance(0.08) ? null : `${random.integer(1, 4)}${String(random.integer(1, 40)).padStart(2, '0')}`,
      installationDate: random.chance(0.03) ? null : daysFrom(installed, 0),
      lastService: isNew ? null : daysFrom(lastService, 0),
      nextService: random.chance(0.08) ? null : daysFrom(lastService, calendar.plannedDays),
      lastMaintenance: random.chance(0.2) || lastMaintenance < daysFrom(installed, 0) ? null : lastMaintenance,
    },
  }
}

/** A product as listed in the registry. */
interface Model {
  type: InstrumentType
  product: string
  /** Prefix of the system names that laboratories use. */
  prefix: string
  /** Share of the fleet: many bench instruments, few production skids. */
  weight: number
}

const models: readonly Model[] = [
  { type: 'AKTAAvant', product: 'ÄKTA avant 25', prefix: 'AVANT', weight: 13 },
  { type: 'AKTAAvant', product: 'ÄKTA avant 150', prefix: 'AVANT', weight: 9 },
  { type: 'AKTAPure', product: 'ÄKTA pure 25', prefix: 'PURE', weight: 15 },
  { type: 'AKTAPure', product: 'ÄKTA pure 150', prefix: 'PURE', weight: 9 },
  { type: 'AKTAGo', product: 'ÄKTA go', prefix: 'GO', weight: 9 },
  { type: 'Wave25', product: 'WAVE 25', prefix: 'WAVE', weight: 7 },
  { type: 'Wave25', product: 'Xuri Cell Expansion System W25', prefix: 'XURI', weight: 4 },
  { type: 'AKTAPilot600', product: 'ÄKTA pilot 600', prefix: 'PILOT', weight: 6 },
  { type: 'AKTAPilot', product: 'ÄKTA pilot', prefix: 'PILOT', weight: 3 },
  { type: 'AKTAOligosynt', product: 'ÄKTA oligosynt', prefix: 'OLIGO', weight: 2.5 },
  { type: 'AKTAProcess', product: 'ÄKTA process 10 mm', prefix: 'PROC', weight: 2.5 },
  { type: 'AKTAProcessCFG', product: 'ÄKTA process CFG', prefix: 'PROC', weight: 2 },
  { type: 'AKTAReady', product: 'ÄKTA ready', prefix: 'READY', weight: 3 },
  { type: 'AKTAReadyXL', product: 'ÄKTA ready XL', prefix: 'READY', weight: 2 },
  { type: 'AKTAReady450', product: 'ÄKTA ready 450', prefix: 'READY', weight: 2 },
  { type: 'AKTAReadyFlux', product: 'ÄKTA readyflux', prefix: 'FLUX', weight: 3 },
  { type: 'AKTAReadyFluxXL', product: 'ÄKTA readyflux XL', prefix: 'FLUX', weight: 2 },
  { type: 'UniFlux', product: 'UniFlux 30', prefix: 'UFX', weight: 2.5 },
  { type: 'BioProcessIC', product: 'BioProcess IC', prefix: 'BPIC', weight: 2.5 },
]

const GOLDEN = 0.618_033_988_749_895
const total = models.reduce((sum, { weight }) => sum + weight, 0)

/**
 * Returns the model of the fleet's n-th instrument. Spread by the golden ratio instead of drawn, so that any sixty
 * neighbours, such as those of one customer, contain the whole mix; a draw would only do so on average.
 */
function modelAt(index: number, start: number): Model {
  let left = ((start + index * GOLDEN) % 1) * total
  const found = models.find(({ weight }) => {
    left -= weight
    return left < 0
  })
  return found ?? (models[0] as Model)
}
