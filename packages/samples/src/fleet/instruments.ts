import type { ContactInput, ContractInput, InstrumentInput } from '@benchwatch/contract/administration/registry'
import type { InstrumentType } from '../equipment/instrument-type.ts'
import { modelAt } from '../equipment/models.ts'
import type { Keyed } from '../registry-objects.ts'
import type { SeededRandom } from '../seeded-random.ts'
import { daysFrom } from './days.ts'
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
