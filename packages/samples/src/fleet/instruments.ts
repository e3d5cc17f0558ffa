import type { ContactInput, ContractInput, InstrumentInput } from '@benchwatch/contract/registry'
import type { InstrumentType } from '@benchwatch/contract/vocabulary'
import type { Keyed } from '../registry-objects.ts'
import type { SeededRandom } from '../seeded-random.ts'
import { daysFrom } from './days.ts'
import type { SiteSketch } from './sites.ts'

const models: readonly { type: InstrumentType; product: string; prefix: string; weight: number }[] = [
  { type: 'AKTAAvant', product: 'ÄKTA avant 25', prefix: 'AVANT', weight: 21 },
  { type: 'AKTAAvant', product: 'ÄKTA avant 150', prefix: 'AVANT', weight: 15 },
  { type: 'AKTAPure', product: 'ÄKTA pure 25', prefix: 'PURE', weight: 25 },
  { type: 'AKTAPure', product: 'ÄKTA pure 150', prefix: 'PURE', weight: 14 },
  { type: 'AKTAPilot600', product: 'ÄKTA pilot 600', prefix: 'PILOT', weight: 12 },
  { type: 'Wave25', product: 'WAVE 25', prefix: 'WAVE', weight: 13 },
]

/** Names that laboratories give instead of numbers. */
const nicknames = [
  'mAb line 2',
  'Purification left',
  'Polishing',
  'Old faithful',
  'Viral vector 1',
  'PD screening',
  'Seed train B',
]

/** What the instruments of one customer can be connected with. */
export interface CustomerRecords {
  contracts: readonly Keyed<ContractInput>[]
  people: readonly Keyed<ContactInput>[]
  it: readonly Keyed<ContactInput>[]
}

/** One instrument on a site. `index` counts over the fleet, `place` within the site. */
export function instrumentAt(
  { key, sketch }: { key: string; sketch: SiteSketch },
  position: { index: number; place: number; gateways: readonly string[] },
  { random, now, records }: { random: SeededRandom; now: Date; records: CustomerRecords },
): Keyed<InstrumentInput> {
  const model = random.weighted(models, ({ weight }) => weight)
  const installedDaysAgo = random.integer(95, 3300)
  const isNew = installedDaysAgo < 200
  const lastServiceDaysAgo = random.integer(6, 420)
  const number = String(position.place + 1).padStart(2, '0')
  const systemName = `${model.prefix}-${sketch.code}-${number}`
  const named = random.chance(0.07) ? random.pick(nicknames) : random.chance(0.04) ? null : systemName
  // Gaps between the numbers, as in a register that has grown over years; each index keeps its own range.
  const installedProductId = `IP-${20_400_000 + position.index * 103 + random.integer(0, 102)}`
  const gateway = position.gateways[position.place % position.gateways.length] ?? null
  return {
    key: installedProductId,
    input: {
      type: model.type,
      productDescription: model.product,
      systemName: named,
      qualifiedSystem: random.chance(0.3),
      site: key,
      // Some are registered and not connected yet.
      gateway: random.chance(0.015) ? null : gateway,
      contract: random.chance(0.1) ? null : random.pick(records.contracts).key,
      contact: random.chance(0.1) ? null : random.pick(records.people).key,
      itContact: random.chance(0.5) ? null : random.pick(records.it).key,
      building: random.chance(0.05) ? null : `Building ${random.integer(1, 12)}`,
      room: random.chance(0.08)
        ? null
        : `room ${random.integer(1, 4)}${String(random.integer(1, 40)).padStart(2, '0')}`,
      installationDate: random.chance(0.03) ? null : daysFrom(now, -installedDaysAgo),
      lastService: isNew ? null : daysFrom(now, -lastServiceDaysAgo),
      nextService: random.chance(0.08) ? null : daysFrom(now, 365 - (isNew ? installedDaysAgo : lastServiceDaysAgo)),
      lastMaintenance: isNew || random.chance(0.2) ? null : daysFrom(now, -lastServiceDaysAgo - random.integer(0, 180)),
    },
  }
}
