import type { ContractInput } from '@benchwatch/contract/administration/registry'
import type { Keyed } from '../registry-objects.ts'
import type { SeededRandom } from '../seeded-random.ts'
import type { CustomerSketch } from './customers.ts'
import { daysFrom } from './days.ts'
import type { SiteSketch } from './sites.ts'

/** 24-hour terms in free wording; the fixed terms depend on the region. */
const freeFullSupportTerms = ['Platinum 24/7', 'Premium 24x7', '24 h on site', 'Response within 24 hours']
const officeHoursTerms = ['Gold 8/5', 'Silver next business day', 'Standard 5 days', '48-hour response', 'Remote only']
const types = ['Complete Care', 'Complete Care', 'Assurance Plus', 'Preventive Maintenance', 'Warranty']

/** Returns the terms of a sub-region, spelled as in the fixed vocabulary. */
const regionalTerms = ({ region, subRegion }: Area) => [
  `24/7 ${subRegion}`,
  `24/7 ${subRegion}`,
  `24/7 ${region}`,
  '24/7 Global',
]

type Area = Pick<SiteSketch, 'region' | 'subRegion'>

/**
 * Returns three to six contracts of a customer, at least one per area with sites. About a fifth have expired, and a
 * few have no term or no end.
 */
export function contractsOf(
  customer: CustomerSketch,
  { areas, random, now, firstNumber }: { areas: readonly Area[]; random: SeededRandom; now: Date; firstNumber: number },
): (Keyed<ContractInput> & { subRegion: string })[] {
  const count = Math.max(areas.length, random.integer(3, 6))
  return Array.from({ length: count }, (_, index) => {
    const draw = random.fork(`contract ${index}`)
    const area = areas[index % areas.length] as Area
    const isFullSupport = draw.chance(customer.tierOne ? 0.6 : 0.3)
    const fullSupportTerm = draw.chance(0.5) ? draw.pick(regionalTerms(area)) : draw.pick(freeFullSupportTerms)
    const hasRunOut = index > 0 && draw.chance(0.25)
    return {
      key: `SC-${firstNumber + index}`,
      subRegion: area.subRegion,
      input: {
        customer: customer.key,
        type: draw.pick(types),
        slaTerm: isFullSupport ? fullSupportTerm : draw.chance(0.12) ? null : draw.pick(officeHoursTerms),
        tierOne: customer.tierOne && draw.chance(0.8),
        startDate: daysFrom(now, -draw.integer(420, 1500)),
        endDate: hasRunOut
          ? daysFrom(now, -draw.integer(4, 300))
          : draw.chance(0.06)
            ? null
            : daysFrom(now, draw.integer(25, 1000)),
      },
    }
  })
}
